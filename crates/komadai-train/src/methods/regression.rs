//! Regression on the scores of searches.

use std::sync::Arc;

use komadai_core::SplitMix64;
use komadai_nnue::linear::{ActiveFeatures, FeatureGroups, LinearModel};

use crate::network::target::sigmoid;

use super::gradient::Adagrad;
use super::method::Method;
use super::records::LearningData;

/// The options of a [`Regression`].
#[derive(Debug, Clone, PartialEq)]
pub struct RegressionOptions {
    /// The score in centipawns whose expected result is 0.73.
    pub score_scale: f32,
    /// The first step of a weight in centipawns.
    pub rate: f32,
    /// The pull of weights to zero, as a gradient: a weight whose mean gradient is less stays zero.
    pub l1: f32,
}

impl Default for RegressionOptions {
    fn default() -> Self {
        Self { score_scale: 600.0, rate: 8.0, l1: 0.0 }
    }
}

/// Regression: the expected result of the value shall be that of the search's score.
///
/// With `p = σ(value / scale)` and `t = σ(score / scale)` it lowers the cross-entropy
/// `−t ln p − (1 − t) ln (1 − p)` on the quiet positions, one after another in random order.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use komadai_train::linear::FeatureGroups;
/// use komadai_train::methods::{LearningData, Method, Regression, RegressionOptions};
///
/// let data = Arc::new(LearningData::new());
/// let mut method = Regression::new(FeatureGroups::KP, data, RegressionOptions::default(), 1);
/// method.step();
/// assert_eq!(method.positions(), 0);
/// ```
#[derive(Debug)]
pub struct Regression {
    model: LinearModel,
    data: Arc<LearningData>,
    options: RegressionOptions,
    adagrad: Adagrad,
    random: SplitMix64,
    order: Vec<u32>,
    next: usize,
    positions: u64,
    active: ActiveFeatures,
}

/// The positions of a step.
const BLOCK: usize = 256;

impl Regression {
    /// Returns the method before its first position.
    pub fn new(
        groups: FeatureGroups,
        data: Arc<LearningData>,
        options: RegressionOptions,
        seed: u64,
    ) -> Self {
        let quiet = data.records.iter().enumerate().filter(|(_, record)| record.is_quiet);
        let order: Vec<u32> = quiet.map(|(index, _)| index as u32).collect();
        Self {
            model: LinearModel::new(groups),
            adagrad: Adagrad::new(groups.weights(), options.rate, options.l1),
            random: SplitMix64::new(SplitMix64::mix(seed)),
            next: order.len(),
            order,
            data,
            options,
            positions: 0,
            active: ActiveFeatures::default(),
        }
    }
}

/// The derivative of the cross-entropy by the logit: the predicted result less the target.
pub(crate) fn error(value: f32, score: f32, scale: f32) -> f32 {
    sigmoid(value / scale) - sigmoid(score / scale)
}

impl Method for Regression {
    fn step(&mut self) {
        for _ in 0..BLOCK.min(self.order.len()) {
            if self.next >= self.order.len() {
                self.random.shuffle(&mut self.order);
                self.next = 0;
            }
            let record = &self.data.records[self.order[self.next] as usize];
            self.next += 1;
            record.inputs.features(self.model.groups(), &mut self.active);
            let value = self.model.value(&record.inputs, &self.active);
            let error = error(value, record.score.into(), self.options.score_scale);
            self.adagrad.step_one(&mut self.model, &self.active, error);
            self.positions += 1;
        }
    }

    fn positions(&self) -> u64 {
        self.positions
    }

    fn model(&self) -> &LinearModel {
        &self.model
    }
}
