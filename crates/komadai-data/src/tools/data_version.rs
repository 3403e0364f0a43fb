//! The program that made scores.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::dataset::Run;

/// The program that made scores. Scores of different versions may have different scales.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataVersion {
    /// The version of komadai.
    pub version: String,
    /// The number of nodes of the bench of its search, which changes with every change of the
    /// search.
    pub signature: u64,
    /// The evaluation, by name and hash.
    pub evaluation: String,
}

impl DataVersion {
    /// Returns the version of a run.
    pub(super) fn of(run: &Run) -> Self {
        let Run { version, signature, evaluation, .. } = run.clone();
        Self { version, signature, evaluation }
    }
}

/// The version, the evaluation and the signature.
impl fmt::Display for DataVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, signature, evaluation } = self;
        write!(f, "komadai {version} with evaluation {evaluation} and signature {signature}")
    }
}
