//! The game that is solved: who can go where.

use super::links::Links;
use super::listed_move::UNKNOWN;
use super::values::{REPETITION_RANK, Worth};
use komadai_core::{Color, Score};

/// A graph of nodes, in each of which one side chooses a move: an edge, or the best leaf.
pub(crate) trait Game {
    /// The number of nodes.
    fn len(&self) -> usize;

    /// Where the edges of a node lead.
    fn successors(&self, node: u32) -> impl Iterator<Item = u32>;

    /// Whose edges lead to a node; one with two of them is there twice.
    fn predecessors(&self, node: u32) -> impl Iterator<Item = u32>;

    /// The best move of a node that ends the play.
    fn best_leaf(&self, node: u32) -> Option<Worth>;

    /// Whether the side to move is in check.
    fn in_check(&self, node: u32) -> bool;

    /// The largest value there is: that of winning at once.
    fn largest(&self) -> i16;
}

/// What endless play is worth to Black, in centipawns; White gets the negative.
///
/// With any other value than 0 it matters who is really to move: a position with the colours exchanged
/// has another value. So each position becomes two nodes of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DrawValue(i16);

impl DrawValue {
    /// The largest draw value, in centipawns.
    pub const MAX_CP: i32 = 700;

    /// A draw is worth so much to Black, cut at ±[`MAX_CP`](Self::MAX_CP).
    #[must_use]
    pub fn for_black(cp: i32) -> Self {
        Self(cp.clamp(-Self::MAX_CP, Self::MAX_CP) as i16)
    }

    /// What a draw is worth to this side.
    #[must_use]
    pub fn of(self, side: Color) -> i32 {
        match side {
            Color::Black => self.0.into(),
            Color::White => -i32::from(self.0),
        }
    }

    /// Whether the colours matter.
    pub(crate) fn splits(self) -> bool {
        self.0 != 0
    }

    /// The number of nodes of so many positions.
    pub(crate) fn nodes(self, positions: usize) -> usize {
        positions << u32::from(self.splits())
    }

    /// The node of a position with this side really to move.
    #[inline]
    pub(crate) fn node(self, position: u32, side: Color) -> u32 {
        if self.splits() { position * 2 + side as u32 } else { position }
    }

    /// The nodes of a position.
    pub(crate) fn nodes_of(self, position: u32) -> impl Iterator<Item = u32> {
        let sides = if self.splits() { &Color::ALL[..] } else { &Color::ALL[..1] };
        sides.iter().map(move |&side| self.node(position, side))
    }

    /// The position of a node.
    #[inline]
    pub(crate) fn position(self, node: u32) -> u32 {
        if self.splits() { node / 2 } else { node }
    }

    /// The node of another position that is one ply away from this node.
    #[inline]
    pub(crate) fn neighbour(self, node: u32, position: u32) -> u32 {
        if self.splits() { position * 2 + (1 - node % 2) } else { position }
    }

    /// What is subtracted from values at a node, so that a draw is worth 0 there.
    #[inline]
    pub(crate) fn shift(self, node: u32) -> i16 {
        match (self.splits(), node % 2) {
            (false, _) => 0,
            (true, 0) => self.0,
            (true, _) => -self.0,
        }
    }
}

/// The whole book as a game. Values are shifted by that of a draw.
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
    fn best_leaf(&self, node: u32) -> Option<Worth> {
        let score = self.links.best_leaf[self.draw.position(node) as usize];
        (score != UNKNOWN).then(|| Worth { score: score - self.draw.shift(node), rank: 0 })
    }

    #[inline]
    fn in_check(&self, node: u32) -> bool {
        self.links.in_check(self.draw.position(node))
    }

    fn largest(&self) -> i16 {
        Score::MATE.raw() as i16 + self.draw.0.abs()
    }
}

/// Some nodes of a game, the values of all others being known: edges to those are leaves.
#[derive(Debug, Default)]
pub(crate) struct PartOfGame {
    successors: Vec<u32>,
    /// Per node, where its successors end.
    successor_ends: Vec<u32>,
    predecessors: Vec<u32>,
    predecessor_ends: Vec<u32>,
    best_leaf: Vec<Option<Worth>>,
    in_check: Vec<bool>,
    largest: i16,
}

impl PartOfGame {
    /// The part with these nodes, numbered in this order. `number` says where a node is among them,
    /// `worth` what a node outside is worth to its mover.
    pub(crate) fn new(
        game: &impl Game,
        nodes: &[u32],
        number: impl Fn(u32) -> Option<u32>,
        worth: impl Fn(u32) -> Worth,
    ) -> Self {
        let mut part = Self { largest: game.largest(), ..Self::default() };
        for &node in nodes {
            let mut best = game.best_leaf(node);
            for next in game.successors(node) {
                match number(next) {
                    Some(inside) => part.successors.push(inside),
                    None => {
                        let outside = worth(next).of_move();
                        best = Some(best.map_or(outside, |best| best.better(outside)));
                    }
                }
            }
            part.successor_ends.push(part.successors.len() as u32);
            part.predecessors.extend(game.predecessors(node).filter_map(&number));
            part.predecessor_ends.push(part.predecessors.len() as u32);
            part.best_leaf.push(best);
            part.in_check.push(game.in_check(node));
        }
        part
    }
}

fn slice_of<'a>(items: &'a [u32], ends: &[u32], node: u32) -> &'a [u32] {
    let at = node as usize;
    let start = if at == 0 { 0 } else { ends[at - 1] };
    &items[start as usize..ends[at] as usize]
}

impl Game for PartOfGame {
    fn len(&self) -> usize {
        self.in_check.len()
    }

    fn successors(&self, node: u32) -> impl Iterator<Item = u32> {
        slice_of(&self.successors, &self.successor_ends, node).iter().copied()
    }

    fn predecessors(&self, node: u32) -> impl Iterator<Item = u32> {
        slice_of(&self.predecessors, &self.predecessor_ends, node).iter().copied()
    }

    fn best_leaf(&self, node: u32) -> Option<Worth> {
        self.best_leaf[node as usize]
    }

    fn in_check(&self, node: u32) -> bool {
        self.in_check[node as usize]
    }

    fn largest(&self) -> i16 {
        self.largest
    }
}

/// Whether a draw can be reached by a leaf, as far as this leaf tells.
pub(crate) fn ends_the_play(leaf: Worth) -> bool {
    leaf.rank != REPETITION_RANK
}
