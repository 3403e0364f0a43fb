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
use super::piece_sum::PieceSum;
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
    /// The plies of all moves between a move and the quiescence search that finds its leaf: 0, or 1
    /// and 2 as in the source.
    pub depth: usize,
    /// The most other moves of a position that are searched and compared with the desired one; if
    /// there are more, as many of them by chance.
    pub siblings: usize,
    /// The root mean square of the first step of the piece values in centipawns.
    pub piece_rate: f32,
}

impl Default for BonanzaOptions {
    fn default() -> Self {
        Self {
            positions: 256,
            fits: 2,
            temperature: 60.0,
            window: 400,
            rate: 2.0,
            l1: 0.0,
            depth: 0,
            siblings: usize::MAX,
            piece_rate: 8.0,
        }
    }
}

/// The Bonanza method (MMTO): the values of the moves that were best in the records shall be higher
/// than those of the other moves.
///
/// The loss of a position with the desired move `d` is `Σ T(s(m) − s(d))` over the other moves `m`,
/// with `T` a sigmoid and `s` the value of the leaf that a search after the move finds: a quiescence
/// search, or one with [a ply or two](BonanzaOptions::depth) of all moves before it. The leaves are
/// searched anew in each round, and the weights are fitted to them several times.
///
/// Piece values are learned with the features [`V`](FeatureGroups::V), and their sum is held, which
/// sets the scale of all values; without these features they are fixed.
///
/// Source: K. Hoki, T. Kaneko, "Large-scale optimization for evaluation functions with minimax
/// search", JAIR 49, 2014. There each weight takes a step of the same size.
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
    piece_sum: PieceSum,
    random: SplitMix64,
    order: Vec<u32>,
    next: usize,
    round: Round,
    positions: u64,
}

/// A round: positions are searched, then the weights are fitted to their leaves several times.
#[derive(Debug, Default)]
struct Round {
    searched: usize,
    /// `[position]`.
    found: Vec<Vec<Rival>>,
    /// The batches that were fitted.
    fitted: usize,
}

/// The leaf after a move other than the desired one, as its difference from the leaf after that.
///
/// The loss depends on differences alone, and the leaves of one position share most of their pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rival {
    /// Centipawns for the side that chooses.
    material: i32,
    /// The features beyond those of the desired leaf, as that side sees them.
    features: ActiveFeatures,
}

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
            piece_sum: PieceSum::of(&model, options.piece_rate),
            random: SplitMix64::new(SplitMix64::mix(seed)),
            next: order.len(),
            round: Round::default(),
            model,
            order,
            data,
            options,
            positions: 0,
        }
    }

    /// Searches the leaves of the next position.
    fn search(&mut self) {
        if self.next >= self.order.len() {
            self.random.shuffle(&mut self.order);
            self.next = 0;
        }
        let record = &self.data.records[self.order[self.next] as usize];
        self.next += 1;
        self.round.searched += 1;
        let Some(desired) = record.best_move else { return };
        let position = record.position();
        let siblings = siblings(&position, desired, self.options.siblings, &mut self.random);
        let rivals = rivals(&self.evaluator, &position, desired, &siblings, &self.options);
        if !rivals.is_empty() {
            self.round.found.push(rivals);
        }
    }

    /// Takes a step down the loss of the next batch of positions.
    fn fit(&mut self) {
        let Self { model, gradient, options, round, .. } = self;
        let batches = round.found.len().div_ceil(BATCH);
        if round.fitted >= batches * options.fits {
            *round = Round::default();
            return;
        }
        let first = round.fitted % batches * BATCH;
        let batch = &round.found[first..round.found.len().min(first + BATCH)];
        let mut count = 0;
        for rivals in batch {
            loss(model, rivals, options.temperature, Some(gradient));
            count += rivals.len();
        }
        if round.fitted < batches {
            self.positions += batch.len() as u64;
        }
        round.fitted += 1;
        let scale = 1.0 / count.max(1) as f32;
        let pieces = model.groups().piece_values();
        let slopes: Vec<f64> =
            pieces.clone().map(|at| f64::from(scale * gradient.take(at))).collect();
        let mut touched = self.adagrad.step_all(model, gradient, scale);
        if !slopes.is_empty() {
            self.piece_sum.step(&mut model.weights_mut()[pieces.clone()], &slopes);
            touched.extend(pieces.map(|at| at as u32));
        }
        self.evaluator.update(model, &touched);
    }
}

/// Returns the legal moves other than the desired one: all in their order, or if there are more than
/// `most`, that many of them in a random order.
fn siblings(position: &Position, desired: Move, most: usize, random: &mut SplitMix64) -> Vec<Move> {
    let mut moves = position.legal_moves().to_vec();
    moves.retain(|m| *m != desired);
    if moves.len() > most {
        random.shuffle(&mut moves);
        moves.truncate(most);
    }
    moves
}

/// Returns the leaves of the siblings whose value is near that of the desired move; none if that is
/// a mate.
pub(crate) fn rivals(
    evaluator: &LinearEvaluator,
    position: &Position,
    desired: Move,
    siblings: &[Move],
    options: &BonanzaOptions,
) -> Vec<Rival> {
    let side = position.side();
    let groups = evaluator.groups();
    let mut search = LeafSearch::new(evaluator, position.clone(), options.depth);
    let best = search.value(desired, [-30_000, 30_000]);
    if best.abs() >= 30_000 {
        return Vec::new();
    }
    let base = search.leaf().inputs(side);
    let bounds = [best - options.window, best + options.window];
    let mut rivals = Vec::new();
    for m in siblings {
        let value = search.value(*m, bounds);
        if value > bounds[0] && value < bounds[1] {
            rivals.push(Rival::new(&search.leaf().inputs(side), &base, groups));
        }
    }
    rivals
}

/// Returns a position as one side sees it.
pub(crate) fn seen_by(side: Color, position: &Position) -> LinearInputs {
    let inputs = LinearInputs::of(position);
    if position.side() == side { inputs } else { inputs.flipped() }
}

impl Rival {
    pub(crate) fn new(leaf: &LinearInputs, base: &LinearInputs, groups: FeatureGroups) -> Self {
        let mut features = ActiveFeatures::default();
        leaf.features_beyond(base, groups, &mut features);
        Self { material: leaf.material() - base.material(), features }
    }

    /// The value in centipawns beyond that of the desired leaf.
    fn lead(&self, model: &LinearModel) -> f32 {
        self.material as f32 + model.sum(&self.features)
    }
}

/// Returns the loss of a position: the sum of the sigmoids of differences of values. Adds its
/// gradient.
pub(crate) fn loss(
    model: &LinearModel,
    rivals: &[Rival],
    temperature: f32,
    mut gradient: Option<&mut SparseGradient>,
) -> f64 {
    let mut sum = 0.0;
    for rival in rivals {
        let chance = sigmoid(rival.lead(model) / temperature);
        sum += f64::from(chance);
        if let Some(gradient) = &mut gradient {
            gradient.add(&rival.features, chance * (1.0 - chance) / temperature);
        }
    }
    sum
}

impl Method for Bonanza {
    fn step(&mut self) {
        if self.round.searched < self.options.positions.min(self.order.len()) {
            self.search();
        } else {
            self.fit();
        }
    }

    fn positions(&self) -> u64 {
        self.positions
    }

    fn model(&self) -> &LinearModel {
        &self.model
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::tests::planted::{planted_data, planted_model};

    #[test]
    fn a_step_is_one_search_or_one_batch() {
        let data = Arc::new(planted_data(&planted_model(), 2));
        let options = BonanzaOptions { positions: 80, ..BonanzaOptions::default() };
        let groups = FeatureGroups::P | FeatureGroups::KSS;
        let mut method = Bonanza::new(groups, data, options, 1);
        let mut rounds = 0;
        for _ in 0..300 {
            let (searched, positions) = (method.round.searched, method.positions);
            method.step();
            let round = &method.round;
            assert!(round.searched <= searched + 1 && round.found.len() <= 80);
            assert!(method.positions - positions <= BATCH as u64);
            assert!(round.searched > searched || round.fitted > 0 || round.found.is_empty());
            rounds += usize::from(round.searched < searched);
        }
        assert!(rounds >= 3 && method.positions > 100, "{rounds} {}", method.positions);
    }
}
