//! A position of a working book, with where its values come from.

use komadai_core::{Bound, Move, Score};

use crate::evaluation::{AnalystIndex, Source};
use komadai_bookfile::{BookRecord, RecordMove};

/// A position of a working book: its moves with the values that count now, and where each value
/// comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRecord {
    /// The position and its moves in the order in which they became known. Counts are games.
    pub record: BookRecord,
    /// For each of the record's moves the value that counts; `None` if nothing is known.
    pub values: Vec<Option<StoredValue>>,
    /// The moves that were deleted one by one: nobody is to play them, even if they lead into the book.
    pub barred: Vec<Move>,
}

/// The value of a move that counts now, and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StoredValue {
    /// The value for the side that makes the move.
    pub score: Score,
    /// Whether the value is exact.
    pub bound: Bound,
    /// The number of plies looked ahead, 0 where it is not known.
    pub depth: u32,
    /// The number of nodes visited, 0 where it is not known.
    pub nodes: u64,
    /// Who judged: an index into the analysts of the store.
    pub analyst: AnalystIndex,
    /// How the value came about.
    pub source: Source,
    /// When, in seconds since the beginning of 1970 (UTC), 0 where it is not known.
    pub when: u64,
    /// The place in the log of the evaluation that says so; of a mean, the newest that went in.
    pub sequence: u64,
    /// How many evaluations went into the value: 1, but for a mean.
    pub evaluations: u16,
}

impl StoredRecord {
    /// The moves, each with the value that counts.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = (&RecordMove, Option<&StoredValue>)> {
        self.record.moves.iter().zip(self.values.iter().map(Option::as_ref))
    }

    /// The highest value of a move.
    #[must_use]
    pub fn best_score(&self) -> Option<Score> {
        self.values.iter().flatten().map(|value| value.score).max()
    }
}
