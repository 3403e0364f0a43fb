//! Serde support of tests: parameters are checked.

use super::{Sprt, SprtError};

/// The parameters of a test that is read.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Parameters {
    elo0: f64,
    elo1: f64,
    #[serde(default = "usual_error")]
    alpha: f64,
    #[serde(default = "usual_error")]
    beta: f64,
}

fn usual_error() -> f64 {
    0.05
}

impl TryFrom<Parameters> for Sprt {
    type Error = SprtError;

    fn try_from(read: Parameters) -> Result<Self, SprtError> {
        Self::new(read.elo0, read.elo1)?.with_errors(read.alpha, read.beta)
    }
}
