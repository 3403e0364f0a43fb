//! Opening books of a player.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use komadai_bookfile::{BookError, BookFileError, BookOpener, BookReading, OpenedBook, open_book};
use komadai_core::{Analysis, Move, Position, Score, SplitMix64};

use crate::book_policy::{BookPolicy, Candidate};

/// The opening book of a player: `.db`, `.ybb`, Apery `.bin`, ShogiGUI `.sbk`, and other kinds
/// through a [`BookOpener`] that knows them.
///
/// A position is found independently of its move number, and also if it is turned by 180 degrees
/// with the colours exchanged. Values are those in the file.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::BookReading;
/// use komadai_core::{Position, Score, SplitMix64};
/// use komadai_engine::{BookPolicy, OpeningBook};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.db");
/// std::fs::write(&path, "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
///     7g7f 3c3d 50 20 300\n")?;
/// for reading in [BookReading::Memory, BookReading::OnTheFly] {
///     let book = OpeningBook::open(&path, reading)?;
///     let (policy, mut random) = (BookPolicy::default(), SplitMix64::new(1));
///     let found = book.choose(&Position::hirate(), &policy, Score::ZERO, &mut random)?;
///     assert_eq!(found.map(|found| found.m), Some("7g7f".parse()?));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct OpeningBook {
    path: PathBuf,
    reading: BookReading,
    opened: OpenedBook,
}

/// An error in opening or probing a book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningBookError {
    /// The file cannot be opened.
    #[error("cannot open the book {}: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file is not a book of its format, cannot be read in the requested way or to its end, or
    /// is damaged or out of order at a position that was probed.
    #[error("book {}: {source}", path.display())]
    Book {
        /// The file.
        path: PathBuf,
        /// The fault.
        source: BookFileError,
    },
    /// A book that only the [`BookOpener`] knows cannot be read.
    #[error("book {0}")]
    Foreign(#[source] Box<dyn Error + Send + Sync>),
    /// The file has no position with a move.
    #[error("book {} has no positions; {faults} lines were not those of a book", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
        /// Number of lines that could not be read.
        faults: u64,
    },
}

/// A move from a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub m: Move,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// Value, depth and line of the move; without lines if the book has no value.
    pub analysis: Analysis,
    /// Number of moves that met the conditions of the policy.
    pub choices: usize,
}

impl OpeningBook {
    /// Opens a book file, as [`open_book`] does.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not a book, cannot be read in the requested way, or has no
    /// position.
    pub fn open(path: &Path, reading: BookReading) -> Result<Self, OpeningBookError> {
        Self::open_with(open_book, path, reading)
    }

    /// Opens a book by this function, such as that of `komadai-book`, which opens stores as well.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use komadai_bookfile::{BookReading, open_book};
    /// use komadai_engine::OpeningBook;
    ///
    /// let path = Path::new("no such book.db");
    /// let error = OpeningBook::open_with(open_book, path, BookReading::Memory).unwrap_err();
    /// assert!(error.to_string().contains("no such book.db"));
    /// ```
    pub fn open_with(
        opener: BookOpener,
        path: &Path,
        reading: BookReading,
    ) -> Result<Self, OpeningBookError> {
        let opened = opener(path, reading).map_err(|error| in_file(path, error))?;
        if opened.positions == Some(0) {
            let faults = opened.faults;
            return Err(OpeningBookError::Empty { path: path.to_owned(), faults });
        }
        Ok(Self { path: path.to_owned(), reading, opened })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The way in which it is read.
    pub fn reading(&self) -> BookReading {
        self.reading
    }

    /// Number of positions; `None` if it is unknown, because the file is probed position by
    /// position.
    pub fn positions(&self) -> Option<u64> {
        self.opened.positions
    }

    /// Number of faults in the file that were skipped.
    pub fn faults(&self) -> u64 {
        self.opened.faults
    }

    /// Returns a move for this position, if the book has one that meets the conditions of the
    /// policy.
    ///
    /// `random` chooses among several moves. A move without a value is chosen only if no move of
    /// the position has one.
    ///
    /// The game that led to the position counts: a move that loses by perpetual check (連続王手の千日手) is
    /// never chosen, and one that makes a draw by repetition only if `draw`, the value of a draw
    /// for the side to move, is not less than the value in the book.
    ///
    /// # Errors
    ///
    /// If the book is probed on disk and is damaged or out of order there.
    pub fn choose(
        &self,
        position: &Position,
        policy: &BookPolicy,
        draw: Score,
        random: &mut SplitMix64,
    ) -> Result<Option<BookMove>, OpeningBookError> {
        if position.ply() > policy.moves {
            return Ok(None);
        }
        let listed = self.candidates(position)?.into_iter();
        let moves = listed.filter_map(|listed| listed.in_game(position, draw)).collect();
        let moves = policy.select(moves, position.side());
        Ok(policy.draw(&moves, random).map(|chosen| BookMove {
            m: chosen.m,
            ponder: chosen.ponder,
            analysis: chosen.analysis(),
            choices: moves.len(),
        }))
    }

    /// Returns all moves of a position.
    fn candidates(&self, position: &Position) -> Result<Vec<Candidate>, OpeningBookError> {
        let record = self.opened.probe.probe(position);
        let record = record.map_err(|error| in_file(&self.path, error.into()))?;
        Ok(record.iter().flat_map(|record| &record.moves).map(Into::into).collect())
    }
}

fn in_file(path: &Path, error: BookFileError) -> OpeningBookError {
    let path = path.to_owned();
    match error {
        BookFileError::Io { error: source, .. } => OpeningBookError::Open { path, source },
        BookFileError::Content(BookError::Foreign(source)) => OpeningBookError::Foreign(source),
        source => OpeningBookError::Book { path, source },
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const TEXT: &str = "#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f 3c3d 50 20 300
2g2f 8c8d 35 10 100
5g5f none 10 20 0
9g9f none none none 900
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
3c3d none none none 5
8c8d none none none 0
nonsense here
";

    fn book(text: &str) -> OpeningBook {
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(text.as_bytes()).expect("it can be written");
        OpeningBook::open(file.path(), BookReading::Memory).expect("a book")
    }

    /// All moves drawn in many draws.
    fn drawn(position: &Position, policy: &BookPolicy) -> Vec<String> {
        let (book, mut random) = (book(TEXT), SplitMix64::new(1));
        let draw = |_| {
            let found = book.choose(position, policy, Score::ZERO, &mut random).expect("no fault");
            found.map(|found| found.m.to_string())
        };
        let mut moves: Vec<String> = (0..200).filter_map(draw).collect();
        moves.sort();
        moves.dedup();
        moves
    }

    #[test]
    fn the_policy_decides_which_moves_are_good_enough() {
        let start = Position::hirate();
        let policy = BookPolicy::default();
        assert_eq!(drawn(&start, &policy), ["2g2f", "7g7f"]);
        assert_eq!(drawn(&start, &BookPolicy { eval_diff: 0, ..policy.clone() }), ["7g7f"]);
        let wide = BookPolicy { eval_diff: 100, ..policy.clone() };
        assert_eq!(drawn(&start, &wide), ["2g2f", "5g5f", "7g7f"]);
        assert_eq!(
            drawn(&start, &BookPolicy { depth_limit: 11, ..wide.clone() }),
            ["5g5f", "7g7f"]
        );
        assert_eq!(drawn(&start, &BookPolicy { black_limit: 36, ..wide.clone() }), ["7g7f"]);
        assert!(drawn(&start, &BookPolicy { black_limit: 51, ..wide.clone() }).is_empty());
        assert!(drawn(&start, &BookPolicy { moves: 0, ..wide.clone() }).is_empty());
        let black = BookPolicy { black_diff: Some(0), ..wide.clone() };
        assert_eq!(drawn(&start, &black), ["7g7f"]);
        let white = BookPolicy { white_diff: Some(0), ..wide };
        assert_eq!(drawn(&start, &white), ["2g2f", "5g5f", "7g7f"]);
        assert_eq!(drawn(&start.flipped(), &white), ["3c3d"], "the same position for White");
    }

    #[test]
    fn counts_weigh_only_if_they_should() {
        let second = Position::hirate().after("7g7f".parse().expect("a move"));
        let policy = BookPolicy::default();
        assert_eq!(drawn(&second, &policy), ["3c3d", "8c8d"]);
        assert_eq!(drawn(&second, &BookPolicy { by_games: true, ..policy }), ["3c3d"]);
    }

    #[test]
    fn a_book_move_comes_with_its_value() {
        let book = book(TEXT);
        assert_eq!((book.positions(), book.faults()), (Some(2), 1));
        let policy = BookPolicy { eval_diff: 0, ..BookPolicy::default() };
        let mut random = SplitMix64::new(1);
        let found = book.choose(&Position::hirate(), &policy, Score::ZERO, &mut random);
        let found = found.expect("no fault").expect("the start is in the book");
        assert_eq!(found.ponder, "3c3d".parse().ok());
        assert_eq!(found.analysis.score(), Some(Score::cp(50)));
        assert_eq!((found.analysis.depth, found.choices), (20, 1));
    }

    #[test]
    fn the_same_seed_draws_the_same_moves() {
        let (book, policy) = (book(TEXT), BookPolicy::default());
        let draws = |seed| {
            let mut random = SplitMix64::new(seed);
            let start = Position::hirate();
            let draw =
                |_| book.choose(&start, &policy, Score::ZERO, &mut random).expect("no fault");
            (0..20).map(draw).collect::<Vec<_>>()
        };
        assert_eq!(draws(5), draws(5));
        assert_ne!(draws(5), draws(6));
    }

    #[test]
    fn files_that_are_no_books_are_refused_with_their_name() {
        let error =
            OpeningBook::open(Path::new("/no/such/book.db"), BookReading::Memory).unwrap_err();
        assert!(error.to_string().starts_with("cannot open the book /no/such/book.db: "));
        let directory = tempfile::tempdir().expect("a temporary directory");
        assert!(OpeningBook::open(directory.path(), BookReading::Memory).is_err());
        let file = directory.path().join("noise.db");
        std::fs::write(&file, b"\xff\xfe\0\nhello\n").expect("it can be written");
        let error = OpeningBook::open(&file, BookReading::Memory).unwrap_err();
        assert!(matches!(error, OpeningBookError::Empty { faults, .. } if faults > 0), "{error}");
    }
}
