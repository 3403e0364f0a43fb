//! Counting nodes against a budget.

use komadai_core::Budget;

use crate::Statistics;

/// How many nodes pass between two looks at the clock and the stop flag.
const NODES_PER_LOOK: u64 = 1_024;

/// Counts the nodes of one search and says when to stop.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    budget: &'a Budget,
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
            nodes: 0,
            statistics: Statistics::default(),
            next_look: u64::MAX,
            enforced: false,
            is_over: false,
        }
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
        if !self.enforced {
            return;
        }
        self.is_over |= self.budget.is_exhausted(self.nodes);
        let in_a_while = self.nodes + NODES_PER_LOOK;
        self.next_look = self.budget.nodes.map_or(in_a_while, |most| most.min(in_a_while));
    }

    /// The nodes so far.
    #[inline]
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
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
