//! Depth-first proof-number search.
//!
//! ```text
//! search(node, thresholds):
//!     expand the node
//!     repeat:
//!         sum up the children: proof and disproof number of the node
//!         if one has reached its threshold: store them, return
//!         search(best child, until it is no longer the best or decides the node)
//! ```
//!
//! This is df-pn (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications",
//! doctoral thesis, University of Tokyo, 2002; survey: A. Kishimoto, M. Winands, M. Müller,
//! J.-T. Saito, "Game-tree search using proof numbers: the first twenty years", 2012). Where we
//! differ:
//!
//! 1. The stack is our own list of frames, since mates of more than 1,500 plies exist.
//! 2. Every search asks for a mate within a number of plies, and every disproof says how many plies
//!    it covers, without limit where no line met the limit. One search so serves to find any mate
//!    (with a limit that no mate reaches) and the shortest one.
//! 3. A position that repeats one of the path, with the attacker holding the same or less, is
//!    disproven as long as that path lasts: see [`Reliance`] and [`LoopTable`]. Proofs rely on
//!    solved positions only and need no such care. For a mate within a limit this is right as well:
//!    if the earlier position is a mate, the shortest line never leads back to it.
//! 4. Where paths of different lengths lead to a position, a search can go on for ever without ever
//!    reaching a new one. Against this, a node with an unsolved child that was first met nearer the
//!    root gives its thresholds leave to grow until a new position is visited (A. Kishimoto,
//!    "Dealing with infinite loops, underestimation, and overestimation of depth-first proof-number
//!    search", 2010: the threshold controlling algorithm, TCA). The paper leaves open whether that
//!    catches every loop, so a counter of fruitless returns turns the same rule on for all nodes.
//! 5. A new position's numbers do not start at 1 and 1 (as in df-pn+: A. Nagai and H. Imai,
//!    "Application of df-pn+ to Othello endgames", 1999): the evasions of a check and the checks of
//!    a position are counted, which also finds mates and positions without a check before they are
//!    visited.
//! 6. Similar moves are looked at one after the other: see [`postpone`].

use komadai_core::{Hand, Move};
use komadai_movegen::MoveList;

use crate::frame::{Child, Frame, Summary, Verdict};
use crate::game::Game;
use crate::loop_table::LoopTable;
use crate::meter::Meter;
use crate::numbers::{Node, Numbers};
use crate::path::Path;
use crate::plies::Plies;
use crate::postpone::postpone;
use crate::reliance::Reliance;
use crate::table::{Known, Open, Table};

/// The memory of a solver.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) table: Table,
    pub(crate) loops: LoopTable,
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The attacker mates within this many plies, beginning with this move.
    Proven(Plies, Option<Move>),
    /// The attacker does not mate within this many plies.
    Disproven(Plies),
    /// The budget is spent.
    Spent,
}

/// A search from one position.
#[derive(Debug)]
pub(crate) struct Search<'a, 'b, G> {
    memory: &'a mut Memory,
    meter: &'a mut Meter<'b>,
    game: G,
    path: Path,
    frames: Vec<Frame>,
    children: Vec<Child>,
    /// Returns from known positions since the last visit to a new one.
    fruitless: u32,
}

/// So many returns without a new position are taken for an endless loop. Any number is right; a
/// small one would disturb searches that are in no loop.
const FRUITLESS_LIMIT: u32 = 4096;

impl<'a, 'b, G: Game> Search<'a, 'b, G> {
    /// A search from the current position of `game`, the attacker to move.
    pub(crate) fn new(memory: &'a mut Memory, meter: &'a mut Meter<'b>, game: G) -> Self {
        Self {
            memory,
            meter,
            game,
            path: Path::default(),
            frames: Vec::new(),
            children: Vec::new(),
            fruitless: 0,
        }
    }

    /// Proves or disproves a mate within `limit`, an odd number of plies.
    pub(crate) fn run(self, limit: Plies) -> Outcome {
        let (board_key, hand) = self.game.keys();
        match self.memory.table.look_up(board_key, hand, limit) {
            Known::Proven { plies, best, .. } => Outcome::Proven(plies, best),
            Known::Disproven { plies, .. } => Outcome::Disproven(plies),
            Known::Open(_) | Known::Absent => self.run_anew(limit),
        }
    }

    /// As [`run`](Self::run), even if the table has the answer: a proof names the first move.
    pub(crate) fn run_anew(mut self, limit: Plies) -> Outcome {
        if self.meter.is_spent() {
            return Outcome::Spent;
        }
        self.open(Node::Attack, limit, Numbers::INFINITE);
        while let Some(frame) = self.frames.last() {
            let summary = Summary::new(frame.node, &self.children[frame.first_child..]);
            let gives_way = frame.must_progress || self.fruitless > FRUITLESS_LIMIT;
            let thresholds =
                if gives_way { summary.numbers.below(frame.thresholds) } else { frame.thresholds };
            if !summary.numbers.is_solved() && !summary.numbers.reach(thresholds) {
                if self.meter.is_spent() {
                    self.abandon();
                    return Outcome::Spent;
                }
                self.descend(&summary, thresholds);
            } else if let Some(outcome) = self.close(&summary) {
                return outcome;
            }
        }
        unreachable!("closing the first frame ends the search")
    }

    /// Takes all moves back.
    fn abandon(&mut self) {
        for _ in 1..self.frames.len() {
            self.game.undo_move();
        }
        self.frames.clear();
    }

    /// Goes on with the best child, unless it has been solved elsewhere meanwhile.
    fn descend(&mut self, summary: &Summary, thresholds: Numbers) {
        let frame = self.frames.last_mut().expect("a node is being searched");
        frame.current = summary.best;
        let (node, limit) = (frame.node, frame.limit.shorter());
        let must_progress = frame.must_progress;
        let child = &mut self.children[frame.first_child + summary.best];
        if let Some((numbers, verdict)) =
            solved(self.memory.table.look_up(child.board_key, child.hand, limit))
        {
            child.numbers = numbers;
            child.verdict = verdict;
            return;
        }
        let thresholds = summary.child_thresholds(node, child, thresholds);
        let m = child.m;
        self.game.do_move(m);
        self.open(node.next(), limit, thresholds);
        let frame = self.frames.last_mut().expect("a node has just been opened");
        frame.must_progress = !frame.is_new && (frame.must_progress || must_progress);
    }

    /// Visits the position on the board: looks one move ahead.
    fn open(&mut self, node: Node, limit: Plies, thresholds: Numbers) {
        debug_assert!(!limit.is_zero(), "positions at the limit are assessed, not visited");
        let nodes_before = self.meter.nodes();
        self.meter.visit();
        let (board_key, hand) = self.game.keys();
        let ply = self.path.len();
        let known = match self.memory.table.look_up(board_key, hand, limit) {
            Known::Open(open) => Some(open),
            _ => None,
        };
        let frame = Frame {
            node,
            board_key,
            hand,
            limit,
            thresholds,
            first_child: self.children.len(),
            current: 0,
            nodes_before,
            min_ply: known.map_or(ply as u16, |open| open.min_ply.min(ply as u16)),
            has_loops: known.is_some_and(|open| open.has_loops),
            is_new: known.is_none(),
            must_progress: false,
        };
        if frame.is_new {
            self.fruitless = 0;
        }
        self.path.push(board_key, hand);
        self.frames.push(frame);
        self.expand(node, limit.shorter());
    }

    /// Lists the moves of the last frame.
    fn expand(&mut self, node: Node, limit: Plies) {
        let mut moves = MoveList::new();
        self.game.list_moves(node, &mut moves);
        for m in &moves {
            self.game.do_move(m);
            let child = self.look_ahead(m, node.next(), limit);
            self.game.undo_move();
            let decides =
                child.numbers.success(node) == 0 && child.verdict.reliance == Reliance::NOTHING;
            self.children.push(child);
            if decides {
                return;
            }
        }
        let first_child = self.frames.last().expect("a node is being expanded").first_child;
        postpone(node, &mut self.children[first_child..]);
    }

    /// What is known about the position on the board, reached by `m`, before it is visited.
    fn look_ahead(&mut self, m: Move, node: Node, limit: Plies) -> Child {
        let (board_key, hand) = self.game.keys();
        let (numbers, verdict) = self.assess(node, board_key, hand, limit);
        Child { m, board_key, hand, numbers, verdict, waits_for: None }
    }

    fn assess(
        &mut self,
        node: Node,
        board_key: u64,
        hand: Hand,
        limit: Plies,
    ) -> (Numbers, Verdict) {
        let unsolved = Verdict { hand, ..Verdict::none() };
        let known = self.memory.table.look_up(board_key, hand, limit);
        if let Some(answer) = solved(known) {
            return answer;
        }
        if let Some(ply) = self.path.repeated_ply(board_key, hand) {
            let reliance = Reliance::on_ply(ply);
            return (Numbers::DISPROVEN, Verdict { hand, plies: Plies::UNLIMITED, reliance });
        }
        if node == Node::Defence && limit.is_zero() {
            return self.assess_last(unsolved);
        }
        if let Known::Open(open) = known {
            if open.has_loops
                && let Some((plies, reliance)) =
                    self.memory.loops.look_up(&self.path, board_key, hand, limit)
            {
                return (Numbers::DISPROVEN, Verdict { hand, plies, reliance });
            }
            if usize::from(open.min_ply) < self.path.len() {
                self.frames.last_mut().expect("a node is being expanded").must_progress = true;
            }
            return (open.numbers, unsolved);
        }
        match node {
            Node::Attack => self.assess_new_attack(unsolved),
            Node::Defence => self.assess_new_defence(unsolved),
        }
    }

    /// The position after a reply, never visited: how many checks are there?
    fn assess_new_attack(&self, unsolved: Verdict) -> (Numbers, Verdict) {
        match self.game.count_moves(Node::Attack) {
            0 => (Numbers::DISPROVEN, self.failed(&[])),
            checks => (Numbers::open(1, checks), unsolved),
        }
    }

    /// The position after a check, never visited: how many replies are there?
    fn assess_new_defence(&self, unsolved: Verdict) -> (Numbers, Verdict) {
        match self.game.count_moves(Node::Defence) {
            0 => self.mated(unsolved),
            replies => (Numbers::open(1 + replies / 2, 1), unsolved),
        }
    }

    /// The position after the last check that the limit allows.
    fn assess_last(&self, unsolved: Verdict) -> (Numbers, Verdict) {
        match self.game.count_moves(Node::Defence) {
            0 => self.mated(unsolved),
            _ => (Numbers::DISPROVEN, unsolved),
        }
    }

    fn mated(&self, unsolved: Verdict) -> (Numbers, Verdict) {
        (Numbers::PROVEN, Verdict { hand: self.game.mating_hand(), ..unsolved })
    }

    /// Leaves the last frame: stores what was found and tells the parent. Answers the outcome if
    /// there is no parent.
    fn close(&mut self, summary: &Summary) -> Option<Outcome> {
        let is_solved = summary.numbers.is_solved();
        let verdict = if is_solved { self.verdict(summary) } else { Verdict::none() };
        let frame = self.frames.pop().expect("a node is being searched");
        let best = self.children.get(frame.first_child + summary.best).map(|child| child.m);
        self.children.truncate(frame.first_child);
        self.path.pop();
        let Frame { limit, .. } = frame;
        debug_assert!(!summary.numbers.is_proven() || verdict.plies <= limit);
        debug_assert!(!summary.numbers.is_disproven() || verdict.plies >= limit);
        self.store(&frame, summary.numbers, &verdict, best);
        if !frame.is_new && !is_solved {
            self.fruitless = self.fruitless.saturating_add(1);
        }
        let Some(parent) = self.frames.last_mut() else {
            debug_assert!(is_solved, "the root has no thresholds");
            return Some(if summary.numbers.is_proven() {
                Outcome::Proven(verdict.plies, best)
            } else {
                Outcome::Disproven(verdict.plies)
            });
        };
        self.game.undo_move();
        parent.must_progress &= frame.must_progress;
        let child = &mut self.children[parent.first_child + parent.current];
        child.numbers = summary.numbers;
        child.verdict = verdict;
        None
    }

    /// The verdict over the last frame, from its children's; arbitrary if it is unsolved.
    fn verdict(&self, summary: &Summary) -> Verdict {
        let frame = self.frames.last().expect("a node is being searched");
        let children = &self.children[frame.first_child..];
        let best = children.get(summary.best);
        let verdict = match (frame.node, best) {
            (Node::Attack, Some(best)) if summary.numbers.is_proven() => {
                let hand = self.game.hand_before(best.m, best.verdict.hand);
                Verdict { hand, plies: best.verdict.plies.longer(), ..best.verdict }
            }
            (Node::Attack, _) => self.failed(children),
            (Node::Defence, Some(best)) if summary.numbers.is_disproven() => {
                let hand = self.game.hand_before_reply(best.verdict.hand);
                Verdict { hand, plies: best.verdict.plies.longer(), ..best.verdict }
            }
            (Node::Defence, _) => self.mated_after_all(children),
        };
        let ply = self.path.len() - 1;
        Verdict { reliance: verdict.reliance.seen_from(ply), ..verdict }
    }

    /// The verdict over the position on the board, in which all checks have failed.
    fn failed(&self, children: &[Child]) -> Verdict {
        let hands = children.iter().map(|child| (child.m, child.verdict.hand));
        let plies = children.iter().map(|child| child.verdict.plies.longer()).min();
        let reliance = children.iter().map(|child| child.verdict.reliance).min();
        Verdict {
            hand: self.game.failing_hand(hands),
            plies: plies.unwrap_or(Plies::UNLIMITED),
            reliance: reliance.unwrap_or(Reliance::NOTHING),
        }
    }

    /// The verdict over the position on the board, in which all replies are mated.
    fn mated_after_all(&self, children: &[Child]) -> Verdict {
        let hands = children.iter().map(|child| child.verdict.hand);
        let plies = children.iter().map(|child| child.verdict.plies.longer()).max();
        Verdict {
            hand: self.game.hand_against(hands),
            plies: plies.unwrap_or(Plies::ZERO),
            reliance: Reliance::NOTHING,
        }
    }

    fn store(&mut self, frame: &Frame, numbers: Numbers, verdict: &Verdict, best: Option<Move>) {
        let work = self.meter.nodes() - frame.nodes_before;
        let &Verdict { hand, plies, reliance } = verdict;
        let &Frame { board_key, min_ply, has_loops, .. } = frame;
        let Memory { table, loops } = self.memory;
        if numbers.is_proven() {
            table.store_proven(board_key, hand, plies, best, work);
        } else if !numbers.is_disproven() {
            table.store_open(board_key, frame.hand, Open { numbers, min_ply, has_loops }, work);
        } else if reliance == Reliance::NOTHING {
            table.store_disproven(board_key, hand, plies, work);
        } else {
            loops.store(&self.path, board_key, frame.hand, plies, reliance);
            let numbers = match table.look_up(board_key, frame.hand, frame.limit) {
                Known::Open(open) => open.numbers,
                _ => Numbers::open(1, 1),
            };
            table.store_open(
                board_key,
                frame.hand,
                Open { numbers, min_ply, has_loops: true },
                work,
            );
        }
    }
}

/// The answer, if the table has one.
fn solved(known: Known) -> Option<(Numbers, Verdict)> {
    let reliance = Reliance::NOTHING;
    match known {
        Known::Proven { hand, plies, .. } => {
            Some((Numbers::PROVEN, Verdict { hand, plies, reliance }))
        }
        Known::Disproven { hand, plies } => {
            Some((Numbers::DISPROVEN, Verdict { hand, plies, reliance }))
        }
        Known::Open(_) | Known::Absent => None,
    }
}

#[cfg(test)]
mod tests;
