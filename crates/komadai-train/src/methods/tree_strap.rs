//! TreeStrap and RootStrap: learning from the values inside one's own searches.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use komadai_core::{Analysis, Bound, Budget, Color, Move, Position, Score};
use komadai_nnue::linear::{
    ActiveFeatures, FeatureGroups, LinearEvaluator, LinearInputs, LinearModel,
};
use komadai_search::{AlphaBeta, NodeVisitor, SearchRequest, VisitedNode};

use crate::methods::bonanza::seen_by;
use crate::methods::games::{Games, Opponent};
use crate::methods::gradient::{Adagrad, SparseGradient};
use crate::methods::leaf_search::learning_search;
use crate::methods::method::Method;
use crate::methods::strap_errors::StrapErrors;
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
    /// The error in centipawns that moves a weight most: larger ones count less and less. Infinite
    /// for errors that count as they are.
    ///
    /// Large errors are captures that the search has seen, which no sum of weights foresees. With
    /// their whole size they hide what weights can learn.
    pub largest_influence: f32,
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
            largest_influence: 100.0,
        }
    }
}

/// TreeStrap(αβ) and RootStrap, in games of self-play.
///
/// After the search of each move, the static value `H` of a node with value bounds `a ≤ v ≤ b`
/// changes towards them: by [`tree_error`], times the derivative of the expected result
/// `σ(H / scale)`, so that decided positions count less. A position counts once, with its deepest
/// search, and the mean over all is one step. Nodes in check, mates and wins by a rule are
/// ignored, and by default nodes whose best move captures or promotes. [`errors`](Self::errors) says
/// which nodes teach.
///
/// Null moves, forward pruning and corrections of static values are off in these searches, and
/// each has an empty transposition table, so that no value of other weights decides a node. The
/// histories that order moves stay.
///
/// Source: J. Veness, D. Silver, W. Uther, A. Blair, "Bootstrapping from game tree search", NIPS 2009. There each move
/// of a game is followed by a step with one rate for all weights; here the rate is Adagrad's.
///
/// # Examples
///
/// See [`Method`].
pub struct TreeStrap {
    model: LinearModel,
    /// With the evaluation that is learned, or with that of a teacher.
    search: AlphaBeta<LinearEvaluator>,
    has_teacher: bool,
    options: TreeStrapOptions,
    adagrad: Adagrad,
    gradient: SparseGradient,
    turns: Turns,
    positions: u64,
    errors: StrapErrors,
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

/// The visitor that collects the nodes of a search.
struct Nodes<'a> {
    options: &'a TreeStrapOptions,
    side: Color,
    nodes: Vec<Node>,
    /// The places of positions in `nodes`.
    places: HashMap<u64, usize>,
}

/// A node with the result of its search.
struct Node {
    /// As the side to move at the root sees them.
    inputs: LinearInputs,
    /// 1 if that side is to move, otherwise -1.
    sign: f32,
    bound: Bound,
    /// Centipawns for the side to move.
    score: f32,
    depth: u32,
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

    /// Learns from the searches of another evaluation instead, and from its games with itself.
    ///
    /// A teacher with known weights shows what the rule of learning can find.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_train::linear::{FeatureGroups, LinearEvaluator, LinearModel};
    /// use komadai_train::methods::{Method as _, TreeStrap, TreeStrapOptions};
    ///
    /// let mut teacher = LinearModel::new(FeatureGroups::P);
    /// teacher.weights_mut().iter_mut().zip(0..).for_each(|(weight, n)| *weight = (n % 9) as f32);
    /// let options = TreeStrapOptions { nodes: 300, ..TreeStrapOptions::default() };
    /// let mut method = TreeStrap::new(FeatureGroups::KP, options, 1)
    ///     .taught_by(LinearEvaluator::of(&teacher));
    /// (0..5).for_each(|_| method.step());
    /// assert!(method.positions() > 0);
    /// ```
    #[must_use]
    pub fn taught_by(self, teacher: LinearEvaluator) -> Self {
        let search = AlphaBeta::new(teacher, learning_search());
        Self { search, has_teacher: true, ..self }
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
            search: AlphaBeta::new(LinearEvaluator::of(&model), learning_search()),
            has_teacher: false,
            adagrad: Adagrad::new(groups.weights(), options.rate, options.l1),
            gradient: SparseGradient::new(groups.weights()),
            model,
            options,
            turns,
            positions: 0,
            errors: StrapErrors::default(),
            mean_error: 0.0,
        }
    }

    /// The mean absolute error of the static values in the last search, in centipawns.
    pub fn mean_error(&self) -> f64 {
        self.mean_error
    }

    /// The errors of all searches by bound and depth.
    pub fn errors(&self) -> &StrapErrors {
        &self.errors
    }

    /// Searches a position, and learns from the search.
    fn learn(&mut self) {
        let Self { search, options, turns, .. } = self;
        let position = turns.position();
        let mut visitor = Nodes::of(options, position.side());
        let budget = Budget::nodes(options.nodes);
        let request = SearchRequest::new(position, &budget);
        let found = search.search_visited(&request, &mut visitor, &mut |_| {});
        if options.learned == StrapNodes::Root
            && let Some(score) = found.exact_score().and_then(undecided)
            && !position.in_check()
            && !(options.quiet && found.best_move().is_some_and(|m| is_tactical(position, m)))
        {
            visitor.add(position, Bound::Exact, score as f32, found.depth);
        }
        let nodes = visitor.nodes;
        let root = LinearInputs::of(position);
        if !nodes.is_empty() {
            self.step_towards(&root, &nodes);
        }
        self.positions += nodes.len() as u64;
        self.turns.next(&found);
    }

    /// Takes a step that brings the static values of nodes to the results of their searches.
    fn step_towards(&mut self, root: &LinearInputs, nodes: &[Node]) {
        let Self { model, search, options, adagrad, gradient, errors, .. } = self;
        let mut active = ActiveFeatures::default();
        root.features(model.groups(), &mut active);
        let at_root = model.value(root, &active);
        // The features of the root count for all nodes, and are added once.
        let (mut beyond, mut shared) = (ActiveFeatures::default(), 0.0);
        let mut total = 0.0;
        for Node { inputs, sign, bound, score, depth } in nodes {
            inputs.features_beyond(root, model.groups(), &mut beyond);
            let material = (inputs.material() - root.material()) as f32;
            let value = sign * (at_root + material + model.sum(&beyond));
            let error = tree_error(*bound, *score, value);
            errors.add(*bound, *depth, error);
            total += f64::from(error.abs());
            if error != 0.0 {
                // A gradient points uphill in the loss, an error downhill.
                let step = influence(error, options.largest_influence);
                let factor = -sign * step * slope(value, options.score_scale);
                gradient.add(&beyond, factor);
                shared += factor;
            }
        }
        gradient.add(&active, shared);
        let touched = adagrad.step_all(model, gradient, 1.0 / nodes.len() as f32);
        let is_own = !self.has_teacher;
        search.change_evaluator(|evaluator| {
            if is_own {
                evaluator.update(model, &touched);
            }
        });
        self.mean_error = total / nodes.len() as f64;
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

impl<'a> Nodes<'a> {
    fn of(options: &'a TreeStrapOptions, side: Color) -> Self {
        Self { options, side, nodes: Vec::new(), places: HashMap::new() }
    }

    fn add(&mut self, position: &Position, bound: Bound, score: f32, depth: u32) {
        match self.places.entry(position.key()) {
            Entry::Occupied(place) => {
                let node = &mut self.nodes[*place.get()];
                if depth >= node.depth {
                    (node.bound, node.score, node.depth) = (bound, score, depth);
                }
            }
            Entry::Vacant(place) => {
                place.insert(self.nodes.len());
                let sign = if position.side() == self.side { 1.0 } else { -1.0 };
                let inputs = seen_by(self.side, position);
                self.nodes.push(Node { inputs, sign, bound, score, depth });
            }
        }
    }

    fn visit(&mut self, node: &VisitedNode<'_>) {
        let TreeStrapOptions { learned, quiet, .. } = *self.options;
        if learned == StrapNodes::Tree
            && !node.position().in_check()
            && !(quiet && node.best().is_some_and(|m| is_tactical(node.position(), m)))
            && let Some(score) = undecided(node.score())
        {
            self.add(node.position(), node.bound(), score as f32, node.depth());
        }
    }
}

/// The largest score in centipawns that counts. Wins by a rule of the game have scores far above: a
/// single one makes all later steps of the weights in its position tiny, because Adagrad divides by
/// the sum of squares.
const MOST: i32 = 3_000;

/// Returns the centipawns of a score that is neither a mate nor a win by a rule.
fn undecided(score: Score) -> Option<i32> {
    score.to_cp().filter(|score| score.abs() <= MOST)
}

/// Returns the influence of an error on the weights: the error itself if it is small, at most half of
/// `largest`, and less and less for larger errors (the derivative of the Cauchy loss).
pub(crate) fn influence(error: f32, largest: f32) -> f32 {
    error / (1.0 + (error / largest).powi(2))
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

impl NodeVisitor for Nodes<'_> {
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
    fn large_errors_have_less_influence() {
        assert_eq!(influence(100.0, 100.0), 50.0);
        assert_eq!(influence(-100.0, 100.0), -50.0);
        assert!((influence(5.0, 100.0) - 5.0).abs() < 0.02);
        assert!(influence(2_000.0, 100.0) < 5.0);
        assert_eq!(influence(2_000.0, f32::INFINITY), 2_000.0);
        assert_eq!(undecided(Score::cp(-27_032)), None);
        assert_eq!(undecided(Score::mate_in(3)), None);
        assert_eq!(undecided(Score::cp(2_900)), Some(2_900));
    }

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
