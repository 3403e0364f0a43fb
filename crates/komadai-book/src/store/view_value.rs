//! Evaluations of a move as rows of the log state them.

use komadai_core::{Bound, Score};
use serde::{Deserialize, Serialize};

use super::codes::{bound_code, bound_of, source_of};
use crate::evaluation::AnalystIndex;
use crate::stored_record::StoredValue;

/// The value of a move in the view, with the provenance of the evaluation that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ViewValue {
    pub(crate) score: i32,
    pub(crate) bound: u8,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) analyst: u16,
    pub(crate) source: u8,
    pub(crate) when: u64,
    pub(crate) sequence: u64,
    pub(crate) evaluations: u16,
}

/// One evaluation of a move in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) value: ViewValue,
    pub(crate) answer: Option<u16>,
}

impl ViewValue {
    pub(crate) fn to_stored(self) -> Result<StoredValue, String> {
        Ok(StoredValue {
            score: Score::from_raw(self.score),
            bound: bound_of(self.bound)?,
            depth: self.depth,
            nodes: self.nodes,
            analyst: AnalystIndex(self.analyst),
            source: source_of(self.source)?,
            when: self.when,
            sequence: self.sequence,
            evaluations: self.evaluations,
        })
    }
}

impl Candidate {
    pub(crate) fn is_exact(&self) -> bool {
        self.value.bound == bound_code(Bound::Exact)
    }
}
