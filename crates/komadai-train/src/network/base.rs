//! The evaluations that networks correct.

use komadai_eval::{Classical, Evaluator, Material};
use komadai_nnue::CompactBase;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::sample::Sample;

/// The evaluation that a network corrects: the network learns the difference to the scores.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TrainingBase {
    /// The material balance.
    #[default]
    Material,
    /// The embedded evaluation. The network starts with all its knowledge, and costs its time
    /// besides.
    Classical,
}

impl TrainingBase {
    /// Computes the value of the base for all samples.
    pub(super) fn prepare(self, samples: &mut [Sample]) {
        match self {
            Self::Material => prepare(&Material, samples),
            Self::Classical => prepare(&Classical::default(), samples),
        }
    }
}

impl From<TrainingBase> for CompactBase {
    fn from(base: TrainingBase) -> Self {
        match base {
            TrainingBase::Material => Self::Material,
            TrainingBase::Classical => Self::Classical,
        }
    }
}

fn prepare<E: Evaluator>(evaluator: &E, samples: &mut [Sample]) {
    samples.par_iter_mut().for_each(|sample| {
        let value = evaluator.evaluate_position(&sample.position()).raw();
        sample.set_base(value.clamp(i16::MIN.into(), i16::MAX.into()) as i16);
    });
}
