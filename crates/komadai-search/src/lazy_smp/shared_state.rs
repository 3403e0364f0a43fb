//! The state that the threads of one search share, besides the transposition table and the history.

use core::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::lazy_smp::abdada::AbdadaTable;
use crate::root_move::RootMove;

/// The state that the threads of one search share.
#[derive(Debug)]
pub(crate) struct SharedState {
    /// The sum of the nodes that the threads have reported.
    nodes: AtomicU64,
    /// True if all threads are to stop.
    is_stopped: AtomicBool,
    /// The moves that are being searched.
    pub(crate) abdada: AbdadaTable,
    /// The deepest iteration that a thread has finished.
    depth: AtomicI32,
    /// The deepest finished iteration with its results.
    finished: Mutex<FinishedIteration>,
}

/// A finished iteration and its results.
#[derive(Debug, Clone, Default)]
pub(crate) struct FinishedIteration {
    pub(crate) depth: i32,
    pub(crate) moves: Vec<RootMove>,
}

// Relaxed throughout: no other data depends on these words (the results have a lock), and a count
// or a flag that is seen a moment later does no harm.
impl SharedState {
    pub(crate) fn new() -> Self {
        Self {
            nodes: AtomicU64::new(0),
            is_stopped: AtomicBool::new(false),
            abdada: AbdadaTable::new(),
            depth: AtomicI32::new(0),
            finished: Mutex::default(),
        }
    }

    /// Returns the number of nodes that the threads have reported.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Adds nodes and returns the new sum.
    pub(crate) fn add_nodes(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes
    }

    /// Requests all threads to stop.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Checks whether the threads are to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Checks whether a thread has finished this iteration or a deeper one.
    pub(crate) fn is_finished(&self, depth: i32) -> bool {
        self.depth.load(Ordering::Relaxed) >= depth
    }

    /// Publishes the results of an iteration, unless another thread was faster.
    pub(crate) fn publish(&self, depth: i32, moves: &[RootMove]) {
        let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        if depth > finished.depth {
            *finished = FinishedIteration { depth, moves: moves.to_vec() };
            self.depth.store(depth, Ordering::Relaxed);
        }
    }

    /// Returns the deepest finished iteration, if it is at least as deep as `depth`.
    pub(crate) fn finished(&self, depth: i32) -> Option<FinishedIteration> {
        let finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        (finished.depth >= depth).then(|| finished.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_iteration_is_kept() {
        let shared = SharedState::new();
        assert!(shared.finished(1).is_none() && !shared.is_finished(1));
        shared.publish(3, &[]);
        shared.publish(2, &[]);
        assert_eq!(shared.finished(1).map(|iteration| iteration.depth), Some(3));
        assert!(shared.is_finished(3) && !shared.is_finished(4));
        assert!(shared.finished(4).is_none());
    }
}
