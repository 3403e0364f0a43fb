//! One thread of the tree search: descends, values a leaf, and backs its result up.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::OnceLock;

use komadai_core::{Bound, Color, Move, Pv};
use komadai_eval::Evaluator;
use komadai_movegen::{CheckClass, MateResult, MateSolver, MoveGen};

use super::backup::{Step, back_up};
use super::favourite::Favourite;
use super::node::{Edge, Node, Proof};
use super::options::{Judge, Leaf, MonteCarloOptions, Playout};
use super::playout::{End, Player};
use super::policy_value::{PolicyRequest, PolicyValue, PolicyValueError};
use super::priors::{PriorKnowledge, Ranking};
use super::rave::LaterMoves;
use super::selection::select;
use super::tree::Tree;
use crate::proof_table::{ProofTable, ProvenMate};
use crate::transposition_table::TranspositionTable;
use crate::value::{MAX_PLY, Value, WON_BY_RULE, Window};
use crate::worker::Worker;

/// The longest line of the tree: below it, the quiescence search needs some plies.
pub(super) const MAX_TREE_PLY: usize = MAX_PLY - 50;

/// The state that the threads of one search share besides the tree.
#[derive(Debug, Default)]
pub(super) struct Shared<'a> {
    /// Number of results.
    pub(super) playouts: AtomicU64,
    /// True once the memory of the tree is used up.
    pub(super) is_full: AtomicBool,
    /// True once the search is over.
    pub(super) is_over: AtomicBool,
    /// The first error of the model of policy and value.
    pub(super) failure: OnceLock<PolicyValueError>,
    /// Set by the caller to end the search.
    pub(super) stop: Option<&'a AtomicBool>,
    /// The move of the root that another search prefers.
    pub(super) favourite: Option<&'a Favourite>,
    /// Receives the mates that the tree proves.
    pub(super) proofs: Option<&'a ProofTable>,
}

/// The work that all threads of one search share.
#[derive(Clone, Copy)]
pub(super) struct TreeSearch<'a> {
    pub(super) tree: &'a Tree,
    pub(super) root: u32,
    pub(super) options: &'a MonteCarloOptions,
    pub(super) knowledge: &'a PriorKnowledge,
    /// The table whose mates and best moves help the tree.
    pub(super) advice: &'a TranspositionTable,
    pub(super) shared: &'a Shared<'a>,
}

/// The end of a line: a result for the side to move there.
pub(super) enum Arrival {
    /// It counts in the node.
    Result(f32),
    /// It depends on the moves before, and counts in the line only.
    OfLine(f32),
    /// The model of policy and value is to give it.
    Open(Box<PolicyRequest>),
    /// There is none: the budget or the memory is used up, or a model is about to give it.
    None,
}

/// One thread of the tree search.
pub(super) struct Explorer<'a, E: Evaluator> {
    pub(super) worker: Worker<'a, E>,
    pub(super) tree: &'a Tree,
    pub(super) root: u32,
    pub(super) options: &'a MonteCarloOptions,
    pub(super) ranking: Ranking<'a>,
    /// The table whose mates and best moves help the tree.
    pub(super) advice: &'a TranspositionTable,
    pub(super) shared: &'a Shared<'a>,
    pub(super) player: Player,
    pub(super) solver: Option<&'a mut (dyn MateSolver + Send + 'static)>,
    /// The quiescence value of the root, for the judge that compares with it.
    pub(super) root_value: Value,
    /// The model that gives moves their priors and leaves their values, in the place of the others.
    pub(super) network: Option<&'a dyn PolicyValue>,
    /// The moves of a line, for RAVE.
    later: Option<LaterMoves>,
    knowledge: &'a PriorKnowledge,
    /// The move before the root.
    before: Option<Move>,
    pub(super) path: Vec<Step>,
}

impl<'a, E: Evaluator> Explorer<'a, E> {
    pub(super) fn new(worker: Worker<'a, E>, search: TreeSearch<'a>, player: Player) -> Self {
        let TreeSearch { tree, root, options, knowledge, advice, shared } = search;
        let path = Vec::new();
        let before = worker.position.current().last_move();
        Self {
            worker,
            tree,
            root,
            options,
            ranking: Ranking::new(knowledge, options.temperature),
            advice,
            shared,
            player,
            solver: None,
            root_value: 0,
            later: options.rave.map(|_| LaterMoves::new()),
            knowledge,
            before,
            network: None,
            path,
        }
    }

    /// Returns whether the search, or this thread's part of it, is over.
    pub(super) fn is_over(&self) -> bool {
        self.worker.meter.is_over()
            || self.shared.is_over.load(Ordering::Relaxed)
            || self.shared.is_full.load(Ordering::Relaxed)
            || self.shared.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.tree.node(self.root).proof().is_some()
    }

    /// Adds results until the search is over.
    pub(super) fn run(&mut self) {
        self.worker.meter.enforce();
        while !self.is_over() {
            self.round(self.options.playouts);
        }
    }

    /// Adds a result to the tree: descends to a leaf, values it and backs the result up.
    pub(super) fn explore(&mut self) {
        self.path.clear();
        self.player.forget();
        let (node, arrival) = self.descend();
        let (leaf, result) = match arrival {
            Arrival::Result(result) => (Some(node), Some(result)),
            Arrival::OfLine(result) => (None, Some(result)),
            Arrival::Open(_) | Arrival::None => (None, None),
        };
        match result {
            Some(result) => {
                if let Some(later) = &mut self.later {
                    later.clear();
                    self.player.moves().for_each(|(side, m)| later.add(side, m));
                    later.credit(self.tree, &self.path, self.worker.position.side(), result);
                }
                if let Some(advantages) = &self.knowledge.advantages {
                    let side = self.worker.position.side();
                    advantages.learn(self.tree, &self.path, self.before, side, result);
                }
                back_up(self.tree, &self.path, leaf, result, self.options.backup);
                self.shared.playouts.fetch_add(1, Ordering::Relaxed);
                if let (Some(proofs), Some(leaf)) = (self.shared.proofs, leaf) {
                    self.publish(proofs, leaf);
                }
            }
            None => self.abandon(),
        }
        (0..self.path.len()).for_each(|_| self.worker.undo_move());
    }

    /// Hands on the mates that the end of this line has proved: of the leaf, and of the nodes above
    /// it as far as they are proven.
    fn publish(&self, proofs: &ProofTable, leaf: u32) {
        let above = self.path.iter().rev().map(|step| step.node);
        for index in std::iter::once(leaf).chain(above) {
            let node = self.tree.node(index);
            let Some(Proof { wins, declares, plies }) = node.proof() else { break };
            let key = node.key.load(Ordering::Relaxed);
            let is_known = || proofs.get(key).is_some_and(|known| known.plies <= plies);
            // A declaration has no line, and a mated side no move.
            if declares || plies == 0 || is_known() {
                continue;
            }
            let m = self.proven_move(node).or_else(|| {
                let is_short = index == leaf && wins && plies == 1;
                is_short.then(|| self.worker.position.mate_in_one()).flatten()
            });
            if let Some(m) = m {
                proofs.add(key, ProvenMate { wins, plies, m });
            }
        }
    }

    /// Returns the move of a proven node to the position whose mate is one ply shorter.
    fn proven_move(&self, node: &Node) -> Option<Move> {
        let proof = node.proof()?;
        let is_next = |edge: &&Edge| {
            let child = edge.child().and_then(|child| self.tree.node(child).proof());
            child.is_some_and(|child| child.before() == proof)
        };
        self.tree.edges_of(node)?.iter().find(is_next).map(Edge::m)
    }

    /// Follows the best moves to a leaf. Returns its node and its value.
    pub(super) fn descend(&mut self) -> (u32, Arrival) {
        let mut index = self.root;
        loop {
            let node = self.tree.node(index);
            let ply = self.path.len();
            if let Some(proof) = node.proof() {
                return (index, Arrival::Result(proof.rate()));
            }
            if ply > 0
                && let Some(value) = self.worker.game_end(ply)
            {
                return (index, self.ended(node, value));
            }
            if let Some(proof) = self.prove(node, ply) {
                node.set_proof(proof);
                return (index, Arrival::Result(proof.rate()));
            }
            if self.network.is_some() && node.edges().is_none() {
                return (index, self.request(node));
            }
            if node.edges().is_none() && !(self.may_expand(node, ply) && self.expand(node, None)) {
                return (index, self.leaf_value(ply));
            }
            if self.worker.meter.is_over() {
                return (index, Arrival::None);
            }
            match self.step(index) {
                Some(child) => index = child,
                // Every move is lost, or the memory is used up.
                None => return (index, Arrival::None),
            }
        }
    }

    /// Does the chosen move. Returns the node after it.
    fn step(&mut self, index: u32) -> Option<u32> {
        let node = self.tree.node(index);
        let range = node.edges()?;
        let edges = self.tree.edges_of(node)?;
        let hash_move = (self.options.hash_move_bonus > 0.0)
            .then(|| self.advice.probe(self.worker.position.key()))
            .flatten()
            .and_then(|entry| entry.best);
        let favourite = self.shared.favourite.filter(|_| index == self.root);
        let chosen = match favourite.and_then(|favourite| favourite.turn(node, edges)) {
            Some(chosen) => chosen,
            None => {
                let hash_move = hash_move.or_else(|| favourite?.get());
                let of_root = self.options.root_unvisited.filter(|_| index == self.root);
                let unvisited = of_root.unwrap_or(self.options.unvisited);
                select(self.tree, node, edges, hash_move, unvisited, self.options)?
            }
        };
        let edge = &edges[chosen];
        let rate = edge.rate();
        edge.enter();
        self.worker.do_move(edge.m(), self.path.len());
        self.path.push(Step { node: index, edge: range.start + chosen as u32, rate });
        if let Some(child) = edge.child() {
            return Some(child);
        }
        let child = self.tree.find_or_add(self.worker.position.key());
        match child {
            Some(child) => edge.set_child(child),
            None => self.shared.is_full.store(true, Ordering::Relaxed),
        }
        child
    }

    /// Returns the result of a game that a rule has ended.
    fn ended(&self, node: &Node, value: Value) -> Arrival {
        if self.options.proofs && value == WON_BY_RULE && self.worker.can_declare() {
            node.set_proof(Proof::DECLARES);
            return Arrival::Result(1.0);
        }
        Arrival::OfLine(self.rate(value))
    }

    /// Looks for a mate at nodes on their first visit, and with the solver at some later ones.
    fn prove(&mut self, node: &Node, ply: usize) -> Option<Proof> {
        if !self.options.proofs {
            return None;
        }
        let visits = node.visits();
        let position = &self.worker.position;
        // No mate counts once the number of moves has been reached.
        let is_limited = self.options.search.max_moves.is_some();
        if visits == 0 && ply > 0 {
            if position.in_check() && !position.has_legal_move() {
                return Some(Proof::MATED);
            }
            if is_limited {
                return None;
            }
            return match position.mate_in_one() {
                Some(_) => Some(Proof::mate_in(1)),
                None => self.advised_mate(),
            };
        }
        let least = self.options.solver_visits.max(1);
        let tries = visits / least;
        if !visits.is_multiple_of(least) || !tries.is_power_of_two() || is_limited {
            return None;
        }
        let nodes = self.options.solver_nodes.saturating_mul(u64::from(tries));
        let budget = self.worker.meter.part(nodes);
        let report = self.solver.as_mut()?.solve(position, &budget, CheckClass::All);
        self.worker.meter.add_nodes(report.nodes);
        match report.result {
            MateResult::Mate { line, .. } if self.note_mate(node, &line) => {
                if let Some(proofs) = self.shared.proofs {
                    proofs.add_line(&self.worker.position, &line);
                }
                Some(Proof::mate_in(line.len() as u32))
            }
            _ => None,
        }
    }

    /// Notes the first move of a mate, so that a report about the node shows it. Returns `false` if
    /// it is not among the moves of the node, as where the caller restricts those of the root.
    fn note_mate(&self, node: &Node, line: &Pv) -> bool {
        let (Some(&m), Some(edges)) = (line.first(), self.tree.edges_of(node)) else { return true };
        let Some(edge) = edges.iter().find(|edge| edge.m() == m) else { return false };
        let key = self.worker.position.after(m).key();
        let Some(child) = edge.child().or_else(|| self.tree.find_or_add(key)) else { return false };
        let mated = Proof { plies: line.len() as u32 - 1, ..Proof::MATED };
        self.tree.node(child).set_proof(mated);
        edge.set_child(child);
        true
    }

    /// Returns the mate by the side to move that alpha-beta has found.
    fn advised_mate(&self) -> Option<Proof> {
        let entry = self.advice.probe(self.worker.position.key())?;
        let plies = entry.score.mate_plies().filter(|_| entry.bound == Bound::Exact)?;
        (plies > 0).then(|| Proof::mate_in(plies.unsigned_abs()))
    }

    fn may_expand(&self, node: &Node, ply: usize) -> bool {
        let is_deep = self.options.tree_plies.is_some_and(|plies| ply >= plies as usize);
        let is_visited = node.visits() >= self.options.expansion_visits.max(1);
        (is_visited || ply == 0) && !is_deep && ply < MAX_TREE_PLY
    }

    /// Gives a node its moves: all legal ones, or those of `only`. Returns `false` if another
    /// thread is about to, or if the memory is used up.
    pub(super) fn expand(&mut self, node: &Node, only: Option<&[Move]>) -> bool {
        if !node.start_expansion() {
            return false;
        }
        let share = self.options.hash_move_prior;
        let good = (share > 0.0)
            .then(|| self.worker.table.probe(self.worker.position.key())?.best)
            .flatten()
            .map(|m| (m, share.min(1.0)));
        let ranked = self.ranking.rank(&self.worker.position, only, good);
        if ranked.is_empty() {
            node.cancel_expansion();
            node.set_proof(Proof::MATED);
            return false;
        }
        if self.tree.add_edges(node, ranked) {
            return true;
        }
        node.cancel_expansion();
        self.shared.is_full.store(true, Ordering::Relaxed);
        false
    }

    /// Returns the value of the position as a result.
    fn leaf_value(&mut self, ply: usize) -> Arrival {
        let result = match self.options.leaf {
            Leaf::Quiescence => {
                let value = self.worker.leaf::<false>(Window::FULL, ply);
                self.rate(value)
            }
            Leaf::Search { depth } => {
                let value = self.worker.node::<true>(Window::FULL, i32::from(depth), ply, false);
                self.rate(value)
            }
            Leaf::Playout(playout) => self.playout(&playout, ply),
        };
        if self.worker.meter.is_over() { Arrival::None } else { Arrival::Result(result) }
    }

    /// Plays a random game. Returns its result for the side to move at the leaf.
    fn playout(&mut self, playout: &Playout, ply: usize) -> f32 {
        let us = self.worker.position.side();
        let (end, plies) = self.player.play(&mut self.worker.position, playout);
        self.worker.meter.add_nodes(u64::from(plies));
        let result = match end {
            End::Won(winner) => f32::from(u8::from(winner == us)),
            End::Drawn => 0.5,
            End::Open => self.judged(playout.judge, us, ply),
        };
        if result != 0.5 {
            let winner = if result > 0.5 { us } else { !us };
            let worker = &self.worker;
            let line = (1..=ply).filter_map(|back| {
                let side = if back % 2 == 0 { us } else { !us };
                Some((side, worker.piece_to_before(ply, back)?.index()))
            });
            self.player.learn(winner, line, playout.learning);
        }
        for _ in 0..plies {
            self.worker.position.undo_move();
        }
        result
    }

    /// Returns the result of `us` in the last position of a random game.
    fn judged(&mut self, judge: Judge, us: Color, ply: usize) -> f32 {
        let is_ours = self.worker.position.side() == us;
        let own = |value: Value| if is_ours { value } else { -value };
        let sign = |value: Value, draw_cp: i32| match value {
            value if value > draw_cp => 1.0,
            value if value < -draw_cp => 0.0,
            _ => 0.5,
        };
        let worker = &mut self.worker;
        match judge {
            Judge::Sign { draw_cp } => {
                sign(own(worker.evaluator.evaluate_position(&worker.position)), draw_cp)
            }
            Judge::Rate => {
                let value = worker.evaluator.evaluate_position(&worker.position);
                self.rate(own(value))
            }
            Judge::Gain { draw_cp } => {
                let state = worker.evaluator.refresh(&worker.position);
                let before = core::mem::replace(&mut worker.state, state);
                let value = own(worker.leaf::<false>(Window::FULL, ply));
                worker.state = before;
                // The value of the root is that of its side to move.
                let root = if ply.is_multiple_of(2) { self.root_value } else { -self.root_value };
                sign(value - root, draw_cp)
            }
        }
    }

    /// Returns the expected result of a value in centipawns.
    #[inline]
    fn rate(&self, value: Value) -> f32 {
        1.0 / (1.0 + (-value as f32 / self.options.scale_cp).exp())
    }

    /// Takes back the visits of a line without result.
    fn abandon(&mut self) {
        for step in &self.path {
            self.tree.edge(step.edge).leave(step.rate);
        }
    }
}
