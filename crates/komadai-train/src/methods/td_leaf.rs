//! TD-Leaf(λ): learning from the course of games.

use std::fmt;

use komadai_core::{Analysis, Budget, Color, Position};
use komadai_nnue::linear::{
    ActiveFeatures, FeatureGroups, LinearEvaluator, LinearInputs, LinearModel,
};
use komadai_search::{AlphaBeta, Searcher as _};

use crate::methods::games::{Games, Opponent};
use crate::methods::gradient::{Adagrad, SparseGradient};
use crate::methods::leaf_search::learning_search;
use crate::methods::method::Method;
use crate::network::target::sigmoid;

/// The options of [`TdLeaf`].
#[derive(Debug, Clone, PartialEq)]
pub struct TdLeafOptions {
    /// The nodes of a search.
    pub nodes: u64,
    /// The share of a difference that reaches the position one ply before.
    pub lambda: f32,
    /// The first step of a weight in centipawns.
    pub rate: f32,
    /// The value in centipawns whose expected result is 0.73.
    pub score_scale: f32,
}

impl Default for TdLeafOptions {
    fn default() -> Self {
        Self { nodes: 400, lambda: 0.7, rate: 6.0, score_scale: 600.0 }
    }
}

/// TD-Leaf(λ), in games of self-play.
///
/// After each game the expected result at the leaf of each principal variation changes towards
/// those of the plies after it, and at the end to the result: by `Σ λ^(j − t) (p[j + 1] − p[j])`.
///
/// Source: J. Baxter, A. Tridgell, L. Weaver, "Learning to play chess using temporal differences",
/// Machine Learning 40, 2000.
///
/// # Examples
///
/// ```
/// use komadai_train::linear::FeatureGroups;
/// use komadai_train::methods::{Method, TdLeaf, TdLeafOptions};
///
/// let options = TdLeafOptions { nodes: 20, ..TdLeafOptions::default() };
/// let mut method = TdLeaf::new(FeatureGroups::P, options, 1);
/// // A step is a move; at the end of a game comes what it teaches.
/// while method.positions() == 0 {
///     method.step();
/// }
/// assert!(method.positions() <= 320, "longer games are draws");
/// ```
pub struct TdLeaf {
    model: LinearModel,
    search: AlphaBeta<LinearEvaluator>,
    /// Those of the running game.
    leaves: Vec<GameLeaf>,
    options: TdLeafOptions,
    adagrad: Adagrad,
    gradient: SparseGradient,
    games: Games,
    positions: u64,
}

impl fmt::Debug for TdLeaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { options, positions, .. } = self;
        f.debug_struct("TdLeaf")
            .field("options", options)
            .field("positions", positions)
            .finish_non_exhaustive()
    }
}

/// The leaf of a search in a game.
struct GameLeaf {
    inputs: LinearInputs,
    /// 1 if Black is to move at the leaf, otherwise -1.
    sign: f32,
}

impl TdLeaf {
    /// Returns the method before its first game.
    pub fn new(groups: FeatureGroups, options: TdLeafOptions, seed: u64) -> Self {
        let model = LinearModel::new(groups);
        Self {
            search: AlphaBeta::new(LinearEvaluator::of(&model), learning_search()),
            leaves: Vec::new(),
            adagrad: Adagrad::new(groups.weights(), options.rate, 0.0),
            gradient: SparseGradient::new(groups.weights()),
            model,
            options,
            games: Games::new(seed),
            positions: 0,
        }
    }

    /// Learns in games against an opponent instead, from its own searches alone.
    ///
    /// # Examples
    ///
    /// See [`TreeStrap::against`](super::TreeStrap::against).
    #[must_use]
    pub fn against(mut self, opponent: Opponent) -> Self {
        self.games.set_opponent(opponent);
        self
    }

    /// Plays a move; returns the result for Black if the game is over.
    fn play(&mut self) -> Option<f32> {
        let position = self.games.position();
        let found = self.search.search(position, &Budget::nodes(self.options.nodes), &mut |_| {});
        self.leaves.extend(leaf(position, &found));
        let score = found.score().map_or(0, |score| score.raw());
        let winner = self.games.play(found.best_move(), score)?;
        Some(winner.map_or(0.5, |winner| f32::from(winner == Color::Black)))
    }

    /// Learns from the game that is over.
    fn learn(&mut self, result: f32) {
        let Self { model, gradient, options, leaves, .. } = self;
        let mut active = ActiveFeatures::default();
        let expected = |leaf: &GameLeaf| {
            leaf.inputs.features(model.groups(), &mut active);
            sigmoid(leaf.sign * model.value(&leaf.inputs, &active) / options.score_scale)
        };
        let expected: Vec<f32> = leaves.iter().map(expected).collect();
        let errors = temporal_differences(&expected, result, options.lambda);
        for ((leaf, expected), error) in leaves.iter().zip(&expected).zip(errors) {
            leaf.inputs.features(model.groups(), &mut active);
            let slope = 4.0 * expected * (1.0 - expected);
            gradient.add(&active, -leaf.sign * error * slope);
        }
        let scale = 1.0 / leaves.len().max(1) as f32;
        let touched = self.adagrad.step_all(model, gradient, scale);
        self.search.change_evaluator(|evaluator| evaluator.update(model, &touched));
        self.positions += self.leaves.len() as u64;
        self.leaves.clear();
    }
}

/// Returns the leaf of a search; `None` for a mate.
fn leaf(position: &Position, found: &Analysis) -> Option<GameLeaf> {
    let line = found.lines.first().filter(|line| !line.score.is_mate())?;
    let mut leaf = position.clone();
    for m in line.pv.iter() {
        leaf.do_move(*m);
    }
    let sign = if leaf.side() == Color::Black { 1.0 } else { -1.0 };
    Some(GameLeaf { inputs: LinearInputs::of(&leaf), sign })
}

impl Method for TdLeaf {
    fn step(&mut self) {
        if let Some(result) = self.play() {
            self.learn(result);
        }
    }

    fn positions(&self) -> u64 {
        self.positions
    }

    fn model(&self) -> &LinearModel {
        &self.model
    }
}

/// Returns for each expected result `p[t]` the change `Σ λ^(j − t) (p[j + 1] − p[j])` over `j ≥ t`,
/// where `result` comes after the last one.
///
/// With λ = 1 it is `result − p[t]`, with λ = 0 the next difference.
///
/// # Examples
///
/// ```
/// use komadai_train::methods::temporal_differences;
///
/// assert_eq!(temporal_differences(&[0.5, 0.75], 1.0, 1.0), [0.5, 0.25]);
/// assert_eq!(temporal_differences(&[0.5, 0.75], 1.0, 0.0), [0.25, 0.25]);
/// ```
pub fn temporal_differences(expected: &[f32], result: f32, lambda: f32) -> Vec<f32> {
    let mut errors = vec![0.0; expected.len()];
    let (mut after, mut sum) = (result, 0.0);
    for (error, now) in errors.iter_mut().zip(expected).rev() {
        sum = lambda * sum + (after - now);
        (*error, after) = (sum, *now);
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_a_move() {
        let options = TdLeafOptions { nodes: 20, ..TdLeafOptions::default() };
        let mut method = TdLeaf::new(FeatureGroups::P, options, 1);
        let mut games = 0;
        for _ in 0..1_000 {
            let (leaves, positions) = (method.leaves.len(), method.positions);
            let ply = method.games.position().ply();
            method.step();
            if method.positions > positions {
                games += 1;
                assert!(method.positions - positions <= leaves as u64 + 1);
                assert!(method.leaves.is_empty());
            } else {
                assert!(method.leaves.len() <= leaves + 1);
                assert_eq!(method.games.position().ply(), ply + 1);
            }
        }
        assert!(games > 1, "{games}");
    }
}
