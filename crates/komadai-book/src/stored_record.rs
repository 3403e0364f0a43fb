//! Positions of a store with the provenance of their values.

use komadai_bookfile::{BookRecord, RecordMove};
use komadai_core::{Bound, Move, Score};

use crate::logged_analysis::{AnalystIndex, Source};

/// A position of a store: its moves with their current values, and the provenance of each value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct StoredRecord {
    /// The position and its moves, in the order in which they were added. The counts are numbers of
    /// games.
    pub record: BookRecord,
    /// The current value of each of the record's moves; `None` for a move without an evaluation.
    pub values: Vec<Option<StoredValue>>,
    /// The moves that were deleted one by one. They are not to be played, even if they lead to a
    /// position of the book.
    pub barred: Vec<Move>,
}

/// The current value of a move with its provenance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct StoredValue {
    /// The value for the side that makes the move.
    pub score: Score,
    /// The kind of the value: exact or a bound.
    pub bound: Bound,
    /// The search depth in plies, 0 where it is not known.
    pub depth: u32,
    /// The number of nodes visited, 0 where it is not known.
    pub nodes: u64,
    /// The analyst, as an index into the analysts of the store.
    pub analyst: AnalystIndex,
    /// The way in which the value was obtained.
    pub source: Source,
    /// The time of the analysis in seconds since the start of 1970 (UTC); 0 if it is not known.
    pub when: u64,
    /// The sequence number of the evaluation in the log; for a mean, that of the newest one.
    pub sequence: u64,
    /// The number of evaluations behind the value: 1, except for a mean.
    pub evaluations: u16,
}

impl StoredRecord {
    /// The moves, each with its current value.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = (&RecordMove, Option<&StoredValue>)> {
        self.record.moves.iter().zip(self.values.iter().map(Option::as_ref))
    }

    /// The highest value of a move; `None` if no move has a value.
    pub(crate) fn best_score(&self) -> Option<Score> {
        self.values.iter().flatten().map(|value| value.score).max()
    }
}
