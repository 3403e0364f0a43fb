//! The count of nodes and the budget that limits it.

use komadai_core::Budget;

/// The nodes used so far, with the budget.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    budget: &'a Budget,
    nodes: u64,
    polls: u32,
    is_spent: bool,
}

/// Number of calls of [`Meter::is_spent`] between two checks of the clock and the stop flag. The
/// search calls it at most twice a node and a node takes a few microseconds, so a check comes at
/// least every millisecond or so, and its cost does not matter.
const POLL_INTERVAL: u32 = 128;

impl<'a> Meter<'a> {
    pub(crate) fn new(budget: &'a Budget) -> Self {
        Self { budget, nodes: 0, polls: 0, is_spent: budget.is_exhausted(0) }
    }

    /// Returns the number of nodes visited so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts one node.
    pub(crate) fn visit(&mut self) {
        self.nodes += 1;
    }

    /// Returns true if the search has to stop. Once true, it stays true.
    pub(crate) fn is_spent(&mut self) -> bool {
        self.polls += 1;
        if self.polls >= POLL_INTERVAL {
            self.polls = 0;
            self.is_spent |= self.budget.is_stopped() || self.budget.is_past_deadline();
        }
        self.is_spent |= self.budget.is_out_of_nodes(self.nodes);
        self.is_spent
    }
}
