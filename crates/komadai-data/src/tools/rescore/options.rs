//! The options of rescoring.

use std::num::NonZero;

use serde::Serialize;

use crate::tools::output::Existing;

/// The options of [`rescore`](super::rescore).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RescoreOptions {
    /// The evaluation, by name and hash, for the note of origin.
    pub evaluation: String,
    /// About the nodes per position: a search ends with the iteration that reaches them, or within
    /// one at [`HARD_FACTOR`](komadai_core::Budget::HARD_FACTOR) times as many. The first iteration
    /// is finished in any case.
    pub nodes: u64,
    /// Each position is replaced by the quiet one at the end of its quiescence search.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_quiet: bool,
    /// Size of the transposition table of a thread, in MiB.
    pub hash_mib: usize,
    /// Number of threads. It has no influence on the scores.
    #[serde(skip)]
    pub threads: NonZero<usize>,
    /// The treatment of an output that exists.
    #[serde(skip)]
    pub existing: Existing,
}

impl RescoreOptions {
    /// Returns 3,000 nodes per position to begin the last iteration within, 4 MiB and one thread.
    pub fn new(evaluation: impl Into<String>) -> Self {
        Self {
            evaluation: evaluation.into(),
            nodes: 3_000,
            is_quiet: false,
            hash_mib: 4,
            threads: NonZero::<usize>::MIN,
            existing: Existing::Refuse,
        }
    }
}
