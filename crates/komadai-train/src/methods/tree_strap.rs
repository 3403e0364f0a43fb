//! TreeStrap and RootStrap: learning from the values inside one's own searches.

use std::fmt;

use komadai_core::{Analysis, Bound, Budget, Move, Position};
use komadai_nnue::linear::{
    ActiveFeatures, FeatureGroups, LinearEvaluator, LinearInputs, LinearModel,
};
use komadai_search::{AlphaBeta, NodeVisitor, SearchRequest, VisitedNode};

use crate::methods::games::{Games, Opponent};
use crate::methods::gradient::{Adagrad, SparseGradient};
use crate::methods::leaf_search::learning_search;
use crate::methods::method::Method;
use crate::network::target::sigmoid;

/// The nodes whose static values are changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StrapNodes {
    /// Every node with remaining depth (TreeStrap).
    Tree,
    /// The root (RootStrap).
    Root,
}

/// The options of a [`TreeStrap`].
#[derive(Debug, Clone, PartialEq)]
pub struct TreeStrapOptions {
    /// The nodes that are learned from.
    pub learned: StrapNodes,
    /// The nodes of a search.
    pub nodes: u64,
    /// The first step of a weight in centipawns.
    pub rate: f32,
    /// The value in centipawns whose expected result is 0.73. Errors of large values count less.
    pub score_scale: f32,
    /// The pull of weights to zero, as a gradient.
    pub l1: f32,
    /// True if nodes whose best move captures or promotes are ignored, which no sum of weights
    /// foresees.
    pub quiet: bool,
}

impl Default for TreeStrapOptions {
    fn default() -> Self {
        Self {
            learned: StrapNodes::Tree,
            nodes: 800,
            rate: 2.0,
            score_scale: 600.0,
            l1: 0.0,
            quiet: true,
        }
    }
}

/// TreeStrap(αβ) and RootStrap, in games of self-play.
///
/// After the search of each move, the static value `H` of a node with value bounds `a ≤ v ≤ b`
/// changes towards them: by [`tree_error`], times the derivative of the expected result
/// `σ(H / scale)`, so that decided positions count less. The mean over the nodes is one step. Nodes
/// in check and mate scores are ignored, and by default nodes whose best move captures or promotes.
///
/// Null moves, forward pruning and corrections of static values are off in these searches, and each
/// has empty tables, so that no value of other weights decides a node.
///
/// Source: J. Veness, D. Silver, W. Uther, A. Blair, "Bootstrapping from game tree search", NIPS 2009. There each move
/// of a game is followed by a step with one rate for all weights; here the rate is Adagrad's.
///
/// # Examples
///
/// See [`Method`].
pub struct TreeStrap {
    model: LinearModel,
    evaluator: LinearEvaluator,
    options: TreeStrapOptions,
    adagrad: Adagrad,
    gradient: SparseGradient,
    turns: Turns,
    active: ActiveFeatures,
    positions: u64,
    mean_error: f64,
}

/// The positions that are searched.
enum Turns {
    /// Those of games of self-play.
    Games(Box<Games>),
    /// These, over and over.
    Given(Vec<Position>, usize),
}

impl fmt::Debug for TreeStrap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { options, positions, .. } = self;
        f.debug_struct("TreeStrap")
            .field("options", options)
            .field("positions", positions)
            .finish_non_exhaustive()
    }
}

/// The visitor that sums up the errors of a search.
struct Errors<'a> {
    model: &'a LinearModel,
    gradient: &'a mut SparseGradient,
    active: &'a mut ActiveFeatures,
    scale: f32,
    learned: StrapNodes,
    quiet: bool,
    count: u64,
    /// The sum of absolute errors in centipawns.
    total: f64,
}

impl TreeStrap {
    /// Returns the method before its first search, in games of self-play.
    pub fn new(groups: FeatureGroups, options: TreeStrapOptions, seed: u64) -> Self {
        Self::with_turns(groups, options, Turns::Games(Box::new(Games::new(seed))))
    }

    /// Returns the method before its first search, which searches these positions over and over.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_train::linear::FeatureGroups;
    /// use komadai_train::methods::{Method as _, TreeStrap, TreeStrapOptions};
    ///
    /// let options = TreeStrapOptions { nodes: 300, ..TreeStrapOptions::default() };
    /// let mut method = TreeStrap::on_positions(FeatureGroups::P, options, vec![Position::hirate()]);
    /// (0..5).for_each(|_| method.step());
    /// assert!(method.positions() > 0 && method.mean_error().is_finite());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if there are no positions.
    pub fn on_positions(
        groups: FeatureGroups,
        options: TreeStrapOptions,
        positions: Vec<Position>,
    ) -> Self {
        assert!(!positions.is_empty(), "there are positions to search");
        Self::with_turns(groups, options, Turns::Given(positions, 0))
    }

    /// Learns in games against an opponent instead, from its own searches alone.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_movegen::MoveGen as _;
    /// use komadai_train::linear::FeatureGroups;
    /// use komadai_train::methods::{Method as _, OpponentAnswer, TreeStrap, TreeStrapOptions};
    ///
    /// let options = TreeStrapOptions { nodes: 100, ..TreeStrapOptions::default() };
    /// let mut method = TreeStrap::new(FeatureGroups::P, options, 1)
    ///     .against(Box::new(|position| OpponentAnswer::Move(position.legal_moves()[0])));
    /// (0..40).for_each(|_| method.step());
    /// assert!(method.positions() > 0);
    /// ```
    #[must_use]
    pub fn against(mut self, opponent: Opponent) -> Self {
        if let Turns::Games(games) = &mut self.turns {
            games.set_opponent(opponent);
        }
        self
    }

    fn with_turns(groups: FeatureGroups, options: TreeStrapOptions, turns: Turns) -> Self {
        let model = LinearModel::new(groups);
        Self {
            evaluator: LinearEvaluator::of(&model),
            adagrad: Adagrad::new(groups.weights(), options.rate, options.l1),
            gradient: SparseGradient::new(groups.weights()),
            model,
            options,
            turns,
            active: ActiveFeatures::default(),
            positions: 0,
            mean_error: 0.0,
        }
    }

    /// The mean absolute error of the static values in the last search, in centipawns.
    pub fn mean_error(&self) -> f64 {
        self.mean_error
    }

    /// Searches a position, and learns from the search.
    fn learn(&mut self) {
        let Self { model, evaluator, options, adagrad, gradient, turns, active, .. } = self;
        let position = turns.position();
        let mut errors = Errors {
            model,
            gradient,
            active,
            scale: options.score_scale,
            learned: options.learned,
            quiet: options.quiet,
            count: 0,
            total: 0.0,
        };
        let mut search = AlphaBeta::new(&*evaluator, learning_search());
        let budget = Budget::nodes(options.nodes);
        let found =
            search.search_visited(&SearchRequest::new(position, &budget), &mut errors, &mut |_| {});
        drop(search);
        if options.learned == StrapNodes::Root
            && let Some(score) = found.exact_score().and_then(|score| score.to_cp())
            && !position.in_check()
            && !(options.quiet && found.best_move().is_some_and(|m| is_tactical(position, m)))
        {
            errors.add(position, Bound::Exact, score as f32);
        }
        let (count, total) = (errors.count, errors.total);
        if count > 0 {
            let touched = adagrad.step_all(model, gradient, 1.0 / count as f32);
            evaluator.update(model, &touched);
            self.mean_error = total / count as f64;
        }
        self.positions += count;
        turns.next(&found);
    }
}

impl Turns {
    fn position(&self) -> &Position {
        match self {
            Self::Games(games) => games.position(),
            Self::Given(positions, next) => &positions[*next],
        }
    }

    fn next(&mut self, found: &Analysis) {
        match self {
            Self::Games(games) => {
                let score = found.score().map_or(0, |score| score.raw());
                games.play(found.best_move(), score);
            }
            Self::Given(positions, next) => *next = (*next + 1) % positions.len(),
        }
    }
}

impl Errors<'_> {
    fn add(&mut self, position: &Position, bound: Bound, score: f32) {
        let inputs = LinearInputs::of(position);
        inputs.features(self.model.groups(), self.active);
        let value = self.model.value(&inputs, self.active);
        let error = tree_error(bound, score, value);
        self.count += 1;
        self.total += f64::from(error.abs());
        if error != 0.0 {
            // A gradient points uphill in the loss, an error downhill.
            self.gradient.add(self.active, -error * slope(value, self.scale));
        }
    }

    fn visit(&mut self, node: &VisitedNode<'_>) {
        if self.learned == StrapNodes::Tree
            && !node.position().in_check()
            && !(self.quiet && node.best().is_some_and(|m| is_tactical(node.position(), m)))
            && let Some(score) = node.score().to_cp()
        {
            self.add(node.position(), node.bound(), score as f32);
        }
    }
}

/// Checks whether a move captures or promotes.
fn is_tactical(position: &Position, m: Move) -> bool {
    m.is_promotion() || position.piece_on(m.to()).is_some()
}

/// The derivative of the expected result by the logit, 1 at an even position.
pub(crate) fn slope(value: f32, scale: f32) -> f32 {
    let result = sigmoid(value / scale);
    4.0 * result * (1.0 - result)
}

impl NodeVisitor for Errors<'_> {
    fn root(&mut self, node: &VisitedNode<'_>) {
        self.visit(node);
    }

    fn inner(&mut self, node: &VisitedNode<'_>) {
        self.visit(node);
    }
}

impl Method for TreeStrap {
    fn step(&mut self) {
        self.learn();
    }

    fn positions(&self) -> u64 {
        self.positions
    }

    fn model(&self) -> &LinearModel {
        &self.model
    }
}

/// Returns the change that brings a static value to the result of a search, both for the side to
/// move.
///
/// A lower bound says something only if the static value is below it, an upper bound only if it is
/// above:
///
/// | bound of the search | static value | error |
/// |---|---|---|
/// | lower `a` | below `a` | `a − value` |
/// | lower `a` | `a` or more | 0 |
/// | upper `b` | above `b` | `b − value` |
/// | upper `b` | `b` or less | 0 |
/// | exact `v` | any | `v − value` |
///
/// # Examples
///
/// ```
/// use komadai_core::Bound;
/// use komadai_train::methods::tree_error;
///
/// assert_eq!(tree_error(Bound::Lower, 50.0, 20.0), 30.0);
/// assert_eq!(tree_error(Bound::Lower, 50.0, 80.0), 0.0);
/// ```
pub fn tree_error(bound: Bound, searched: f32, value: f32) -> f32 {
    match bound {
        Bound::Exact => searched - value,
        Bound::Lower => (searched - value).max(0.0),
        Bound::Upper => (searched - value).min(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_of_the_table() {
        let cases = [
            (Bound::Lower, 100.0, 40.0, 60.0),
            (Bound::Lower, 100.0, 100.0, 0.0),
            (Bound::Lower, 100.0, 140.0, 0.0),
            (Bound::Upper, -100.0, -40.0, -60.0),
            (Bound::Upper, -100.0, -100.0, 0.0),
            (Bound::Upper, -100.0, -140.0, 0.0),
            (Bound::Exact, 30.0, 10.0, 20.0),
            (Bound::Exact, 30.0, 50.0, -20.0),
            (Bound::Exact, 30.0, 30.0, 0.0),
        ];
        for (bound, searched, value, expected) in cases {
            assert_eq!(tree_error(bound, searched, value), expected, "{bound:?} {value}");
        }
    }
}
