//! The set of frontier positions that a walk finds, and the edges out of the book that lead to
//! them.

use std::collections::HashSet;

use komadai_bookfile::position_key::{PositionKey, shared_zobrist_key};
use komadai_core::{Color, Move, PieceKind, Position};

use super::choices::{Followed, State};
use super::cuts::Cuts;
use super::line_tree::{LineTree, NO_MOVE};
use super::options::{BookSides, FrontierOptions};
use crate::graph::BookGraph;
use crate::key_index::KeyIndex;

/// The reason why a position was selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Reason {
    /// A root that the book does not contain.
    Root,
    /// The best move of the own side leads to the position.
    BestMove,
    /// A move in the window leads to the position.
    WindowMove {
        /// The distance of the move from the best one of its position, in centipawns.
        drop_cp: u32,
    },
    /// A move of the rival's book leads to the position, in the window or not.
    RivalMove {
        /// The distance of the move from the best one of its position, in centipawns; `None` if the
        /// own book has no value for the move.
        drop_cp: Option<u32>,
    },
}

/// A line to a state of the walk: the state, and the price of the line.
///
/// The term is that of label-setting algorithms for shortest paths.
#[derive(Debug, Clone, Copy)]
pub(super) struct Label {
    pub(super) state: State,
    /// The last node of the line in the [`LineTree`].
    pub(super) line_end: u32,
    /// The number of moves of the line.
    pub(super) plies: u32,
    /// The sum of the drops of the moves, in centipawns: their distances from the best moves.
    pub(super) drops_cp: u32,
    /// The move number of the position.
    pub(super) ply: u32,
}

impl Label {
    /// The number of moves and the sum of their drops after one more move with this drop.
    pub(super) fn and(&self, drop_cp: u32) -> (u32, u32) {
        (self.plies + 1, self.drops_cp.saturating_add(drop_cp))
    }
}

/// A frontier position: the position after the last move of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct FrontierEntry {
    /// The node of the book before the last move; [`NO_NODE`] for a root.
    node: u32,
    m: Move,
    /// The side to move.
    side: Color,
    pub(super) sides: BookSides,
    pub(super) reason: Reason,
    pub(super) score: Option<i16>,
    pub(super) line_end: u32,
    pub(super) plies: u32,
    pub(super) drops_cp: u32,
}

const _: () = assert!(size_of::<FrontierEntry>() <= 36);

/// The node of a root; see [`FrontierEntry::node`].
const NO_NODE: u32 = u32::MAX;

/// The set of frontier positions, each with the side to move in the real game.
///
/// Positions are found by their Zobrist keys, which are computed without making the move. The
/// positions themselves are made and compared only if the keys are equal.
#[derive(Debug)]
pub(super) struct FrontierSet<'a> {
    pub(super) graph: &'a BookGraph,
    pub(super) options: &'a FrontierOptions,
    pub(super) line_tree: LineTree,
    pub(super) entries: Vec<FrontierEntry>,
    index: KeyIndex,
    /// The ends of lines without a position.
    pub(super) cuts: Cuts,
    /// The keys of positions that a book cannot hold, with the sides to move.
    unheld: HashSet<(u64, Color)>,
}

impl<'a> FrontierSet<'a> {
    pub(super) fn new(graph: &'a BookGraph, options: &'a FrontierOptions) -> Self {
        let line_tree = LineTree::default();
        let entries = Vec::new();
        let index = KeyIndex::default();
        let cuts = Cuts::default();
        Self { graph, options, line_tree, entries, index, cuts, unheld: HashSet::new() }
    }

    /// The number of positions that were passed over because a book cannot hold them.
    pub(super) fn unheld(&self) -> usize {
        self.unheld.len()
    }

    /// The set with the same lines and without entries.
    pub(super) fn without_entries(self) -> Self {
        Self { line_tree: self.line_tree, ..Self::new(self.graph, self.options) }
    }

    /// Adds the roots that the book does not contain but can hold, and returns the numbers of their
    /// entries.
    pub(super) fn insert_roots(&mut self) -> Vec<u32> {
        let mut numbers = Vec::new();
        for (number, root) in (0..).zip(&self.options.roots) {
            if self.graph.node(root).is_some() {
                continue;
            }
            if !self.options.limits_of(number as usize).is_within(root.ply()) {
                self.cuts.at_max_ply += 1;
            } else if PositionKey::try_of(root).is_ok() {
                numbers.push(self.insert_root(number, root));
            } else {
                self.unheld.insert((shared_zobrist_key(root), root.side()));
            }
        }
        numbers
    }

    fn insert_root(&mut self, number: u32, root: &Position) -> u32 {
        let key = shared_zobrist_key(root);
        let side = root.side();
        let own = with_white_to_move(root);
        let known = self.find(key, side, |entry| are_equal(&self.position_at(entry), &own));
        known.unwrap_or_else(|| {
            let line_end = self.line_tree.push_root(number);
            let entry = FrontierEntry {
                node: NO_NODE,
                m: NO_MOVE,
                side,
                sides: self.options.sides,
                reason: Reason::Root,
                score: None,
                line_end,
                plies: 0,
                drops_cp: 0,
            };
            self.add(key, entry)
        })
    }

    /// Adds the position after an edge out of the book, if a book can hold it. If the position is
    /// present, adds `sides` to its entry.
    ///
    /// `key` is the Zobrist key of that position in the orientation with White to move.
    pub(super) fn insert(
        &mut self,
        key: u64,
        sides: BookSides,
        from: &Label,
        edge: EdgeOut,
    ) -> Insertion {
        let mut own = None;
        let known = self.find(key, !from.state.side, |entry| {
            // Called only if an entry has the same key, so new positions are mostly not made.
            let after = || self.graph.black_to_move(from.state.node).after(edge.m);
            are_equal(&self.position_at(entry), own.get_or_insert_with(after))
        });
        if let Some(number) = known {
            let known = &mut self.entries[number as usize];
            known.sides = known.sides.and(sides);
            return Insertion::Known(number);
        }
        if !self.graph.is_held_after(from.state.node, edge.m) {
            self.unheld.insert((key, !from.state.side));
            return Insertion::Unheld;
        }
        let entry = self.entry(from, edge, sides);
        Insertion::New(self.add(key, entry))
    }

    /// Replaces the line to a position by a better one.
    pub(super) fn replace(&mut self, number: u32, from: &Label, edge: EdgeOut) {
        let sides = self.entries[number as usize].sides;
        self.entries[number as usize] = self.entry(from, edge, sides);
    }

    fn entry(&mut self, from: &Label, edge: EdgeOut, sides: BookSides) -> FrontierEntry {
        let EdgeOut { m, reason, score, drop_cp } = edge;
        let State { node, side } = from.state;
        let (plies, drops_cp) = from.and(drop_cp);
        FrontierEntry {
            node,
            m,
            side: !side,
            sides,
            reason,
            score,
            line_end: self.line_tree.push_move(from.line_end, side, m),
            plies,
            drops_cp,
        }
    }

    fn add(&mut self, key: u64, entry: FrontierEntry) -> u32 {
        let number = self.entries.len() as u32;
        self.index.insert(key, number);
        self.entries.push(entry);
        number
    }

    fn find(
        &self,
        key: u64,
        side: Color,
        mut is_it: impl FnMut(&FrontierEntry) -> bool,
    ) -> Option<u32> {
        self.index.find(key, |number| {
            let entry = &self.entries[number as usize];
            entry.side == side && is_it(entry)
        })
    }

    /// The position of an entry in the orientation with White to move.
    fn position_at(&self, entry: &FrontierEntry) -> Position {
        if entry.node != NO_NODE {
            return self.graph.black_to_move(entry.node).after(entry.m);
        }
        with_white_to_move(&self.options.roots[self.line_tree.line_to(entry.line_end).0 as usize])
    }
}

/// An edge out of the book: the move by which a line leaves it.
#[derive(Debug, Clone, Copy)]
pub(super) struct EdgeOut {
    /// The move in the orientation with Black to move.
    pub(super) m: Move,
    pub(super) reason: Reason,
    pub(super) score: Option<i16>,
    pub(super) drop_cp: u32,
}

impl EdgeOut {
    /// Creates the edge of a move of the book.
    pub(super) fn by(followed: &Followed, is_best_only: bool) -> Self {
        let Followed { ranked, drop_cp } = *followed;
        let reason = if is_best_only { Reason::BestMove } else { Reason::WindowMove { drop_cp } };
        // The values of a graph fit into 16 bits.
        Self { m: ranked.m, reason, score: Some(ranked.value.score.raw() as i16), drop_cp }
    }
}

/// The result of an insertion, with the number of the entry, if there is one.
#[derive(Debug, Clone, Copy)]
pub(super) enum Insertion {
    /// The position is new.
    New(u32),
    /// The position was present.
    Known(u32),
    /// A book cannot hold the position: it was passed over.
    Unheld,
}

fn with_white_to_move(position: &Position) -> Position {
    match position.side() {
        Color::White => position.without_history(),
        Color::Black => position.flipped(),
    }
}

/// Returns whether two positions with the same side to move are equal, apart from move numbers and
/// histories.
pub(super) fn are_equal(one: &Position, other: &Position) -> bool {
    Color::ALL.iter().all(|&color| one.color(color) == other.color(color))
        && PieceKind::ALL.iter().all(|&kind| one.kind(kind) == other.kind(kind))
        && Color::ALL.iter().all(|&color| one.hand(color) == other.hand(color))
}
