//! The game that is solved: a deterministic graphical game.
//!
//! Nodes are positions, edges are moves between them, and leaves are moves that end the play with a
//! value. The term is that of A. Washburn (1990, *Deterministic graphical games*, J. Math. Anal.
//! Appl. 153).

use komadai_core::Score;

use super::draw_value::DrawValue;
use super::links::Links;
use super::listed_move::UNKNOWN;
use super::values::{REPETITION_RANK, RankedScore};

/// A graph of nodes. In each node one side chooses a move: an edge, or the best leaf.
pub(crate) trait Game {
    /// The number of nodes.
    fn len(&self) -> usize;

    /// The nodes to which the edges of a node lead.
    fn successors(&self, node: u32) -> impl Iterator<Item = u32>;

    /// The nodes with an edge to a node; a node with two such edges appears twice.
    fn predecessors(&self, node: u32) -> impl Iterator<Item = u32>;

    /// The best move of a node among those that end the play.
    fn best_leaf(&self, node: u32) -> Option<RankedScore>;

    /// Returns whether the side to move is in check.
    fn in_check(&self, node: u32) -> bool;

    /// The largest possible value: that of an immediate win.
    fn largest(&self) -> i16;
}

/// The whole book as a game. Values are shifted so that a draw has the value 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WholeBook<'a> {
    pub(crate) links: &'a Links,
    pub(crate) draw: DrawValue,
}

impl Game for WholeBook<'_> {
    fn len(&self) -> usize {
        self.draw.nodes(self.links.edges.len())
    }

    #[inline]
    fn successors(&self, node: u32) -> impl Iterator<Item = u32> {
        let edges = self.links.edges.get(self.draw.position(node)).iter();
        edges.map(move |edge| self.draw.neighbour(node, edge.to))
    }

    #[inline]
    fn predecessors(&self, node: u32) -> impl Iterator<Item = u32> {
        let before = self.links.predecessors.get(self.draw.position(node)).iter();
        before.map(move |&from| self.draw.neighbour(node, from))
    }

    #[inline]
    fn best_leaf(&self, node: u32) -> Option<RankedScore> {
        let score = self.links.best_leaf[self.draw.position(node) as usize];
        (score != UNKNOWN).then(|| RankedScore { score: score - self.draw.shift(node), rank: 0 })
    }

    #[inline]
    fn in_check(&self, node: u32) -> bool {
        self.links.in_check(self.draw.position(node))
    }

    fn largest(&self) -> i16 {
        Score::MATE.raw() as i16 + self.draw.magnitude()
    }
}

/// A part of a game. The values of all other nodes are known, and edges to them are leaves.
#[derive(Debug, Default)]
pub(crate) struct Subgame {
    successors: Vec<u32>,
    /// Per node, the end of its successors in the list.
    successor_ends: Vec<u32>,
    predecessors: Vec<u32>,
    predecessor_ends: Vec<u32>,
    best_leaf: Vec<Option<RankedScore>>,
    in_check: Vec<bool>,
    largest: i16,
}

impl Subgame {
    /// Creates the part with these nodes, numbered in this order.
    ///
    /// `number` returns the number of a node in the part, and `None` for other nodes.
    /// `ranked_score` returns the value of another node for its side to move.
    pub(crate) fn new(
        game: &impl Game,
        nodes: &[u32],
        number: impl Fn(u32) -> Option<u32>,
        ranked_score: impl Fn(u32) -> RankedScore,
    ) -> Self {
        let mut subgame = Self { largest: game.largest(), ..Self::default() };
        for &node in nodes {
            let mut best = game.best_leaf(node);
            for next in game.successors(node) {
                match number(next) {
                    Some(inside) => subgame.successors.push(inside),
                    None => {
                        // An edge out of the part has the known value of its end, as a leaf has.
                        let outside = ranked_score(next).of_move();
                        best = Some(best.map_or(outside, |best| best.better(outside)));
                    }
                }
            }
            subgame.successor_ends.push(subgame.successors.len() as u32);
            subgame.predecessors.extend(game.predecessors(node).filter_map(&number));
            subgame.predecessor_ends.push(subgame.predecessors.len() as u32);
            subgame.best_leaf.push(best);
            subgame.in_check.push(game.in_check(node));
        }
        subgame
    }
}

fn slice_of<'a>(items: &'a [u32], ends: &[u32], node: u32) -> &'a [u32] {
    let at = node as usize;
    let start = if at == 0 { 0 } else { ends[at - 1] };
    &items[start as usize..ends[at] as usize]
}

impl Game for Subgame {
    fn len(&self) -> usize {
        self.in_check.len()
    }

    fn successors(&self, node: u32) -> impl Iterator<Item = u32> {
        slice_of(&self.successors, &self.successor_ends, node).iter().copied()
    }

    fn predecessors(&self, node: u32) -> impl Iterator<Item = u32> {
        slice_of(&self.predecessors, &self.predecessor_ends, node).iter().copied()
    }

    fn best_leaf(&self, node: u32) -> Option<RankedScore> {
        self.best_leaf[node as usize]
    }

    fn in_check(&self, node: u32) -> bool {
        self.in_check[node as usize]
    }

    fn largest(&self) -> i16 {
        self.largest
    }
}

/// Returns whether a leaf really ends the play, and is not an edge to a known repetition.
pub(crate) fn ends_the_play(leaf: RankedScore) -> bool {
    leaf.rank != REPETITION_RANK
}
