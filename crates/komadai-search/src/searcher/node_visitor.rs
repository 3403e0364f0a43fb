//! The trait of observers that see every node of a search.

use komadai_core::{Bound, Move, Position, Pv, Score};

use crate::scaled::Units;
use crate::value::{Value, Window};

/// An observer of a search, which is called with the result of each node.
///
/// For studies: training by the values inside the tree (TreeStrap), fits of shallow to deep values
/// (ProbCut), logs of the tree. [`AlphaBeta::search_visited`](crate::AlphaBeta::search_visited)
/// searches with a visitor. All methods do nothing by default.
///
/// Nodes that are decided without searching their moves have no call: by the transposition table,
/// by a rule of the game, by a static margin. The same position is visited again in each iteration,
/// and with other windows.
///
/// # Examples
///
/// ```
/// use komadai_core::{Bound, Budget, Position};
/// use komadai_eval::Material;
/// use komadai_search::{AlphaBeta, NodeVisitor, SearchOptions, SearchRequest, VisitedNode};
///
/// /// Counts the inner nodes with a beta cutoff.
/// #[derive(Default)]
/// struct Cutoffs {
///     nodes: u64,
///     cutoffs: u64,
/// }
///
/// impl NodeVisitor for Cutoffs {
///     fn inner(&mut self, node: &VisitedNode<'_>) {
///         self.nodes += 1;
///         self.cutoffs += u64::from(node.bound() == Bound::Lower);
///     }
/// }
///
/// let mut searcher = AlphaBeta::new(Material, SearchOptions::default());
/// let (position, budget) = (Position::hirate(), Budget::nodes(5_000));
/// let mut seen = Cutoffs::default();
/// let request = SearchRequest::new(&position, &budget);
/// searcher.search_visited(&request, &mut seen, &mut |_| {});
/// assert!(seen.cutoffs > 0 && seen.cutoffs < seen.nodes);
/// ```
pub trait NodeVisitor {
    /// Observes the root after a finished iteration: the best move and its exact value.
    fn root(&mut self, node: &VisitedNode<'_>) {
        let _ = node;
    }

    /// Observes a node with remaining depth after its moves have been searched.
    fn inner(&mut self, node: &VisitedNode<'_>) {
        let _ = node;
    }

    /// Observes a node without remaining depth after its quiescence search.
    ///
    /// The standard method calls it for every node of the quiescence search, the methods for
    /// studies for the first one.
    fn quiescence(&mut self, node: &VisitedNode<'_>) {
        let _ = node;
    }
}

/// The visitor of a search that nobody observes, which compiles to nothing.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NoVisitor;

impl NodeVisitor for NoVisitor {}

impl<V: NodeVisitor + ?Sized> NodeVisitor for &mut V {
    fn root(&mut self, node: &VisitedNode<'_>) {
        (**self).root(node);
    }

    fn inner(&mut self, node: &VisitedNode<'_>) {
        (**self).inner(node);
    }

    fn quiescence(&mut self, node: &VisitedNode<'_>) {
        (**self).quiescence(node);
    }
}

/// A node and the result of its search, as a [`NodeVisitor`] sees it.
///
/// Values are for the side to move at the node.
///
/// # Examples
///
/// ```
/// use komadai_core::{Bound, Budget, Position, Score};
/// use komadai_eval::Material;
/// use komadai_search::{AlphaBeta, NodeVisitor, SearchOptions, SearchRequest, VisitedNode};
///
/// /// Collects the exact values with the static evaluations, as a fit of an evaluation needs them.
/// #[derive(Default)]
/// struct Pairs(Vec<(Score, Score)>);
///
/// impl NodeVisitor for Pairs {
///     fn quiescence(&mut self, node: &VisitedNode<'_>) {
///         if let (Bound::Exact, Some(static_score)) = (node.bound(), node.static_score()) {
///             self.0.push((static_score, node.score()));
///         }
///     }
/// }
///
/// let mut searcher = AlphaBeta::new(Material, SearchOptions::default());
/// let mut pairs = Pairs::default();
/// let (position, budget) = (Position::hirate(), Budget::nodes(5_000));
/// let request = SearchRequest::new(&position, &budget);
/// searcher.search_visited(&request, &mut pairs, &mut |_| {});
/// assert!(!pairs.0.is_empty());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct VisitedNode<'a> {
    // Plain numbers, converted on request: without a visitor nothing of this is computed.
    pub(crate) position: &'a Position,
    pub(crate) units: Units,
    pub(crate) ply: usize,
    pub(crate) depth: i32,
    pub(crate) window: Window,
    pub(crate) value: Value,
    pub(crate) bound: Bound,
    pub(crate) best: Option<Move>,
    pub(crate) static_value: Option<Value>,
    pub(crate) line: Option<&'a Pv>,
}

impl<'a> VisitedNode<'a> {
    /// The position, with the moves that led to it.
    pub fn position(&self) -> &'a Position {
        self.position
    }

    /// The number of plies from the root.
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// The depth of the search in plies; 0 for quiescence.
    pub fn depth(&self) -> u32 {
        self.depth.max(0) as u32
    }

    /// The lower end of the search window. Mates in it are counted from the root.
    pub fn alpha(&self) -> Score {
        self.units.score(self.window.alpha)
    }

    /// The upper end of the search window. Mates in it are counted from the root.
    pub fn beta(&self) -> Score {
        self.units.score(self.window.beta)
    }

    /// The value that the search returns. Mates are counted from this position.
    pub fn score(&self) -> Score {
        self.units.score(self.value).to_ply(self.ply as u32)
    }

    /// The relation of the value to the true value.
    pub fn bound(&self) -> Bound {
        self.bound
    }

    /// The best move, or the one that refuted the line; `None` if no move raised alpha.
    pub fn best(&self) -> Option<Move> {
        self.best
    }

    /// The static evaluation with its correction; `None` in check and at the root.
    pub fn static_score(&self) -> Option<Score> {
        self.static_value.map(|value| self.units.score(value))
    }

    /// The line of best moves from here, empty unless the node is on a principal variation.
    pub fn line(&self) -> &'a [Move] {
        self.line.map_or(&[], |line| line)
    }
}
