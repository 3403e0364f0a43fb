//! Moves from a book.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use komadai_book::{Book, BookError, DbReader, EntryMove};
use komadai_core::{Analysis, Color, Line, Move, Position, Pv, Score};
use komadai_kifu::Tolerance;

use crate::random::SplitMix64;

/// Which moves of a book are good enough to be played. The names are those of the USI options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookPolicy {
    /// The last move number at which the book is asked (`BookMoves`).
    pub moves: u32,
    /// How much worse than the best a move may be, in centipawns (`BookEvalDiff`).
    pub eval_diff: i32,
    /// What a move of Black must be worth at least, in centipawns for Black
    /// (`BookEvalBlackLimit`).
    pub black_limit: i32,
    /// What a move of White must be worth at least, in centipawns for White
    /// (`BookEvalWhiteLimit`).
    pub white_limit: i32,
    /// How deep a move must have been looked at, in plies; 0 for any (`BookDepthLimit`).
    pub depth_limit: u32,
    /// Whether a move is chosen the likelier the more games it was made in
    /// (`ConsiderBookMoveCount`).
    pub by_games: bool,
}

impl Default for BookPolicy {
    /// The values that YaneuraOu has made usual, but any depth: a book of shallow searches is
    /// better than none.
    fn default() -> Self {
        Self {
            moves: 16,
            eval_diff: 30,
            black_limit: 0,
            white_limit: -140,
            depth_limit: 0,
            by_games: false,
        }
    }
}

/// A book that a player opens its games with.
#[derive(Debug)]
pub struct OpeningBook {
    path: PathBuf,
    book: Book,
    /// How many faults of the file were passed over.
    faults: u64,
}

/// Why there is no book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningBookError {
    /// The file cannot be opened.
    #[error("cannot open the book {}: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The file cannot be read to its end.
    #[error("book {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: BookError,
    },
    /// The file has no position with a move.
    #[error("book {} has no positions; {faults} lines were not those of a book", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
        /// How many lines could not be read.
        faults: u64,
    },
}

/// A move from a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub m: Move,
    /// The answer expected.
    pub ponder: Option<Move>,
    /// What the book knows about it; no lines if that is nothing.
    pub analysis: Analysis,
    /// How many moves were good enough.
    pub choices: usize,
}

impl OpeningBook {
    /// Reads a book in YaneuraOu's format `.db`. Faulty lines are passed over and counted.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or holds no position.
    pub fn load(path: &Path) -> Result<Self, OpeningBookError> {
        let path = path.to_owned();
        let file = match File::open(&path) {
            Ok(file) => BufReader::new(file),
            Err(source) => return Err(OpeningBookError::Open { path, source }),
        };
        let mut book = Book::new();
        let faults = match DbReader::new(file, Tolerance::Lenient).read_into(&mut book) {
            Ok(import) => import.skipped.count(),
            Err(source) => return Err(OpeningBookError::Read { path, source }),
        };
        if book.is_empty() {
            return Err(OpeningBookError::Empty { path, faults });
        }
        Ok(Self { path, book, faults })
    }

    /// Where it came from.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The book.
    #[must_use]
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// How many faults of the file were passed over.
    #[must_use]
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// A move for this position, if the book has one that is good enough.
    ///
    /// Among several, `random` decides. A move without a value is taken only if no move of the
    /// position has one.
    #[must_use]
    pub fn choose(
        &self,
        position: &Position,
        policy: &BookPolicy,
        random: &mut SplitMix64,
    ) -> Option<BookMove> {
        if position.ply() > policy.moves {
            return None;
        }
        let entry = self.book.entry(position)?;
        let mut moves: Vec<EntryMove<'_>> = match entry.best().and_then(|best| best.score()) {
            Some(best) => {
                entry.moves().filter(|m| policy.accepts(m, best, position.side())).collect()
            }
            None => entry.moves().collect(),
        };
        let choices = moves.len();
        let chosen = moves.swap_remove(policy.draw(&moves, random)?);
        let ponder = chosen.ponder;
        Some(BookMove { m: chosen.m, ponder, analysis: analysis(&chosen), choices })
    }
}

impl BookPolicy {
    fn accepts(&self, m: &EntryMove<'_>, best: Score, side: Color) -> bool {
        let limit = match side {
            Color::Black => self.black_limit,
            Color::White => self.white_limit,
        };
        m.evaluation().is_some_and(|evaluation| {
            evaluation.score >= Score::cp(limit)
                && evaluation.score >= best - self.eval_diff
                && u32::from(evaluation.depth) >= self.depth_limit
        })
    }

    /// The index of one of the moves, by chance.
    fn draw(&self, moves: &[EntryMove<'_>], random: &mut SplitMix64) -> Option<usize> {
        let weight = |m: &EntryMove<'_>| if self.by_games { u64::from(m.games) } else { 1 };
        let total: u64 = moves.iter().map(weight).sum();
        if total == 0 {
            return (!moves.is_empty()).then_some(0);
        }
        let mut ticket = random.below(total);
        moves.iter().position(|m| {
            let is_drawn = ticket < weight(m);
            ticket = ticket.wrapping_sub(weight(m));
            is_drawn
        })
    }
}

fn analysis(chosen: &EntryMove<'_>) -> Analysis {
    let Some(evaluation) = chosen.evaluation() else {
        return Analysis { completed: true, ..Analysis::default() };
    };
    let mut pv = Pv::new();
    pv.push(chosen.m);
    pv.extend(chosen.ponder);
    Analysis {
        depth: evaluation.depth.into(),
        lines: vec![Line { score: evaluation.score, bound: evaluation.bound, pv }],
        completed: true,
        ..Analysis::default()
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
        OpeningBook::load(file.path()).expect("a book")
    }

    /// All moves drawn in many draws.
    fn drawn(position: &Position, policy: &BookPolicy) -> Vec<String> {
        let (book, mut random) = (book(TEXT), SplitMix64::new(1));
        let draw = |_| book.choose(position, policy, &mut random).map(|found| found.m.to_string());
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
        assert!(drawn(&start, &BookPolicy { moves: 0, ..wide }).is_empty());
    }

    #[test]
    fn counts_weigh_only_if_they_should() {
        let second = Position::hirate().after("7g7f".parse().expect("a move"));
        let policy = BookPolicy::default();
        assert_eq!(drawn(&second, &policy), ["3c3d", "8c8d"]);
        assert_eq!(drawn(&second, &BookPolicy { by_games: true, ..policy }), ["3c3d"]);
    }

    #[test]
    fn a_book_move_comes_with_what_is_known() {
        let book = book(TEXT);
        assert_eq!((book.book().len(), book.faults()), (2, 1));
        let policy = BookPolicy { eval_diff: 0, ..BookPolicy::default() };
        let found = book.choose(&Position::hirate(), &policy, &mut SplitMix64::new(1));
        let found = found.expect("the start is in the book");
        assert_eq!(found.ponder, "3c3d".parse().ok());
        assert_eq!(found.analysis.score(), Some(Score::cp(50)));
        assert_eq!((found.analysis.depth, found.choices), (20, 1));
    }

    #[test]
    fn the_same_seed_draws_the_same_moves() {
        let (book, policy) = (book(TEXT), BookPolicy::default());
        let draws = |seed| {
            let mut random = SplitMix64::new(seed);
            let draw = |_| book.choose(&Position::hirate(), &policy, &mut random);
            (0..20).map(draw).collect::<Vec<_>>()
        };
        assert_eq!(draws(5), draws(5));
        assert_ne!(draws(5), draws(6));
    }

    #[test]
    fn files_that_are_no_books_are_refused_with_their_name() {
        let error = OpeningBook::load(Path::new("/no/such/book.db")).unwrap_err();
        assert!(error.to_string().starts_with("cannot open the book /no/such/book.db: "));
        let directory = tempfile::tempdir().expect("a temporary directory");
        assert!(OpeningBook::load(directory.path()).is_err());
        let file = directory.path().join("noise.db");
        std::fs::write(&file, b"\xff\xfe\0\nhello\n").expect("it can be written");
        let error = OpeningBook::load(&file).unwrap_err();
        assert!(matches!(error, OpeningBookError::Empty { faults, .. } if faults > 0), "{error}");
    }
}
