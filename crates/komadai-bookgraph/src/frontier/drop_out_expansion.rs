//! Drop-out expansion: the walk that extends the cheapest line next.

use std::collections::BTreeMap;

use komadai_core::Color;
use rayon::prelude::*;

use super::choices::{Choices, Followed, Plan, State};
use super::cuts::MoveCuts;
use super::frontier_set::{EdgeOut, FrontierSet, Insertion, Label};
use super::options::{BookSides, FrontierOptions, Limits, Window};
use super::selected::Frontier;
use crate::graph::BookGraph;

/// The price of a centipawn that a line gives away, in thousandths of a ply.
///
/// The price of a line is its length in plies plus this times the sum of the drops of its moves.
/// The drop of a move is its distance from the best one, in centipawns. Prices are integers, so
/// they are exact and do not depend on the order of additions.
///
/// # Examples
///
/// ```
/// use komadai_bookgraph::frontier::Alpha;
///
/// // By default a drop of 20 centipawns costs as much as a ply.
/// assert_eq!(Alpha::per_mille(50), Alpha::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Alpha(u32);

impl Alpha {
    /// Creates the price of `thousandths` of a ply per centipawn.
    pub const fn per_mille(thousandths: u32) -> Self {
        Self(thousandths)
    }

    fn price(self, plies: u32, drops_cp: u32) -> u64 {
        u64::from(plies) * PLY + u64::from(self.0) * u64::from(drops_cp)
    }
}

impl Default for Alpha {
    fn default() -> Self {
        Self(50)
    }
}

/// The price of a ply, in thousandths of a ply.
const PLY: u64 = 1_000;

impl BookGraph {
    /// Selects the frontier, shortest lines first.
    ///
    /// A state of the walk is a position with the side to move in the real game. Each state is
    /// visited once. A root that the book does not contain is its own frontier. Takes O(E) time for
    /// E moves followed.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_bookgraph::BookGraph;
    /// use komadai_bookgraph::frontier::{FrontierOptions, Window};
    /// use komadai_core::{Color, Position};
    /// use komadai_bookfile::Tolerance;
    ///
    /// let text = "#YANEURAOU-DB2016 1.00\n\
    ///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
    ///     2g2f none 40 1\n\
    ///     7g7f none 20 1\n";
    /// let values = BookGraph::from_db(text.as_bytes(), Tolerance::Strict)?;
    /// let size = |side| {
    ///     let options = FrontierOptions::new(Position::hirate(), side, Window::Best);
    ///     values.frontier(&options).len()
    /// };
    /// assert_eq!((size(Color::Black), size(Color::White)), (1, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frontier(&self, options: &FrontierOptions) -> Frontier {
        let mut set = FrontierSet::new(self, options);
        let visited = walk_all(&mut set, Alpha(0), |_, _, _| {});
        Frontier::new(set, visited, &[], &[])
    }

    /// Selects the same positions as [`frontier`](Self::frontier), those with the cheapest lines
    /// first.
    ///
    /// This is drop-out expansion: the price of a line is its length plus `alpha` times the value
    /// that its moves give away. The own side follows best moves and gives away nothing. The price
    /// of a position is that of its cheapest line. Each of two sides has its own prices; the lower
    /// one counts. Takes O(E log P) time for E moves followed and P different prices.
    ///
    /// Source: T. R. Lincke, "Strategies for the automatic construction of opening books",
    /// Computers and Games 2000, LNCS 2063. Lincke expands each leaf as it is chosen; here values
    /// have been propagated before, and all leaves are returned in order.
    pub fn frontier_by_price(&self, options: &FrontierOptions, alpha: Alpha) -> Frontier {
        let mut set = FrontierSet::new(self, options);
        let visited = walk_all(&mut set, alpha, |_, _, _| {});
        let price = |plies, drops_cp| alpha.price(plies, drops_cp) as f64 / PLY as f64;
        let prices: Vec<f64> =
            set.entries.iter().map(|entry| price(entry.plies, entry.drops_cp)).collect();
        Frontier::new(set, visited, &prices, &[])
    }
}

/// Walks for every side from all roots, and returns the number of states visited.
///
/// Calls `visit` for each state with the limits of its lines, and once more if a line with a
/// smaller move number continues from it.
pub(super) fn walk_all(
    set: &mut FrontierSet<'_>,
    alpha: Alpha,
    mut visit: impl FnMut(&Label, BookSides, &Limits),
) -> usize {
    set.insert_roots();
    let options = set.options;
    // In a free window the walks of both sides are the same, so one walk counts for both.
    let (colors, label) = match options.window {
        Window::Free => (&[Color::Black][..], Some(options.sides)),
        Window::Best | Window::Root => (options.sides.colors(), None),
    };
    let plans = Plan::all(set.graph, options, colors);
    let walk_one = |plan: Plan| {
        let sides = label.unwrap_or(plan.own.into());
        Walk::new(set, sides, alpha, plan.limits).go(&plan, &mut visit)
    };
    plans.into_iter().map(walk_one).sum()
}

/// The most states that are expanded at a time, which bounds the memory for their moves.
const BLOCK: usize = 1 << 15;

/// The smallest number of states that is expanded on several cores. For fewer of them, starting the
/// work on other cores takes longer than the work.
const FEW: usize = 128;

/// A move that is followed.
struct FollowedEdge {
    followed: Followed,
    /// The Zobrist key of the position after a move out of the book, in the orientation with White
    /// to move; 0 for moves within the book.
    key: u64,
}

/// The moves that are followed from a state, and the numbers of those that are not.
fn followed_edges(
    graph: &BookGraph,
    choices: &Choices<'_>,
    state: State,
) -> (Vec<FollowedEdge>, MoveCuts) {
    let mut position = None;
    let (moves, cuts) = choices.of(state);
    let moves = moves.into_iter().map(|followed| {
        // Only moves out of the book need a key, so for most states no position is made.
        let key = match followed.ranked.to {
            Some(_) => 0,
            None => position
                .get_or_insert_with(|| graph.black_to_move(state.node))
                .key_after(followed.ranked.m),
        };
        FollowedEdge { followed, key }
    });
    (moves.collect(), cuts)
}

/// A walk along the lines of one plan, the cheapest first (Dijkstra's algorithm).
struct Walk<'w, 'a> {
    set: &'w mut FrontierSet<'a>,
    sides: BookSides,
    alpha: Alpha,
    limits: Limits,
    /// Lines to be extended, by price. Lines of equal price leave in the order in which they came.
    waiting: BTreeMap<u64, Vec<Label>>,
    visited: Visited,
    /// Per node and side, whether the moves of the state have been followed.
    expanded: Vec<[bool; 2]>,
}

/// Per node and side, the smallest move number with which the state was visited; 0 if it was not.
///
/// A dearer line may reach a state with a smaller move number than the cheapest line. It can then
/// continue where the limit of move numbers cuts the cheapest line off.
struct Visited {
    plies: Vec<[u32; 2]>,
    has_limit: bool,
}

impl Visited {
    /// Returns whether a line may reach positions that the earlier lines through this state did
    /// not.
    fn is_new(&self, state: State, ply: u32) -> bool {
        let before = self.plies[state.node as usize][state.side];
        before == 0 || (self.has_limit && ply < before)
    }

    /// Marks a state as visited. Returns whether it was not visited before.
    fn visit(&mut self, state: State, ply: u32) -> bool {
        std::mem::replace(&mut self.plies[state.node as usize][state.side], ply) == 0
    }

    /// The number of states from which no line continues because of the limit of move numbers.
    fn at_limit(&self, limits: &Limits) -> usize {
        if !self.has_limit {
            return 0;
        }
        let is_last = |ply: u32| ply > 0 && !limits.is_within(ply + 1);
        self.plies.iter().flatten().filter(|&&ply| is_last(ply)).count()
    }
}

impl<'w, 'a> Walk<'w, 'a> {
    fn new(set: &'w mut FrontierSet<'a>, sides: BookSides, alpha: Alpha, limits: Limits) -> Self {
        let nodes = set.graph.nodes();
        let visited = Visited { plies: vec![[0; 2]; nodes], has_limit: limits.max_ply.is_some() };
        let expanded = vec![[false; 2]; nodes];
        Self { set, sides, alpha, limits, waiting: BTreeMap::new(), visited, expanded }
    }

    fn go(mut self, plan: &Plan, visit: &mut impl FnMut(&Label, BookSides, &Limits)) -> usize {
        let choices = Choices::new(self.set.graph, self.set.options, plan);
        for &(number, state) in &plan.roots {
            let ply = self.set.options.roots[number as usize].ply();
            let line_end = self.set.line_tree.push_root(number);
            if self.limits.is_within(ply) {
                let label = Label { state, line_end, plies: 0, drops_cp: 0, ply };
                self.waiting.entry(0).or_default().push(label);
            } else {
                self.set.cuts.at_max_ply += 1;
            }
        }
        let mut visited = 0;
        while let Some((_, mut labels)) = self.waiting.pop_first() {
            labels.retain(|label| {
                let is_new = self.visited.is_new(label.state, label.ply);
                if is_new {
                    visited += usize::from(self.visited.visit(label.state, label.ply));
                    visit(label, self.sides, &self.limits);
                }
                // No move leads beyond the limit of move numbers.
                is_new && self.limits.is_within(label.ply + 1)
            });
            labels.chunks(BLOCK).for_each(|labels| self.expand(labels, &choices));
        }
        self.set.cuts.at_max_ply += self.visited.at_limit(&self.limits);
        visited
    }

    /// Follows the moves of some states. The moves of each state are found on all cores; their
    /// order does not depend on that.
    fn expand(&mut self, labels: &[Label], choices: &Choices<'_>) {
        let graph = self.set.graph;
        let edges_of = |label: &Label| followed_edges(graph, choices, label.state);
        let all: Vec<_> = if labels.len() < FEW {
            labels.iter().map(edges_of).collect()
        } else {
            labels.par_iter().map(edges_of).collect()
        };
        for (label, (moves, cuts)) in labels.iter().zip(all) {
            let State { node, side } = label.state;
            if !std::mem::replace(&mut self.expanded[node as usize][side], true) {
                self.set.cuts.add_moves(cuts);
            }
            let is_best_only = choices.is_best_only(label.state);
            for FollowedEdge { followed, key } in moves {
                match followed.ranked.to {
                    Some(node) => self.follow(label, &followed, node),
                    None => self.leave(label, key, EdgeOut::by(&followed, is_best_only)),
                }
            }
        }
    }

    fn leave(&mut self, from: &Label, key: u64, edge: EdgeOut) {
        if let Insertion::Known(entry) = self.set.insert(key, self.sides, from, edge) {
            self.offer(entry, from, edge);
        }
    }

    fn follow(&mut self, from: &Label, followed: &Followed, node: u32) {
        let state = State { node, side: !from.state.side };
        let ply = from.ply + 1;
        if self.visited.is_new(state, ply) {
            let (plies, drops_cp) = from.and(followed.drop_cp);
            let line_end =
                self.set.line_tree.push_move(from.line_end, from.state.side, followed.ranked.m);
            let label = Label { state, line_end, plies, drops_cp, ply };
            let price = self.alpha.price(plies, drops_cp);
            self.waiting.entry(price).or_default().push(label);
        }
    }

    /// Replaces the line to a frontier position if the new one is cheaper.
    fn offer(&mut self, entry: u32, from: &Label, edge: EdgeOut) {
        let (plies, drops_cp) = from.and(edge.drop_cp);
        let known = &self.set.entries[entry as usize];
        if self.alpha.price(plies, drops_cp) < self.alpha.price(known.plies, known.drops_cp) {
            self.set.replace(entry, from, edge);
        }
    }
}
