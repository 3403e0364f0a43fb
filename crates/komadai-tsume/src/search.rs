//! Depth-first proof-number search.
//!
//! ```text
//! search(node, thresholds):
//!     expand the node
//!     repeat:
//!         proof and disproof number of the node := summary of its children
//!         if one of them has reached its threshold: store both, return
//!         search(best child, until another child is better or the node reaches a threshold)
//! ```
//!
//! This is df-pn (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications",
//! doctoral thesis, University of Tokyo, 2002; survey: A. Kishimoto, M. Winands, M. Müller,
//! J.-T. Saito, "Game-tree search using proof numbers: the first twenty years", 2012), with these
//! differences:
//!
//! 1. The stack is our own list of frames, since mates of more than 1,500 plies exist.
//! 2. Every search has a limit: a mate within a number of plies. Every disproof states the number
//!    of plies it covers, which is unlimited if no line reached the limit. The same search thus
//!    finds any mate (with a limit beyond all mates) and the shortest mate.
//! 3. A position that repeats one of the path, with the attacker holding the same pieces or fewer,
//!    is disproven as long as the path is the same: see [`Reliance`] and [`LoopTable`]. Proofs rely
//!    on solved positions only and hold on every path. The rule is also correct for a mate within a
//!    limit: if the earlier position is a mate, the shortest line never returns to it.
//! 4. If paths of different lengths lead to a position, df-pn can loop for ever without visiting a
//!    new position. Therefore the thresholds of a node may grow until a new position is visited, if
//!    the node has an unsolved child that was first visited nearer the root (A. Kishimoto, "Dealing
//!    with infinite loops, underestimation, and overestimation of depth-first proof-number search",
//!    2010: the threshold controlling algorithm, TCA). The paper does not prove that this catches
//!    every loop, so a counter of returns without progress applies the same rule to all nodes.
//! 5. The numbers of a new position do not start at 1 and 1 (as in df-pn+: A. Nagai and H. Imai,
//!    "Application of df-pn+ to Othello endgames", 1999). They start from the number of evasions of
//!    a check or of checks in a position. The count also detects mates and positions without a
//!    check before they are visited.
//! 6. Similar moves are searched one after the other: see [`postpone`].

use komadai_core::{Hand, Move};
use komadai_movegen::MoveList;

use crate::frame::{Child, Frame, Summary, Verdict};
use crate::game::Game;
use crate::memory::{Memory, Workspace};
use crate::meter::Meter;
use crate::numbers::{Node, Numbers};
use crate::options::Techniques;
use crate::path::{Reliance, position_hash};
use crate::plies::Plies;
use crate::postpone::postpone;
use crate::tables::expansions::{Expanded, FirstNumbers};
use crate::tables::origins::Place;
use crate::tables::table::{Lookup, Open};

mod assessment;

/// The result of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The attacker mates within this many plies; the move is its first one.
    Proven(Plies, Option<Move>),
    /// The attacker does not mate within this many plies.
    Disproven(Plies),
    /// The budget is spent.
    Spent,
}

/// A search from one position.
#[derive(Debug)]
pub(crate) struct Search<'a, 'b, G> {
    memory: &'a Memory,
    work: &'a mut Workspace,
    meter: &'a mut Meter<'b>,
    game: G,
    /// Number of returns from visited, unsolved positions since the last visit to a new one.
    returns_without_progress: u32,
    /// True if other threads search with the same tables.
    is_shared: bool,
    techniques: Techniques,
}

/// Number of nodes from which on a search is long.
///
/// From then on the drops on all squares wait for each other. With one chain from the first node
/// on, 50 of the classics with at most 100,000 nodes each took 11 % fewer nodes and 33 instead of
/// 27 of them were solved, but short problems took 26 % more nodes: the drop that refutes a check
/// may be the last of the chain. With this number it is 5 % fewer, 33 solved, and short problems as
/// before. The numbers of other hands count from then on as well: from the first node on, 337 short
/// problems took 7 % more nodes, and with this number none (2026-11-25).
const LONG_FROM: u64 = 20_000;

/// Number of nodes up to which disproof numbers are weak.
///
/// The sum overestimates what two checks have in common, and few positions show it; in a long
/// search the sum sees better where a disproof is near. With 3,000 nodes, 337 short mates took 44 %
/// fewer nodes than with the sum, 712 other ones 8 %, a quarter of the no-mates 1 % fewer, 212
/// realistic positions as many (at most 400,000 each), and 50 classics of at most 150,000 nodes 3 %
/// more, one fewer decided. With 1,000, 10,000 and no end, the short mates took 93,807, 92,134 and
/// 90,131 nodes instead of 78,811; with no end, 99 classics left 20 instead of 16 undecided
/// (2026-11-25).
const WEAK_UP_TO: u64 = 3_000;

/// Number of visits for which a thread keeps the tables from growing.
const VISITS_A_LOCK: u32 = 256;

/// Number of buckets that a growing table moves for each visit. A visit adds one or two entries. A
/// bucket has 16 of them, and half are free when a growth begins: it ends before they are full.
const BUCKETS_A_VISIT: u64 = 4;

/// Number of returns without a new position after which the search is taken to be in an endless
/// loop. Every number gives correct results. A small one would disturb searches that are in no
/// loop.
const NO_PROGRESS_LIMIT: u32 = 4096;

impl<'a, 'b, G: Game> Search<'a, 'b, G> {
    /// Creates a search from the current position of `game`, with the attacker to move.
    pub(crate) fn new(
        memory: &'a Memory,
        work: &'a mut Workspace,
        meter: &'a mut Meter<'b>,
        game: G,
    ) -> Self {
        debug_assert!(work.frames.is_empty() && work.children.is_empty() && work.path.len() == 0);
        let techniques = memory.techniques;
        Self {
            memory,
            work,
            meter,
            game,
            returns_without_progress: 0,
            is_shared: false,
            techniques,
        }
    }

    /// The same search, with other threads that use the same tables.
    pub(crate) fn shared(self) -> Self {
        Self { is_shared: true, ..self }
    }

    /// Proves or disproves a mate within `limit`, an odd number of plies.
    pub(crate) fn run(self, limit: Plies) -> Outcome {
        self.known(limit).unwrap_or_else(|| self.run_without_lookup(limit))
    }

    /// Returns the keys of the position on the board in the tables.
    fn keys(&self) -> (u64, Hand) {
        let (board_key, hand) = self.game.keys();
        (self.memory.key(board_key), hand)
    }

    /// Returns the result, if the table has it.
    pub(crate) fn known(&self, limit: Plies) -> Option<Outcome> {
        let (board_key, hand) = self.keys();
        match self.memory.table.look_up(board_key, hand, limit) {
            Lookup::Proven { plies, best, .. } => Some(Outcome::Proven(plies, best)),
            Lookup::Disproven { plies, .. } => Some(Outcome::Disproven(plies)),
            Lookup::Open(_) | Lookup::Absent => None,
        }
    }

    /// Searches as [`run`](Self::run) does, but without the table lookup at the root, because a
    /// table entry may lack the first move of a proof.
    pub(crate) fn run_without_lookup(self, limit: Plies) -> Outcome {
        self.run_up_to(limit, u64::MAX)
    }

    /// Searches as [`run_without_lookup`](Self::run_without_lookup) does, but gives up as soon as
    /// the number of nodes has reached `most_nodes`.
    pub(crate) fn run_up_to(mut self, limit: Plies, most_nodes: u64) -> Outcome {
        if self.meter.is_spent() {
            return Outcome::Spent;
        }
        let memory = self.memory;
        let mut growth = self.is_shared.then(|| memory.keep_from_growing());
        let mut visits = 0_u32;
        let (board_key, hand) = self.keys();
        let found = match self.memory.table.look_up(board_key, hand, limit) {
            Lookup::Open(open) => Some(open),
            _ => None,
        };
        self.open(Node::Attack, limit, Numbers::INFINITE, found);
        while let Some(frame) = self.work.frames.last() {
            let children = &self.work.children[frame.first_child..];
            let summary = summary(self.counting(), frame.node, children);
            let must_progress = (frame.must_progress
                && self.techniques.contains(Techniques::PROGRESS))
                || self.returns_without_progress > NO_PROGRESS_LIMIT;
            let thresholds = if must_progress {
                summary.numbers.below(frame.thresholds)
            } else {
                frame.thresholds
            };
            if !summary.numbers.is_solved() && !summary.numbers.reach(thresholds) {
                if self.meter.is_spent() || self.meter.is_over() || self.meter.nodes() >= most_nodes
                {
                    self.abandon();
                    return Outcome::Spent;
                }
                visits += 1;
                // The table grows while no thread holds it, this one included.
                if visits.is_multiple_of(VISITS_A_LOCK)
                    && let Some(lock) = growth.take()
                {
                    drop(lock);
                    memory.grow_alone(BUCKETS_A_VISIT * u64::from(VISITS_A_LOCK));
                    growth = Some(memory.keep_from_growing());
                }
                if self.meter.is_report_due() {
                    self.report();
                }
                self.descend(&summary, thresholds);
            } else if let Some(outcome) = self.close(&summary) {
                return outcome;
            }
        }
        unreachable!("closing the first frame ends the search")
    }

    /// Reports the numbers of the root, as of the last return to it, and the path.
    fn report(&mut self) {
        let Self { memory, meter, work, techniques, .. } = self;
        meter.report(memory.used_bytes() + work.bytes(), |progress| {
            let Workspace { frames, children, .. } = &**work;
            let ends = frames.iter().skip(1).map(|frame| frame.first_child);
            let mut ends = ends.chain([children.len()]);
            if let (Some(root), Some(end)) = (frames.first(), ends.next()) {
                let Numbers { proof, disproof } =
                    summary(*techniques, root.node, &children[root.first_child..end]).numbers;
                (progress.proof_number, progress.disproof_number) = (proof, disproof);
            }
            // The current child of the last frame has not been visited yet.
            let path = frames.iter().take(frames.len().saturating_sub(1));
            progress.line =
                path.map(|frame| children[frame.first_child + frame.current].m).collect();
        });
    }

    /// Undoes all moves and drops all frames.
    fn abandon(&mut self) {
        // The first frame is the root, which no move has led to.
        for _ in 1..self.work.frames.len() {
            self.game.undo_move();
        }
        self.work.frames.clear();
        self.work.children.clear();
        self.work.path.clear();
    }

    /// Searches the best child, unless the table has solved it meanwhile.
    fn descend(&mut self, summary: &Summary, thresholds: Numbers) {
        let frame = self.work.frames.last_mut().expect("a node is being searched");
        frame.current = summary.best;
        let node = frame.node;
        let limit = frame.limit.shorter();
        let must_progress = frame.must_progress;
        let child = &mut self.work.children[frame.first_child + summary.best];
        let found = self.memory.table.look_up(child.board_key, child.hand, limit);
        if let Some((numbers, verdict)) = solved(found) {
            child.numbers = numbers;
            child.verdict = verdict;
            return;
        }
        let found = match found {
            Lookup::Open(open) => Some(open),
            _ => None,
        };
        let switches_late = self.techniques.contains(Techniques::LATE_SWITCHES);
        let thresholds = summary.child_thresholds(node, thresholds, switches_late);
        if self.is_shared {
            // Another thread has searched the position or is about to: this one chooses again.
            if let Some(open) = found
                && open.numbers.success(node) > child.numbers.success(node)
            {
                child.numbers = open.numbers;
                return;
            }
            // The numbers with which this thread would come back, for the others (virtual proof
            // numbers: T. Kaneko, "Parallel depth first proof number search", 2010).
            let success = thresholds.success(node).min(2 * child.numbers.success(node) + 1);
            let failure = child.numbers.failure(node);
            let virtual_numbers = Numbers::of_mover(node, success, failure);
            let numbers = Numbers::open(virtual_numbers.proof, virtual_numbers.disproof);
            let ply = self.work.path.len() as u16;
            let open = Open {
                numbers,
                min_ply: found.map_or(ply, |open| open.min_ply.min(ply)),
                has_loops: found.is_some_and(|open| open.has_loops),
            };
            self.memory.table.store_open(child.board_key, child.hand, open, 0);
        }
        let m = child.m;
        self.game.do_move(m);
        self.open(node.next(), limit, thresholds, found);
        // A new position is progress and ends the rule of point 4; otherwise the child inherits it.
        let frame = self.work.frames.last_mut().expect("a node has just been opened");
        frame.must_progress = !frame.is_new && (frame.must_progress || must_progress);
    }

    /// Visits the position on the board: pushes its frame and expands it. `found` is its entry in
    /// the table.
    fn open(&mut self, node: Node, limit: Plies, thresholds: Numbers, found: Option<Open>) {
        debug_assert!(!limit.is_zero(), "positions at the limit are assessed, not visited");
        let nodes_before = self.meter.nodes();
        self.meter.visit();
        // A shared table grows where its threads wait for each other.
        if !self.is_shared && self.memory.table.is_crowded() {
            self.memory.table.grow(BUCKETS_A_VISIT);
        }
        let (board_key, hand) = self.keys();
        let ply = self.work.path.len();
        let frame = Frame {
            node,
            board_key,
            hand,
            limit,
            thresholds,
            first_child: self.work.children.len(),
            current: 0,
            nodes_before,
            min_ply: found.map_or(ply as u16, |open| open.min_ply.min(ply as u16)),
            has_loops: found.is_some_and(|open| open.has_loops),
            is_new: found.is_none(),
            must_progress: false,
        };
        if frame.is_new {
            self.returns_without_progress = 0;
        }
        if self.work.origins.is_some() {
            self.work.note_origin(Place { board_key, hand }, !frame.is_new);
        }
        self.work.path.push(board_key, hand);
        self.work.frames.push(frame);
        self.expand(node, board_key, hand, limit.shorter());
    }

    /// Lists and assesses the children of the last frame.
    fn expand(&mut self, node: Node, board_key: u64, hand: Hand, limit: Plies) {
        let first_child = self.work.children.len();
        self.list_children(node, board_key, hand);
        for index in first_child..self.work.children.len() {
            let child = &self.work.children[index];
            let m = child.m;
            let first = child.first;
            let (numbers, verdict, first) =
                self.assess(node.next(), m, (child.board_key, child.hand), first, limit);
            let child = &mut self.work.children[index];
            (child.numbers, child.verdict, child.first) = (numbers, verdict, first);
            // The other moves cannot change the result. A disproof that relies on the path does not
            // end the loop: another reply may give one that holds everywhere.
            if numbers.success(node) == 0 && verdict.reliance == Reliance::NOTHING {
                self.work.children.truncate(index + 1);
                return;
            }
        }
        if !self.techniques.contains(Techniques::POSTPONED_MOVES) {
            return;
        }
        let is_long = self.techniques.contains(Techniques::ONE_CHAIN) && self.is_long();
        let king = if is_long { self.game.king() } else { None };
        postpone(node, &mut self.work.children[first_child..], king);
    }

    /// Returns the techniques with those that count children at this point of the search.
    fn counting(&self) -> Techniques {
        if self.meter.nodes() < WEAK_UP_TO {
            self.techniques
        } else {
            self.techniques - Techniques::WEAK_DISPROOFS
        }
    }

    fn is_long(&self) -> bool {
        self.meter.nodes() >= LONG_FROM
    }

    /// Adds the moves of the position on the board to the children, with the keys after them.
    fn list_children(&mut self, node: Node, board_key: u64, hand: Hand) {
        let Self { memory, work: Workspace { children, expansions, origins, .. }, game, .. } = self;
        let parent = Place { board_key, hand };
        let mut add = |m, first| {
            let (board_key, hand) = game.keys_after(node, m);
            let board_key = memory.key(board_key);
            memory.table.prefetch(board_key);
            let has_met = origins
                .as_ref()
                .is_some_and(|origins| origins.has_met(parent, Place { board_key, hand }));
            children.push(Child {
                m,
                first,
                board_key,
                hand,
                numbers: Numbers::INFINITE,
                verdict: Verdict::none(),
                waits_for: None,
                has_met,
            });
        };
        // Most visits are to positions that were visited before, and generating moves is the
        // dearest part.
        if let Some(moves) = expansions.find(position_hash(board_key, hand)) {
            moves.for_each(|word| {
                if let Some(m) = word.m() {
                    add(m, word.first());
                }
            });
            return;
        }
        let mut moves = MoveList::new();
        game.list_moves(node, &mut moves);
        for m in &moves {
            add(m, FirstNumbers::UNKNOWN);
        }
    }

    /// Pops the last frame, stores its result and passes it to the parent. Returns the outcome of
    /// the search if the frame has no parent.
    fn close(&mut self, summary: &Summary) -> Option<Outcome> {
        let is_solved = summary.numbers.is_solved();
        let verdict = if is_solved { self.verdict(summary) } else { Verdict::none() };
        let frame = self.work.frames.pop().expect("a node is being searched");
        let children = &self.work.children[frame.first_child..];
        let best = children.get(summary.best).map(|child| child.m);
        if !is_solved && self.techniques.contains(Techniques::KEPT_MOVES) {
            let moves = children.iter().map(|child| Expanded::new(child.m, child.first));
            self.work.expansions.insert(position_hash(frame.board_key, frame.hand), moves);
        }
        self.work.children.truncate(frame.first_child);
        self.work.path.pop();
        let Frame { limit, .. } = frame;
        debug_assert!(!summary.numbers.is_proven() || verdict.plies <= limit);
        debug_assert!(!summary.numbers.is_disproven() || verdict.plies >= limit);
        self.store(&frame, summary.numbers, &verdict, best);
        if !frame.is_new && !is_solved {
            self.returns_without_progress = self.returns_without_progress.saturating_add(1);
        }
        let Some(parent) = self.work.frames.last_mut() else {
            debug_assert!(is_solved, "the root has no thresholds");
            return Some(if summary.numbers.is_proven() {
                Outcome::Proven(verdict.plies, best)
            } else {
                Outcome::Disproven(verdict.plies)
            });
        };
        self.game.undo_move();
        // A new position was visited below if the child has lost the flag.
        parent.must_progress &= frame.must_progress;
        let child = &mut self.work.children[parent.first_child + parent.current];
        child.numbers = summary.numbers;
        child.verdict = verdict;
        None
    }

    /// Computes the verdict of the last frame from those of its children. Undefined if the frame is
    /// unsolved.
    fn verdict(&self, summary: &Summary) -> Verdict {
        let frame = self.work.frames.last().expect("a node is being searched");
        let children = &self.work.children[frame.first_child..];
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
            (Node::Defence, _) => self.all_replies_mated(children),
        };
        let ply = self.work.path.len() - 1;
        Verdict { reliance: verdict.reliance.seen_from(ply), ..verdict }
    }

    /// Computes the verdict of the position on the board, in which all checks have failed.
    ///
    /// The disproof covers as many plies as the weakest of the children's and relies on all that
    /// they rely on.
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

    /// Computes the verdict of the position on the board, in which all replies are mated.
    fn all_replies_mated(&self, children: &[Child]) -> Verdict {
        let hands = children.iter().map(|child| child.verdict.hand);
        let plies = children.iter().map(|child| child.verdict.plies.longer()).max();
        Verdict {
            hand: self.game.hand_against(hands),
            plies: plies.unwrap_or(Plies::ZERO),
            reliance: Reliance::NOTHING,
        }
    }

    /// Stores the result of a closed frame in the table that fits it.
    fn store(&mut self, frame: &Frame, numbers: Numbers, verdict: &Verdict, best: Option<Move>) {
        let work = self.meter.nodes() - frame.nodes_before;
        let &Verdict { hand, plies, reliance } = verdict;
        let &Frame { board_key, min_ply, has_loops, .. } = frame;
        let Memory { table, loops, .. } = self.memory;
        if numbers.is_proven() {
            table.store_proven(board_key, hand, plies, best, work);
        } else if !numbers.is_disproven() {
            table.store_open(board_key, frame.hand, Open { numbers, min_ply, has_loops }, work);
        } else if reliance == Reliance::NOTHING {
            table.store_disproven(board_key, hand, plies, work);
        } else {
            // In the main table the position stays open, since other paths may lead to a mate. The
            // flag makes later visits search the loop table.
            loops.store(&self.work.path, board_key, frame.hand, plies, reliance);
            let numbers = match table.look_up(board_key, frame.hand, frame.limit) {
                Lookup::Open(open) => open.numbers,
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

/// Computes the numbers of a node from its children.
fn summary(techniques: Techniques, node: Node, children: &[Child]) -> Summary {
    let weak = match node {
        Node::Attack => Techniques::WEAK_DISPROOFS,
        Node::Defence => Techniques::WEAK_PROOFS,
    };
    if techniques.intersects(weak | Techniques::MET_ONCE) {
        Summary::with_less(node, children, techniques.contains(weak))
    } else {
        Summary::new(node, children)
    }
}

/// Returns the numbers and the verdict of a table entry that solves the position.
fn solved(found: Lookup) -> Option<(Numbers, Verdict)> {
    let reliance = Reliance::NOTHING;
    match found {
        Lookup::Proven { hand, plies, .. } => {
            Some((Numbers::PROVEN, Verdict { hand, plies, reliance }))
        }
        Lookup::Disproven { hand, plies } => {
            Some((Numbers::DISPROVEN, Verdict { hand, plies, reliance }))
        }
        Lookup::Open(_) | Lookup::Absent => None,
    }
}

#[cfg(test)]
mod tests;
