//! Counting nodes against a budget.

use komadai_core::Budget;

/// How much of a budget has been used.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    budget: &'a Budget,
    nodes: u64,
    polls: u32,
    is_spent: bool,
}

/// Clock and stop flag are looked at once in so many questions; the search asks at most twice a
/// node, and a node takes a few microseconds.
const POLL_INTERVAL: u32 = 128;

impl<'a> Meter<'a> {
    pub(crate) fn new(budget: &'a Budget) -> Self {
        Self { budget, nodes: 0, polls: 0, is_spent: budget.is_exhausted(0) }
    }

    /// The nodes visited so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts one node.
    pub(crate) fn visit(&mut self) {
        self.nodes += 1;
    }

    /// Whether to stop. Once it says so it stays at that.
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
