//! The walk that takes the cheapest line next.

use std::collections::BTreeMap;

use komadai_core::Color;
use rayon::prelude::*;

use super::choices::{Choices, Followed, Plan, State};
use super::frontier_set::{Label, Leaving, Met, Outside};
use super::options::{BookSides, FrontierOptions, Window};
use super::selected::{Frontier, Sorted};
use crate::graph::BookGraph;

/// What a centipawn that a line gives away costs, in plies.
///
/// The price of a line is its length in plies plus this times the sum of how much worse than the best its
/// moves are. It is counted in thousandths, so that prices are exact and do not depend on the order of
/// additions.
///
/// # Examples
///
/// ```
/// use komadai_bookgraph::frontier::Alpha;
///
/// // A drop of 20 centipawns costs as much as a ply, which is what is taken unless one says otherwise.
/// assert_eq!(Alpha::per_mille(50), Alpha::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Alpha(u32);

impl Alpha {
    /// So many thousandths of a ply a centipawn.
    #[must_use]
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

/// What a ply costs.
const PLY: u64 = 1_000;

impl BookGraph {
    /// Selects the frontier, shortest lines first.
    ///
    /// A state of the walk is a position with the side that is really to move, and is visited once. A root
    /// that the book does not hold is its own frontier. Takes O(E) time for E moves followed.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_bookgraph::BookGraph;
    /// use komadai_bookgraph::frontier::{FrontierOptions, Window};
    /// use komadai_core::{Color, Position};
    /// use komadai_kifu::Tolerance;
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
    #[must_use]
    pub fn frontier(&self, options: &FrontierOptions) -> Frontier {
        let mut outside = Outside::new(self, options);
        let visited = walk_all(&mut outside, Alpha(0), |_, _| {});
        Frontier::new(outside, visited, Sorted::Length)
    }

    /// Selects the same positions as [`frontier`](Self::frontier), those with the cheapest lines first.
    ///
    /// This is drop-out expansion: the price of a line is its length plus `alpha` times the value that its
    /// moves give away, and the own side, which follows best moves, gives away nothing. A position has the
    /// price of its cheapest line, which no longer or dearer line to it changes. Each of two sides has
    /// prices of its own; the lower one counts. Takes O(E log P) time for E moves followed and P different
    /// prices.
    ///
    /// Source: T. R. Lincke, "Strategies for the automatic construction of opening books", Computers and
    /// Games 2000, LNCS 2063. There a leaf is expanded as it is chosen; here values have been propagated, and
    /// all leaves are wanted in order.
    #[must_use]
    pub fn frontier_by_price(&self, options: &FrontierOptions, alpha: Alpha) -> Frontier {
        let mut outside = Outside::new(self, options);
        let visited = walk_all(&mut outside, alpha, |_, _| {});
        let price = |plies, drops_cp| alpha.price(plies, drops_cp) as f64 / PLY as f64;
        let prices = outside.exits.iter().map(|exit| price(exit.plies, exit.drops_cp)).collect();
        Frontier::new(outside, visited, Sorted::Price(prices))
    }
}

/// Walks for every side from all roots, and returns the number of states visited. `visit` hears of each, and again
/// when a line with a smaller move number goes on from it.
pub(super) fn walk_all(
    outside: &mut Outside<'_>,
    alpha: Alpha,
    mut visit: impl FnMut(&Label, BookSides),
) -> usize {
    outside.meet_roots();
    let options = outside.options;
    // Without an own side, both sides' walks are the same.
    let (colors, label) = match options.window {
        Window::Free => (&[Color::Black][..], Some(options.sides)),
        Window::Best | Window::Root => (options.sides.colors(), None),
    };
    let plans = Plan::all(outside.graph, options, colors);
    let walk_one = |plan: Plan| {
        let sides = label.unwrap_or(plan.own.into());
        Walk::new(outside, sides, alpha).go(&plan, &mut visit)
    };
    plans.into_iter().map(walk_one).sum()
}

/// States that are looked at together.
const BLOCK: usize = 1 << 15;

/// So few states are looked at sooner than other cores are told to help.
const FEW: usize = 128;

/// A move that is followed.
struct Onward {
    followed: Followed,
    /// If it leaves the book, the key of the position there, in the orientation with White to move.
    key: u64,
}

/// The moves that are followed from a state.
fn onward(graph: &BookGraph, choices: &Choices<'_>, state: State) -> Vec<Onward> {
    let mut position = None;
    let moves = choices.of(state).into_iter().map(|followed| {
        let key = match followed.ranked.to {
            Some(_) => 0,
            None => position
                .get_or_insert_with(|| graph.black_to_move(state.node))
                .key_after(followed.ranked.m),
        };
        Onward { followed, key }
    });
    moves.collect()
}

/// Lines that are followed by one rule, the cheapest first.
struct Walk<'w, 'a> {
    outside: &'w mut Outside<'a>,
    sides: BookSides,
    alpha: Alpha,
    waiting: Waiting,
    visited: Visited,
}

/// Lines to be continued, by price; of equal ones the first to come is the first to go.
#[derive(Default)]
struct Waiting(BTreeMap<u64, Vec<Label>>);

impl Waiting {
    fn push(&mut self, price: u64, label: Label) {
        self.0.entry(price).or_default().push(label);
    }

    fn pop(&mut self) -> Option<Vec<Label>> {
        self.0.pop_first().map(|(_, labels)| labels)
    }
}

/// Per node and side the smallest move number with which it was visited, 0 if it was not.
///
/// A dearer line may come sooner than the cheapest, and go on where that one is cut off by the limit of
/// move numbers.
struct Visited {
    plies: Vec<[u32; 2]>,
    has_limit: bool,
}

impl Visited {
    /// Whether a line may lead where the lines so far did not.
    fn is_new(&self, state: State, ply: u32) -> bool {
        let before = self.plies[state.node as usize][state.side];
        before == 0 || (self.has_limit && ply < before)
    }

    /// Marks a state as visited, and returns whether that is the first time.
    fn visit(&mut self, state: State, ply: u32) -> bool {
        std::mem::replace(&mut self.plies[state.node as usize][state.side], ply) == 0
    }
}

impl<'w, 'a> Walk<'w, 'a> {
    fn new(outside: &'w mut Outside<'a>, sides: BookSides, alpha: Alpha) -> Self {
        let visited = Visited {
            plies: vec![[0; 2]; outside.graph.nodes()],
            has_limit: outside.options.max_ply.is_some(),
        };
        Self { outside, sides, alpha, waiting: Waiting::default(), visited }
    }

    fn go(mut self, plan: &Plan, visit: &mut impl FnMut(&Label, BookSides)) -> usize {
        let choices = Choices::new(self.outside.graph, self.outside.options, plan);
        for &(number, state) in &plan.roots {
            let ply = self.outside.options.roots[number as usize].ply();
            let step = self.outside.steps.push_root(number);
            if self.outside.options.is_within(ply) {
                self.waiting.push(0, Label { state, step, plies: 0, drops_cp: 0, ply });
            }
        }
        let mut visited = 0;
        while let Some(mut labels) = self.waiting.pop() {
            labels.retain(|label| {
                let is_new = self.visited.is_new(label.state, label.ply);
                if is_new {
                    visited += usize::from(self.visited.visit(label.state, label.ply));
                    visit(label, self.sides);
                }
                // No move leads beyond the limit of move numbers.
                is_new && self.outside.options.is_within(label.ply + 1)
            });
            labels.chunks(BLOCK).for_each(|labels| self.expand(labels, &choices));
        }
        visited
    }

    /// Follows the moves of some states. What can be said of each by itself is found on all cores.
    fn expand(&mut self, labels: &[Label], choices: &Choices<'_>) {
        let graph = self.outside.graph;
        let onward = |label: &Label| onward(graph, choices, label.state);
        let all: Vec<_> = match labels.len() < FEW {
            true => labels.iter().map(onward).collect(),
            false => labels.par_iter().map(onward).collect(),
        };
        for (label, moves) in labels.iter().zip(all) {
            let is_best_only = choices.is_best_only(label.state);
            for Onward { followed, key } in moves {
                match followed.ranked.to {
                    Some(node) => self.follow(label, &followed, node),
                    None => self.leave(label, key, Leaving::by(&followed, is_best_only)),
                }
            }
        }
    }

    fn leave(&mut self, from: &Label, key: u64, leaving: Leaving) {
        if let Met::Again(exit) = self.outside.meet(key, self.sides, from, leaving) {
            self.offer(exit, from, leaving);
        }
    }

    fn follow(&mut self, from: &Label, followed: &Followed, node: u32) {
        let state = State { node, side: !from.state.side };
        let ply = from.ply + 1;
        if self.visited.is_new(state, ply) {
            let (plies, drops_cp) = from.and(followed.drop_cp);
            let step = self.outside.steps.push_move(from.step, from.state.side, followed.ranked.m);
            let label = Label { state, step, plies, drops_cp, ply };
            self.waiting.push(self.alpha.price(plies, drops_cp), label);
        }
    }

    /// Takes another line to a position outside if it is cheaper than the one known.
    fn offer(&mut self, exit: u32, from: &Label, leaving: Leaving) {
        let (plies, drops_cp) = from.and(leaving.drop_cp);
        let known = &self.outside.exits[exit as usize];
        if self.alpha.price(plies, drops_cp) < self.alpha.price(known.plies, known.drops_cp) {
            self.outside.replace(exit, from, leaving);
        }
    }
}
