//! The lines of some walks as a tree of moves.

use komadai_bookfile::position_key::turn;
use komadai_core::{Color, Move, Square};

/// A node of a [`LineTree`]: a move and the node before it, or a root.
#[derive(Debug, Clone, Copy)]
struct LineNode {
    from: u32,
    m: Move,
}

// A walk through a large book makes many millions of nodes.
const _: () = assert!(size_of::<LineNode>() == 8);

/// The move of a node without a move.
pub(super) const NO_MOVE: Move = Move::new(Square::S11, Square::S12);

impl LineNode {
    /// The flag that marks `from` as the number of a root.
    const ROOT: u32 = 1 << 31;
}

/// The lines of some walks, stored as a tree. A line is given by the number of its last node.
#[derive(Debug, Clone, Default)]
pub(super) struct LineTree(Vec<LineNode>);

impl LineTree {
    /// Adds a root without moves, and returns its node.
    pub(super) fn push_root(&mut self, number: u32) -> u32 {
        self.push(LineNode { from: number | LineNode::ROOT, m: NO_MOVE })
    }

    /// Extends the line that ends at `from` by a move, and returns the node of the move.
    ///
    /// `m` is in the orientation with Black to move; `side` makes it in the real game.
    pub(super) fn push_move(&mut self, from: u32, side: Color, m: Move) -> u32 {
        self.push(LineNode { from, m: turn(m, side) })
    }

    fn push(&mut self, node: LineNode) -> u32 {
        assert!(self.0.len() < LineNode::ROOT as usize, "memory has no room for 2^31 nodes");
        self.0.push(node);
        self.0.len() as u32 - 1
    }

    /// The number of the root of a line, and the moves of the line.
    pub(super) fn line_to(&self, line_end: u32) -> (u32, Vec<Move>) {
        let mut line = Vec::new();
        let mut at = self.0[line_end as usize];
        while at.from & LineNode::ROOT == 0 {
            line.push(at.m);
            at = self.0[at.from as usize];
        }
        line.reverse();
        (at.from & !LineNode::ROOT, line)
    }
}
