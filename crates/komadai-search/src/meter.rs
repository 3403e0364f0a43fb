//! Counting nodes against a budget.

use komadai_core::Budget;

use crate::Statistics;
use crate::shared_state::{Iteration, Together};

/// How many nodes pass between two looks at the clock and the stop flag.
const NODES_PER_LOOK: u64 = 256;

/// Counts the nodes of one search and says when to stop.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    budget: &'a Budget,
    together: Option<&'a Together>,
    /// The iteration that this thread is at.
    iteration: i32,
    /// How many of the nodes have been added there.
    reported: u64,
    nodes: u64,
    statistics: Statistics,
    next_look: u64,
    enforced: bool,
    is_over: bool,
}

impl<'a> Meter<'a> {
    /// Starts at zero nodes, not yet enforcing the budget.
    pub(crate) fn new(budget: &'a Budget) -> Self {
        Self {
            budget,
            together: None,
            iteration: 1,
            reported: 0,
            nodes: 0,
            statistics: Statistics::default(),
            next_look: u64::MAX,
            enforced: false,
            is_over: false,
        }
    }

    /// The same for one of several threads that share a budget in nodes.
    pub(crate) fn shared(budget: &'a Budget, together: &'a Together) -> Self {
        Self { together: Some(together), next_look: NODES_PER_LOOK, ..Self::new(budget) }
    }

    /// Lets the budget count from now on; before, the search cannot run out of it.
    pub(crate) fn enforce(&mut self) {
        self.enforced = true;
        self.look();
    }

    /// What this thread shares with others, if there are any.
    #[inline]
    pub(crate) fn together(&self) -> Option<&'a Together> {
        self.together
    }

    /// Starts an iteration after the first; it is over as soon as another thread has finished it.
    pub(crate) fn start_iteration(&mut self, depth: i32) {
        self.iteration = depth;
    }

    /// What another thread has found, if that is why the iteration is over. The next may start.
    pub(crate) fn overtaken(&mut self) -> Option<Iteration> {
        let together = self.together.filter(|together| !together.is_done())?;
        let finished = together.finished(self.iteration)?;
        self.is_over = false;
        self.iteration = finished.depth + 1;
        self.look();
        Some(finished)
    }

    /// Counts one node.
    #[inline]
    pub(crate) fn count(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look();
        }
    }

    /// Counts a node cut off by its move number `tried`, from 0.
    #[inline]
    pub(crate) fn count_cut(&mut self, tried: usize) {
        self.statistics.cuts += 1;
        self.statistics.first_move_cuts += u64::from(tried == 0);
    }

    /// What has been counted.
    pub(crate) fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Asks the budget and sets when to ask again.
    #[cold]
    fn look(&mut self) {
        let in_a_while = self.nodes + NODES_PER_LOOK;
        if !self.enforced {
            self.next_look = if self.together.is_some() { in_a_while } else { u64::MAX };
            self.report();
            return;
        }
        let nodes = self.report();
        self.is_over |= self.budget.is_exhausted(nodes)
            || self
                .together
                .is_some_and(|others| others.is_done() || others.is_finished(self.iteration));
        let left = self.budget.nodes.map_or(u64::MAX, |most| most.saturating_sub(nodes).max(1));
        self.next_look = in_a_while.min(self.nodes.saturating_add(left));
    }

    /// Tells the other threads of the nodes since the last time; returns the nodes of all.
    fn report(&mut self) -> u64 {
        let Some(together) = self.together else { return self.nodes };
        let new = self.nodes - self.reported;
        self.reported = self.nodes;
        together.add_nodes(new)
    }

    /// The nodes so far, of all threads as far as they have told.
    pub(crate) fn nodes(&mut self) -> u64 {
        self.report()
    }

    /// Whether the search has run out of its budget; once it has, it stays so.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn the_node_limit_is_exact() {
        let budget = Budget::nodes(1_500);
        let mut meter = Meter::new(&budget);
        meter.enforce();
        while !meter.is_over() {
            meter.count();
        }
        assert_eq!(meter.nodes(), 1_500);
    }

    #[test]
    fn a_budget_not_yet_enforced_is_never_over() {
        let budget = Budget::nodes(10);
        let mut meter = Meter::new(&budget);
        for _ in 0..5_000 {
            meter.count();
        }
        assert!(!meter.is_over());
        meter.enforce();
        assert!(meter.is_over());
    }

    #[test]
    fn threads_share_a_budget() {
        let (budget, together) = (Budget::nodes(10_000), Together::new());
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut meter = Meter::shared(&budget, &together);
                    meter.enforce();
                    while !meter.is_over() {
                        meter.count();
                    }
                    meter.nodes();
                });
            }
        });
        let total = together.nodes();
        assert!((10_000..10_000 + 2 * NODES_PER_LOOK).contains(&total), "{total}");
    }

    #[test]
    fn an_iteration_is_over_when_another_thread_has_finished_it() {
        let (budget, together) = (Budget::unlimited(), Together::new());
        let mut meter = Meter::shared(&budget, &together);
        meter.start_iteration(4);
        meter.enforce();
        together.publish(3, &[]);
        (0..1_000).for_each(|_| meter.count());
        assert!(!meter.is_over());
        together.publish(5, &[]);
        (0..1_000).for_each(|_| meter.count());
        assert!(meter.is_over());
        assert_eq!(meter.overtaken().map(|iteration| iteration.depth), Some(5));
        assert!(!meter.is_over(), "the sixth may start");
        together.finish();
        meter.enforce();
        assert!(meter.is_over() && meter.overtaken().is_none());
    }

    #[test]
    fn the_stop_flag_is_seen_in_time() {
        let stop = Arc::new(AtomicBool::new(false));
        let budget = Budget::unlimited().with_stop(Arc::clone(&stop));
        let mut meter = Meter::new(&budget);
        meter.enforce();
        stop.store(true, Ordering::Relaxed);
        while !meter.is_over() {
            meter.count();
        }
        assert!(meter.nodes() <= NODES_PER_LOOK);
    }
}
