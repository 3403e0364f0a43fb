//! The node counter of one thread, which ends the search when its budget is used up.

use core::sync::atomic::{AtomicBool, Ordering};

use komadai_core::Budget;

use crate::lazy_smp::shared_state::{FinishedIteration, SharedState};
use crate::statistics::Statistics;

/// Number of nodes between two checks of the clock and the stop flag.
///
/// They take less than a millisecond; reading the clock at every node would cost speed.
const NODES_PER_CHECK: u64 = 256;

/// Iterations that another thread must have finished beyond this thread's before it gives up its
/// own.
///
/// With 0 both threads would search the same iteration from the same start: what the slower one
/// has found out would be lost, and its order of moves with it.
const LEAD: i32 = 1;

/// Counts the nodes of one thread and decides when its search is over.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    budget: &'a Budget,
    /// Set by a search beside this one to end it.
    halt: Option<&'a AtomicBool>,
    shared: Option<&'a SharedState>,
    /// The iteration that this thread searches.
    iteration: i32,
    /// Number of nodes that have been added to the shared count.
    reported: u64,
    nodes: u64,
    statistics: Statistics,
    /// The number of nodes at which the budget is checked next.
    next_check: u64,
    /// True once the budget counts, after the end of the first iteration.
    enforced: bool,
    is_over: bool,
}

impl<'a> Meter<'a> {
    /// Returns a meter at zero nodes that does not enforce the budget yet.
    pub(crate) fn new(budget: &'a Budget) -> Self {
        Self {
            budget,
            halt: None,
            shared: None,
            iteration: 1,
            reported: 0,
            nodes: 0,
            statistics: Statistics::default(),
            next_check: u64::MAX,
            enforced: false,
            is_over: false,
        }
    }

    /// Returns a meter for one of several threads that share a budget in nodes.
    pub(crate) fn with_shared_state(budget: &'a Budget, shared: &'a SharedState) -> Self {
        Self { shared: Some(shared), next_check: NODES_PER_CHECK, ..Self::new(budget) }
    }

    /// Returns the meter with a flag that ends the search as the budget's own does.
    pub(crate) fn with_halt(self, halt: Option<&'a AtomicBool>) -> Self {
        Self { halt, ..self }
    }

    /// Enforces the budget from now on. Before this call the search never runs out of it.
    pub(crate) fn enforce(&mut self) {
        self.enforced = true;
        self.check_budget();
    }

    /// Returns the state shared with other threads, if there are any.
    #[inline]
    pub(crate) fn shared_state(&self) -> Option<&'a SharedState> {
        self.shared
    }

    /// Starts an iteration after the first. It is over as soon as another thread is far ahead.
    pub(crate) fn start_iteration(&mut self, depth: i32) {
        self.iteration = depth;
    }

    /// Returns the deepest iteration of faster threads, if they are why this thread's iteration is
    /// over.
    ///
    /// The next iteration may start then, unless the search is still [over](Self::is_over).
    pub(crate) fn take_finished_iterations(&mut self) -> Option<FinishedIteration> {
        let mut last = None;
        while self.is_over
            && let Some(iteration) = self.take_finished_iteration()
        {
            last = Some(iteration);
        }
        last
    }

    fn take_finished_iteration(&mut self) -> Option<FinishedIteration> {
        let shared = self.shared.filter(|shared| !shared.is_stopped())?;
        let finished = shared.finished(self.iteration + LEAD)?;
        self.is_over = false;
        self.iteration = finished.depth + 1;
        self.check_budget();
        Some(finished)
    }

    /// Counts one node.
    #[inline]
    pub(crate) fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check_budget();
        }
    }

    /// Counts nodes that something else has spent.
    pub(crate) fn add_nodes(&mut self, nodes: u64) {
        self.nodes += nodes;
        if self.nodes >= self.next_check {
            self.check_budget();
        }
    }

    /// Returns a part of the budget: at most this number of nodes, and its clock and stop flag.
    pub(crate) fn part(&mut self, nodes: u64) -> Budget {
        let spent = self.nodes();
        let left = self.budget.nodes.map_or(u64::MAX, |most| most.saturating_sub(spent));
        let mut part = self.budget.clone();
        (part.nodes, part.soft_nodes, part.depth) = (Some(nodes.min(left)), None, None);
        part
    }

    /// Counts a beta cutoff by the move at this index of its node's order.
    #[inline]
    pub(crate) fn count_cutoff(&mut self, index: usize) {
        self.statistics.cuts += 1;
        self.statistics.first_move_cuts += u64::from(index == 0);
    }

    /// Counts a node of the quiescence search.
    #[inline(always)]
    pub(crate) fn count_quiescence(&mut self) {
        self.statistics.quiescence_nodes += 1;
    }

    /// Returns the statistics so far.
    pub(crate) fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Checks the budget and schedules the next check.
    #[cold]
    fn check_budget(&mut self) {
        let in_a_while = self.nodes + NODES_PER_CHECK;
        if !self.enforced {
            // A single thread has no other threads to report its nodes to.
            self.next_check = if self.shared.is_some() { in_a_while } else { u64::MAX };
            self.report();
            return;
        }
        let nodes = self.report();
        self.is_over |= self.budget.is_exhausted(nodes)
            || self.halt.is_some_and(|halt| halt.load(Ordering::Relaxed))
            || self.shared.is_some_and(|shared| {
                shared.is_stopped() || shared.is_finished(self.iteration + LEAD)
            });
        // Near the end of a budget in nodes, the next check is at its very last node.
        let left = self.budget.nodes.map_or(u64::MAX, |most| most.saturating_sub(nodes).max(1));
        self.next_check = in_a_while.min(self.nodes.saturating_add(left));
    }

    /// Reports the nodes since the last report to the other threads; returns the nodes of all.
    fn report(&mut self) -> u64 {
        let Some(shared) = self.shared else { return self.nodes };
        let new = self.nodes - self.reported;
        self.reported = self.nodes;
        shared.add_nodes(new)
    }

    /// Returns the nodes so far: of all threads, as far as they have reported them.
    pub(crate) fn nodes(&mut self) -> u64 {
        self.report()
    }

    /// Checks whether the soft limit of nodes is reached, after which no iteration begins.
    pub(crate) fn ends_iterations(&mut self) -> bool {
        let nodes = self.nodes();
        self.budget.ends_iterations(nodes)
    }

    /// Checks whether the search is over, by the latest check of the budget. Once true, this stays
    /// true until [`take_finished_iterations`](Self::take_finished_iterations).
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn the_node_limit_is_exact() {
        let budget = Budget::nodes(1_500);
        let mut meter = Meter::new(&budget);
        meter.enforce();
        while !meter.is_over() {
            meter.count_node();
        }
        assert_eq!(meter.nodes(), 1_500);
    }

    #[test]
    fn a_budget_not_yet_enforced_is_never_used_up() {
        let budget = Budget::nodes(10);
        let mut meter = Meter::new(&budget);
        for _ in 0..5_000 {
            meter.count_node();
        }
        assert!(!meter.is_over());
        meter.enforce();
        assert!(meter.is_over());
    }

    #[test]
    fn threads_share_a_budget() {
        let (budget, shared) = (Budget::nodes(10_000), SharedState::new());
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut meter = Meter::with_shared_state(&budget, &shared);
                    meter.enforce();
                    while !meter.is_over() {
                        meter.count_node();
                    }
                    meter.nodes();
                });
            }
        });
        let total = shared.nodes();
        assert!((10_000..10_000 + 2 * NODES_PER_CHECK).contains(&total), "{total}");
    }

    #[test]
    fn an_iteration_is_over_when_another_thread_is_far_ahead() {
        let (budget, shared) = (Budget::unlimited(), SharedState::new());
        let mut meter = Meter::with_shared_state(&budget, &shared);
        meter.start_iteration(4);
        meter.enforce();
        // The same iteration is finished by each thread in its own way.
        shared.publish(4, &[]);
        (0..1_000).for_each(|_| meter.count_node());
        assert!(!meter.is_over());
        shared.publish(5, &[]);
        (0..1_000).for_each(|_| meter.count_node());
        assert!(meter.is_over());
        assert_eq!(meter.take_finished_iterations().map(|iteration| iteration.depth), Some(5));
        assert!(!meter.is_over(), "the sixth may start");
        shared.stop();
        meter.enforce();
        assert!(meter.is_over() && meter.take_finished_iterations().is_none());
    }

    #[test]
    fn the_stop_flag_is_seen_in_time() {
        let stop = Arc::new(AtomicBool::new(false));
        let budget = Budget { stop: Some(Arc::clone(&stop)), ..Budget::unlimited() };
        let mut meter = Meter::new(&budget);
        meter.enforce();
        stop.store(true, Ordering::Relaxed);
        while !meter.is_over() {
            meter.count_node();
        }
        assert!(meter.nodes() <= NODES_PER_CHECK);
    }
}
