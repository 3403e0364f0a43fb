//! What a book says about one position.

use core::cmp::Reverse;

use komadai_core::{Color, Move, Position, Score};

use crate::Book;
use crate::book::{StoredMove, StoredPosition};
use crate::evaluation::Evaluation;
use crate::orientation::{turn, unpack};

/// A position of a book and its moves, seen in one of the two orientations.
///
/// # Examples
///
/// ```
/// use komadai_book::{Book, DbReader};
/// use komadai_core::{Position, Score};
/// use komadai_kifu::Tolerance;
///
/// let text = "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
///     2g2f 8c8d 43 20 12\n\
///     7g7f none none none 5\n";
/// let mut book = Book::new();
/// DbReader::new(text.as_bytes(), Tolerance::Strict).read_into(&mut book)?;
/// let entry = book.entry(&Position::hirate()).expect("the start position");
/// let best = entry.best().expect("a move with a value");
/// assert_eq!((best.m, best.score()), ("2g2f".parse()?, Some(Score::cp(43))));
/// let seen = entry.find("7g7f".parse()?).expect("a move without one");
/// assert_eq!((seen.games, seen.score()), (5, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Entry<'b> {
    book: &'b Book,
    stored: &'b StoredPosition,
    side: Color,
}

/// A move of an [`Entry`], in its orientation.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct EntryMove<'b> {
    /// The move.
    pub m: Move,
    /// The answer expected, if one is known.
    pub ponder: Option<Move>,
    /// The number of games in which the move was made.
    pub games: u32,
    /// Every evaluation of the move, first to last.
    pub log: &'b [Evaluation],
    book: &'b Book,
}

impl<'b> Entry<'b> {
    pub(crate) fn new(book: &'b Book, stored: &'b StoredPosition, side: Color) -> Self {
        Self { book, stored, side }
    }

    /// The position, with the move number with which it was added.
    #[must_use]
    pub fn position(&self) -> Position {
        unpack(&self.stored.packed, self.side, self.stored.ply)
    }

    /// The side to move.
    #[must_use]
    pub fn side(&self) -> Color {
        self.side
    }

    /// The moves in the order in which they were added.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = EntryMove<'b>> + use<'b> {
        let Self { book, stored, side } = *self;
        stored.moves.iter().map(move |stored| EntryMove::new(book, stored, side))
    }

    /// The move with the highest value; of equal ones that made in more games, then the first. A
    /// move without a value is never the best.
    #[must_use]
    pub fn best(&self) -> Option<EntryMove<'b>> {
        let valued = self.moves().filter(|m| m.score().is_some());
        valued.min_by_key(|m| (Reverse(m.score()), Reverse(m.games)))
    }

    /// The entry's move equal to `m`.
    #[must_use]
    pub fn find(&self, m: Move) -> Option<EntryMove<'b>> {
        self.moves().find(|known| known.m == m)
    }
}

impl<'b> EntryMove<'b> {
    fn new(book: &'b Book, stored: &'b StoredMove, side: Color) -> Self {
        Self {
            m: turn(stored.m, side),
            ponder: stored.ponder.map(|ponder| turn(ponder, side)),
            games: stored.games,
            log: &stored.log,
            book,
        }
    }

    /// The evaluation that counts, by the book's [policy](Book::policy); `None` if nothing is known.
    #[must_use]
    pub fn evaluation(&self) -> Option<&'b Evaluation> {
        self.book.policy().choose(self.log)
    }

    /// The value that counts, for the side that makes the move; `None` if nothing is known.
    #[must_use]
    pub fn score(&self) -> Option<Score> {
        Some(self.evaluation()?.score)
    }
}
