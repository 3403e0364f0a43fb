//! What several threads at one search have in common, besides the transposition table.

use core::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::abdada::BusyTable;
use crate::root::RootMove;

/// The state that threads share.
#[derive(Debug)]
pub(crate) struct Together {
    /// The nodes of all, each of which adds its own now and then.
    nodes: AtomicU64,
    /// What was asked for has been done.
    is_done: AtomicBool,
    /// What the threads are at.
    pub(crate) busy: BusyTable,
    /// The deepest iteration that one of them has finished.
    depth: AtomicI32,
    /// The same with what it has found.
    finished: Mutex<Iteration>,
}

/// An iteration and its results.
#[derive(Debug, Clone, Default)]
pub(crate) struct Iteration {
    pub(crate) depth: i32,
    pub(crate) moves: Vec<RootMove>,
}

// Relaxed throughout: a count or a flag that is seen a moment later does no harm.
impl Together {
    pub(crate) fn new() -> Self {
        Self {
            nodes: AtomicU64::new(0),
            is_done: AtomicBool::new(false),
            busy: BusyTable::new(),
            depth: AtomicI32::new(0),
            finished: Mutex::default(),
        }
    }

    /// The nodes of which the threads have told.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Adds nodes; returns how many there are now.
    pub(crate) fn add_nodes(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes
    }

    /// Tells all to stop.
    pub(crate) fn finish(&self) {
        self.is_done.store(true, Ordering::Relaxed);
    }

    /// Whether to stop.
    pub(crate) fn is_done(&self) -> bool {
        self.is_done.load(Ordering::Relaxed)
    }

    /// Whether a thread has finished this iteration, so that the others need not.
    pub(crate) fn is_finished(&self, depth: i32) -> bool {
        self.depth.load(Ordering::Relaxed) >= depth
    }

    /// Tells what an iteration has found, unless another thread was faster.
    pub(crate) fn publish(&self, depth: i32, moves: &[RootMove]) {
        let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        if depth > finished.depth {
            *finished = Iteration { depth, moves: moves.to_vec() };
            self.depth.store(depth, Ordering::Relaxed);
        }
    }

    /// The deepest iteration that a thread has finished, if it is not less deep than `depth`.
    pub(crate) fn finished(&self, depth: i32) -> Option<Iteration> {
        let finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        (finished.depth >= depth).then(|| finished.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_iteration_counts() {
        let together = Together::new();
        assert!(together.finished(1).is_none() && !together.is_finished(1));
        together.publish(3, &[]);
        together.publish(2, &[]);
        assert_eq!(together.finished(1).map(|iteration| iteration.depth), Some(3));
        assert!(together.is_finished(3) && !together.is_finished(4));
        assert!(together.finished(4).is_none());
    }
}
