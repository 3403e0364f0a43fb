//! One thread's round with a model of policy and value: several leaves, evaluated together.
//!
//! ```text
//! descend to a leaf; it stays counted as lost in the nodes above it (virtual loss)
//! repeat until the batch is full, so that each descent finds another leaf
//! evaluate the leaves together
//! take the virtual losses back, give the leaves their moves, back their values up
//! ```
//!
//! A leaf that another descent or thread is already waiting for is not evaluated twice: its line
//! keeps the virtual loss until the end of the batch and is then abandoned.
//!
//! Source: G. Chaslot, M. Winands and H. van den Herik, "Parallel Monte-Carlo tree search", CG
//! 2008, for virtual losses; D. Silver et al., "Mastering the game of Go without human knowledge",
//! Nature 550, 2017, for the queue of leaves.

use core::sync::atomic::Ordering;

use komadai_core::Move;
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use super::backup::{Step, back_up};
use super::explorer::{Arrival, Explorer, MAX_TREE_PLY};
use super::node::{Node, Proof};
use super::policy_value::{PolicyRequest, PolicyValue, PolicyValueError};
use super::priors::weigh;

/// The largest number of positions of a batch.
const MAX_BATCH: usize = 4_096;

/// A line whose result is not known yet.
struct Waiting {
    path: Vec<Step>,
    /// The last node if it is in the batch, `None` if the line is to be abandoned.
    leaf: Option<u32>,
}

impl<E: Evaluator> Explorer<'_, E> {
    /// Adds results to the tree: one, or with a model of policy and value those of a batch.
    pub(super) fn round(&mut self, most: Option<u64>) {
        match self.network {
            Some(network) => self.explore_batch(network, most),
            None => self.explore(),
        }
    }

    /// Gives the root its moves.
    pub(super) fn expand_root(&mut self, node: &Node, allowed: &[Move]) {
        if let Some(network) = self.network
            && node.start_expansion()
        {
            let position = self.worker.position.clone();
            let request = PolicyRequest::with_moves(position, allowed.to_vec());
            let mut requests = [request];
            if self.evaluate(network, &mut requests) {
                self.add_moves(node, &requests[0]);
                return;
            }
            node.cancel_expansion();
        }
        // Without a model, or when it fails, there are moves all the same.
        self.expand(node, Some(allowed));
    }

    /// Starts the expansion of a leaf by the model.
    pub(super) fn request(&self, node: &Node) -> Arrival {
        if !node.start_expansion() {
            return Arrival::None;
        }
        let position = &self.worker.position;
        let moves: Vec<Move> = position.legal_moves().into_iter().collect();
        if moves.is_empty() {
            node.cancel_expansion();
            node.set_proof(Proof::MATED);
            return Arrival::Result(0.0);
        }
        Arrival::Open(Box::new(PolicyRequest::with_moves(position.clone(), moves)))
    }

    /// Collects leaves, evaluates them and backs their values up. With `most` results in the tree,
    /// the batch ends.
    fn explore_batch(&mut self, network: &dyn PolicyValue, most: Option<u64>) {
        let size = network.batch_size().clamp(1, MAX_BATCH);
        let mut waiting: Vec<Waiting> = Vec::new();
        let mut requests: Vec<PolicyRequest> = Vec::new();
        // Lines that end by proof or rule fill no batch, but their number per round is limited.
        for _ in 0..2 * size {
            let done = self.shared.playouts.load(Ordering::Relaxed) + requests.len() as u64;
            if requests.len() == size || self.is_over() || most.is_some_and(|most| done >= most) {
                break;
            }
            self.collect(&mut waiting, &mut requests);
        }
        let has_results =
            !requests.is_empty() && !self.is_over() && self.evaluate(network, &mut requests);
        // In reverse order, each edge gets back the rate from before the first virtual loss.
        for line in waiting.iter().rev() {
            for step in &line.path {
                let edge = self.tree.edge(step.edge);
                if line.leaf.is_some() && has_results {
                    edge.set_rate(step.rate);
                } else {
                    edge.leave(step.rate);
                }
            }
        }
        let leaves = waiting.iter_mut().filter_map(|line| Some((&mut line.path, line.leaf?)));
        for ((path, leaf), request) in leaves.zip(&requests) {
            let node = self.tree.node(leaf);
            if !has_results {
                node.cancel_expansion();
                continue;
            }
            if self.may_have_moves(path.len()) {
                self.add_moves(node, request);
            } else {
                node.cancel_expansion();
            }
            path.iter_mut().for_each(|step| step.rate = self.tree.edge(step.edge).rate());
            back_up(self.tree, path, Some(leaf), request.value(), self.options.backup);
            self.shared.playouts.fetch_add(1, Ordering::Relaxed);
        }
        if requests.is_empty() {
            // Another thread is evaluating the leaves that this one has found.
            std::thread::yield_now();
        }
    }

    /// Descends to one leaf.
    fn collect(&mut self, waiting: &mut Vec<Waiting>, requests: &mut Vec<PolicyRequest>) {
        self.path.clear();
        let (node, arrival) = self.descend();
        let counted = match arrival {
            Arrival::Result(result) => Some((Some(node), result)),
            Arrival::OfLine(result) => Some((None, result)),
            Arrival::Open(request) => {
                waiting.push(Waiting { path: self.path.clone(), leaf: Some(node) });
                requests.push(*request);
                None
            }
            Arrival::None => {
                waiting.push(Waiting { path: self.path.clone(), leaf: None });
                None
            }
        };
        if let Some((leaf, result)) = counted {
            back_up(self.tree, &self.path, leaf, result, self.options.backup);
            self.shared.playouts.fetch_add(1, Ordering::Relaxed);
        }
        (0..self.path.len()).for_each(|_| self.worker.undo_move());
    }

    /// Calls the model and checks its results. A failure is stored and ends the search.
    fn evaluate(&self, network: &dyn PolicyValue, requests: &mut [PolicyRequest]) -> bool {
        let check = |requests: &[PolicyRequest]| requests.iter().try_for_each(PolicyRequest::check);
        let result: Result<(), PolicyValueError> =
            network.evaluate(requests).and_then(|()| check(requests));
        let Err(error) = result else { return true };
        // Of several threads' errors the first one is kept.
        let _ = self.shared.failure.set(error);
        self.shared.is_over.store(true, Ordering::Relaxed);
        false
    }

    /// Gives a node that is being expanded its moves with their priors.
    fn add_moves(&self, node: &Node, request: &PolicyRequest) {
        let logits = request.logits().to_vec();
        let weighted = weigh(request.moves(), logits, self.options.temperature);
        if !self.tree.add_edges(node, &weighted) {
            node.cancel_expansion();
            self.shared.is_full.store(true, Ordering::Relaxed);
        }
    }

    fn may_have_moves(&self, ply: usize) -> bool {
        let is_deep = self.options.tree_plies.is_some_and(|plies| ply >= plies as usize);
        !is_deep && ply < MAX_TREE_PLY
    }
}
