//! The positions outside the book that a walk meets, each once.

use komadai_core::{Color, Move, PieceKind, Position, Square};

use super::choices::{Followed, State};
use super::options::{BookSides, FrontierOptions};
use crate::graph::BookGraph;
use crate::key_index::KeyIndex;
use komadai_bookfile::position_key::{shared_zobrist_key, turn};

/// Why a position was selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// It is a root that the book does not hold.
    Root,
    /// The own side's best move leads there.
    BestMove,
    /// A move in the window leads there.
    WindowMove {
        /// How much worse the move is than the best of its position, in centipawns.
        drop_cp: u32,
    },
    /// A move of the rival's book leads there of which the book has no value.
    RivalMove,
}

/// How a walk came to a state or left the book: the move and the step before, or the root.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    from: u32,
    m: Move,
}

const _: () = assert!(size_of::<Step>() == 8);

impl Step {
    /// Marks the number of a root in `from`.
    const ROOT: u32 = 1 << 31;

    fn root(number: u32) -> Self {
        Self { from: number | Self::ROOT, m: NO_MOVE }
    }
}

/// All steps of some walks.
#[derive(Debug, Clone, Default)]
pub(super) struct Steps(Vec<Step>);

impl Steps {
    pub(super) fn push_root(&mut self, number: u32) -> u32 {
        self.push(Step::root(number))
    }

    /// Adds a step by a move in the orientation with Black to move.
    pub(super) fn push_move(&mut self, from: u32, side: Color, m: Move) -> u32 {
        self.push(Step { from, m: turn(m, side) })
    }

    fn push(&mut self, step: Step) -> u32 {
        assert!(self.0.len() < Step::ROOT as usize, "a walk has fewer steps than memory has room");
        self.0.push(step);
        self.0.len() as u32 - 1
    }

    /// The number of the root, and the line from there.
    pub(super) fn line_to(&self, step: u32) -> (u32, Vec<Move>) {
        let mut line = Vec::new();
        let mut at = self.0[step as usize];
        while at.from & Step::ROOT == 0 {
            line.push(at.m);
            at = self.0[at.from as usize];
        }
        line.reverse();
        (at.from & !Step::ROOT, line)
    }
}

/// Where a walk is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Label {
    pub(super) state: State,
    pub(super) step: u32,
    /// The number of moves from the root.
    pub(super) plies: u32,
    /// The sum of the drops of these moves, in centipawns.
    pub(super) drops_cp: u32,
    /// The move number.
    pub(super) ply: u32,
}

impl Label {
    /// The number of moves, and the sum of their drops, after one more with this drop.
    pub(super) fn and(&self, drop_cp: u32) -> (u32, u32) {
        (self.plies + 1, self.drops_cp.saturating_add(drop_cp))
    }
}

/// A position outside the book.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exit {
    /// The node before the last move; [`NO_NODE`] for a root.
    node: u32,
    m: Move,
    /// The side to move.
    side: Color,
    pub(super) sides: BookSides,
    pub(super) reason: Reason,
    pub(super) score: Option<i16>,
    pub(super) step: u32,
    pub(super) plies: u32,
    pub(super) drops_cp: u32,
}

const _: () = assert!(size_of::<Exit>() <= 36);

/// See [`Exit::node`].
const NO_NODE: u32 = u32::MAX;

/// Stands where no move leads to a root.
const NO_MOVE: Move = Move::new(Square::S11, Square::S12);

/// The positions outside, found by the positions themselves with the side that is really to move.
///
/// Of a position that is met again, only the key is computed; the positions are compared when the keys
/// agree.
#[derive(Debug)]
pub(super) struct Outside<'a> {
    pub(super) graph: &'a BookGraph,
    pub(super) options: &'a FrontierOptions,
    pub(super) steps: Steps,
    pub(super) exits: Vec<Exit>,
    index: KeyIndex,
}

impl<'a> Outside<'a> {
    pub(super) fn new(graph: &'a BookGraph, options: &'a FrontierOptions) -> Self {
        let (steps, exits, index) = (Steps::default(), Vec::new(), KeyIndex::default());
        Self { graph, options, steps, exits, index }
    }

    /// The same walks' steps, and no positions.
    pub(super) fn emptied(self) -> Self {
        Self { steps: self.steps, ..Self::new(self.graph, self.options) }
    }

    /// Takes up the roots that the book does not hold, and returns the exit of each.
    pub(super) fn meet_roots(&mut self) -> Vec<u32> {
        let mut met = Vec::new();
        for (number, root) in (0..).zip(&self.options.roots) {
            if self.graph.node(root).is_none() && self.options.is_within(root.ply()) {
                met.push(self.meet_root(number, root));
            }
        }
        met
    }

    fn meet_root(&mut self, number: u32, root: &Position) -> u32 {
        let (key, side) = (shared_zobrist_key(root), root.side());
        let own = with_white_to_move(root);
        let known = self.find(key, side, |exit| are_equal(&self.position_at(exit), &own));
        known.unwrap_or_else(|| {
            let step = self.steps.push_root(number);
            let exit = Exit {
                node: NO_NODE,
                m: NO_MOVE,
                side,
                sides: self.options.sides,
                reason: Reason::Root,
                score: None,
                step,
                plies: 0,
                drops_cp: 0,
            };
            self.add(key, exit)
        })
    }

    /// Takes up the position after a move that leaves the book. `key` is that position's key, in the
    /// orientation with White to move.
    pub(super) fn meet(
        &mut self,
        key: u64,
        sides: BookSides,
        from: &Label,
        leaving: Leaving,
    ) -> Met {
        let mut own = None;
        let known = self.find(key, !from.state.side, |exit| {
            let after = || self.graph.black_to_move(from.state.node).after(leaving.m);
            are_equal(&self.position_at(exit), own.get_or_insert_with(after))
        });
        if let Some(number) = known {
            let known = &mut self.exits[number as usize];
            known.sides = known.sides.and(sides);
            return Met::Again(number);
        }
        let exit = self.exit(from, leaving, sides);
        Met::First(self.add(key, exit))
    }

    /// Replaces how a position was reached by something better.
    pub(super) fn replace(&mut self, number: u32, from: &Label, leaving: Leaving) {
        let sides = self.exits[number as usize].sides;
        self.exits[number as usize] = self.exit(from, leaving, sides);
    }

    fn exit(&mut self, from: &Label, leaving: Leaving, sides: BookSides) -> Exit {
        let Leaving { m, reason, score, drop_cp } = leaving;
        let State { node, side } = from.state;
        let (plies, drops_cp) = from.and(drop_cp);
        Exit {
            node,
            m,
            side: !side,
            sides,
            reason,
            score,
            step: self.steps.push_move(from.step, side, m),
            plies,
            drops_cp,
        }
    }

    fn add(&mut self, key: u64, exit: Exit) -> u32 {
        let number = self.exits.len() as u32;
        self.index.insert(key, number);
        self.exits.push(exit);
        number
    }

    fn find(&self, key: u64, side: Color, mut is_it: impl FnMut(&Exit) -> bool) -> Option<u32> {
        self.index.find(key, |number| {
            let exit = &self.exits[number as usize];
            exit.side == side && is_it(exit)
        })
    }

    /// A position outside, with White to move.
    fn position_at(&self, exit: &Exit) -> Position {
        if exit.node != NO_NODE {
            return self.graph.black_to_move(exit.node).after(exit.m);
        }
        with_white_to_move(&self.options.roots[self.steps.line_to(exit.step).0 as usize])
    }
}

/// How a line leaves the book.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaving {
    /// In the orientation with Black to move.
    pub(super) m: Move,
    pub(super) reason: Reason,
    pub(super) score: Option<i16>,
    pub(super) drop_cp: u32,
}

impl Leaving {
    /// By a move of the book.
    pub(super) fn by(followed: &Followed, is_best_only: bool) -> Self {
        let Followed { ranked, drop_cp } = *followed;
        let reason = if is_best_only { Reason::BestMove } else { Reason::WindowMove { drop_cp } };
        // Values in a graph are within two bytes.
        Self { m: ranked.m, reason, score: Some(ranked.value.score.raw() as i16), drop_cp }
    }
}

/// Whether a position outside is a new one, and its number.
#[derive(Debug, Clone, Copy)]
pub(super) enum Met {
    First(u32),
    Again(u32),
}

fn with_white_to_move(position: &Position) -> Position {
    match position.side() {
        Color::White => position.without_history(),
        Color::Black => position.flipped(),
    }
}

/// Whether two positions with the same side to move are the same.
pub(super) fn are_equal(one: &Position, other: &Position) -> bool {
    Color::ALL.iter().all(|&color| one.color(color) == other.color(color))
        && PieceKind::ALL.iter().all(|&kind| one.kind(kind) == other.kind(kind))
        && Color::ALL.iter().all(|&color| one.hand(color) == other.hand(color))
}
