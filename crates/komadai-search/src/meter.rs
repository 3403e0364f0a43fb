//! Counting nodes against a budget.

use core::sync::atomic::{AtomicU64, Ordering};

use komadai_core::Budget;

use crate::Statistics;

/// How many nodes pass between two looks at the clock and the stop flag.
const NODES_PER_LOOK: u64 = 256;

/// Counts the nodes of one search and says when to stop.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    budget: &'a Budget,
    /// The nodes of all threads, each of which adds its own now and then.
    total: Option<&'a AtomicU64>,
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
            total: None,
            reported: 0,
            nodes: 0,
            statistics: Statistics::default(),
            next_look: u64::MAX,
            enforced: false,
            is_over: false,
        }
    }

    /// The same for one of several threads that share a budget in nodes.
    pub(crate) fn shared(budget: &'a Budget, total: &'a AtomicU64) -> Self {
        Self { total: Some(total), next_look: NODES_PER_LOOK, ..Self::new(budget) }
    }

    /// Lets the budget count from now on; before, the search cannot run out of it.
    pub(crate) fn enforce(&mut self) {
        self.enforced = true;
        self.look();
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
            self.next_look = if self.total.is_some() { in_a_while } else { u64::MAX };
            self.report();
            return;
        }
        let nodes = self.report();
        self.is_over |= self.budget.is_exhausted(nodes);
        let left = self.budget.nodes.map_or(u64::MAX, |most| most.saturating_sub(nodes).max(1));
        self.next_look = in_a_while.min(self.nodes.saturating_add(left));
    }

    /// Tells the other threads of the nodes since the last time; returns the nodes of all.
    fn report(&mut self) -> u64 {
        let Some(total) = self.total else { return self.nodes };
        let new = self.nodes - self.reported;
        self.reported = self.nodes;
        // Relaxed: a count that is seen a moment later does no harm.
        total.fetch_add(new, Ordering::Relaxed) + new
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
    use std::sync::atomic::AtomicBool;

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
        let (budget, total) = (Budget::nodes(10_000), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut meter = Meter::shared(&budget, &total);
                    meter.enforce();
                    while !meter.is_over() {
                        meter.count();
                    }
                    meter.nodes();
                });
            }
        });
        let total = total.into_inner();
        assert!((10_000..10_000 + 2 * NODES_PER_LOOK).contains(&total), "{total}");
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
