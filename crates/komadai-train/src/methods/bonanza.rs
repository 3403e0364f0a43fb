//! The Bonanza method: moves of strong games are to have the highest values.

use std::sync::Arc;

use komadai_core::{Color, Move, Position, SplitMix64};
use komadai_movegen::MoveGen as _;
use komadai_nnue::linear::{
    ActiveFeatures, FeatureGroups, LinearEvaluator, LinearInputs, LinearModel,
};

use crate::network::target::sigmoid;

use super::gradient::{Adagrad, SparseGradient};
use super::leaf_search::LeafSearch;
use super::method::Method;
use super::records::LearningData;

/// The options of [`Bonanza`].
#[derive(Debug, Clone, PartialEq)]
pub struct BonanzaOptions {
    /// The positions whose leaves are searched in one round.
    pub positions: usize,
    /// The number of times that the weights are fitted to the leaves of a round.
    pub fits: usize,
    /// The difference of values in centipawns at which a move counts as better with 0.73.
    pub temperature: f32,
    /// The largest difference of values in centipawns that counts.
    pub window: i32,
    /// The first step of a weight in centipawns.
    pub rate: f32,
    /// The pull of weights to zero, as a gradient.
    pub l1: f32,
}

impl Default for BonanzaOptions {
    fn default() -> Self {
        Self { positions: 1_024, fits: 2, temperature: 60.0, window: 400, rate: 2.0, l1: 0.0 }
    }
}

/// The Bonanza method (MMTO): the values of the moves that were best in the records shall be higher
/// than those of the other moves.
///
/// The loss of a position with the desired move `d` is `Σ T(s(m) − s(d))` over the other moves `m`,
/// with `T` a sigmoid and `s` the value of the leaf that a quiescence search after the move finds.
/// The leaves are searched anew in each round, and the weights are fitted to them several times.
/// Piece values are fixed, so that nothing has to keep their sum.
///
/// Source: K. Hoki, T. Kaneko, "Large-scale optimization for evaluation functions with minimax
/// search", JAIR 49, 2014. There the leaves come from searches of one or two plies, and each weight
/// takes a step of the same size.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use komadai_train::linear::FeatureGroups;
/// use komadai_train::methods::{Bonanza, BonanzaOptions, LearningData, Method};
///
/// let data = Arc::new(LearningData::new());
/// let mut method = Bonanza::new(FeatureGroups::KP, data, BonanzaOptions::default(), 1);
/// method.step();
/// assert_eq!(method.positions(), 0);
/// ```
#[derive(Debug)]
pub struct Bonanza {
    model: LinearModel,
    evaluator: LinearEvaluator,
    data: Arc<LearningData>,
    options: BonanzaOptions,
    adagrad: Adagrad,
    gradient: SparseGradient,
    random: SplitMix64,
    order: Vec<u32>,
    next: usize,
    positions: u64,
}

/// The end of the line after a move.
#[derive(Debug, Clone)]
pub(crate) struct Leaf {
    inputs: LinearInputs,
    /// 1 if the side that chooses is to move at the leaf, otherwise -1.
    sign: f32,
}

/// The leaves of a position, that of the desired move first.
pub(crate) type Leaves = Vec<Leaf>;

/// The positions of a step.
const BATCH: usize = 32;

impl Bonanza {
    /// Returns the method before its first round.
    pub fn new(
        groups: FeatureGroups,
        data: Arc<LearningData>,
        options: BonanzaOptions,
        seed: u64,
    ) -> Self {
        let model = LinearModel::new(groups);
        let desired = data.records.iter().enumerate();
        let desired = desired.filter(|(_, record)| record.best_move.is_some());
        let order: Vec<u32> = desired.map(|(index, _)| index as u32).collect();
        Self {
            evaluator: LinearEvaluator::of(&model),
            adagrad: Adagrad::new(groups.weights(), options.rate, options.l1),
            gradient: SparseGradient::new(groups.weights()),
            random: SplitMix64::new(SplitMix64::mix(seed)),
            next: order.len(),
            model,
            order,
            data,
            options,
            positions: 0,
        }
    }

    /// Searches the leaves of the next positions.
    fn search(&mut self) -> Vec<Leaves> {
        let mut found = Vec::with_capacity(self.options.positions);
        for _ in 0..self.options.positions.min(self.order.len()) {
            if self.next >= self.order.len() {
                self.random.shuffle(&mut self.order);
                self.next = 0;
            }
            let record = &self.data.records[self.order[self.next] as usize];
            self.next += 1;
            let Some(desired) = record.best_move else { continue };
            let leaves = leaves(&self.evaluator, &record.position(), desired, self.options.window);
            if leaves.len() > 1 {
                found.push(leaves);
            }
        }
        found
    }

    /// Takes a step down the loss of some positions.
    fn fit(&mut self, batch: &[Leaves]) {
        let mut count = 0;
        for leaves in batch {
            let Self { model, gradient, options, .. } = self;
            loss(model, leaves, options.temperature, Some(gradient));
            count += leaves.len() - 1;
        }
        let scale = 1.0 / count.max(1) as f32;
        let touched = self.adagrad.step_all(&mut self.model, &mut self.gradient, scale);
        self.evaluator.update(&self.model, &touched);
    }
}

/// Returns the leaves of the desired move and of all moves whose value is near its value; none if
/// that is a mate.
fn leaves(evaluator: &LinearEvaluator, position: &Position, desired: Move, window: i32) -> Leaves {
    let side = position.side();
    let mut search = LeafSearch::new(evaluator, position.clone());
    let mut leaves = Vec::new();
    let best = search.value(desired, [-30_000, 30_000]);
    if best.abs() >= 30_000 {
        return leaves;
    }
    leaves.push(Leaf::of(&search.leaf(desired), side));
    let bounds = [best - window, best + window];
    for m in position.legal_moves() {
        if m != desired {
            let value = search.value(m, bounds);
            if value > bounds[0] && value < bounds[1] {
                leaves.push(Leaf::of(&search.leaf(m), side));
            }
        }
    }
    leaves
}

impl Leaf {
    pub(crate) fn of(position: &Position, side: Color) -> Self {
        let sign = if position.side() == side { 1.0 } else { -1.0 };
        Self { inputs: LinearInputs::of(position), sign }
    }
}

/// Returns the loss of a position: the sum of the sigmoids of differences of values. Adds its
/// gradient.
pub(crate) fn loss(
    model: &LinearModel,
    leaves: &[Leaf],
    temperature: f32,
    gradient: Option<&mut SparseGradient>,
) -> f64 {
    let mut active = ActiveFeatures::default();
    let mut values = leaves.iter().map(|leaf| {
        leaf.inputs.features(model.groups(), &mut active);
        leaf.sign * model.value(&leaf.inputs, &active)
    });
    let Some(desired) = values.next() else { return 0.0 };
    let chances: Vec<f32> = values.map(|value| sigmoid((value - desired) / temperature)).collect();
    if let Some(gradient) = gradient {
        let mut sum = 0.0;
        for (leaf, chance) in leaves[1..].iter().zip(&chances) {
            let slope = chance * (1.0 - chance) / temperature;
            sum += slope;
            leaf.inputs.features(model.groups(), &mut active);
            gradient.add(&active, leaf.sign * slope);
        }
        leaves[0].inputs.features(model.groups(), &mut active);
        gradient.add(&active, -leaves[0].sign * sum);
    }
    chances.iter().map(|chance| f64::from(*chance)).sum()
}

impl Method for Bonanza {
    fn step(&mut self) {
        let found = self.search();
        for _ in 0..self.options.fits {
            for batch in found.chunks(BATCH) {
                self.fit(batch);
            }
        }
        self.positions += found.len() as u64;
    }

    fn positions(&self) -> u64 {
        self.positions
    }

    fn model(&self) -> &LinearModel {
        &self.model
    }
}
