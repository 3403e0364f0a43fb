//! The count of nodes, the budget that limits it and the reports on the way.

use std::fmt;
use std::time::Duration;

use komadai_core::Budget;
use komadai_movegen::MateLimit;

use crate::plies::Plies;
use crate::progress::MateProgress;

/// The nodes used so far, with the budget.
pub(crate) struct Meter<'a> {
    budget: &'a Budget,
    nodes: u64,
    polls: u32,
    is_spent: bool,
    /// The number of nodes from which a report is due.
    report_at: u64,
    receiver: &'a mut dyn FnMut(&MateProgress),
    /// The length of the best mate so far.
    found: Option<Plies>,
    /// True while the moves of a mate are collected, by searches of other positions than the root.
    is_collecting: bool,
}

/// Number of calls of [`Meter::is_spent`] between two checks of the clock and the stop flag. The
/// search calls it at most twice a node and a node takes a few microseconds, so a check comes at
/// least every millisecond or so, and its cost does not matter.
const POLL_INTERVAL: u32 = 128;

impl<'a> Meter<'a> {
    pub(crate) fn new(budget: &'a Budget, receiver: &'a mut dyn FnMut(&MateProgress)) -> Self {
        Self {
            budget,
            nodes: 0,
            polls: 0,
            is_spent: budget.is_exhausted(0),
            report_at: MateProgress::INTERVAL,
            receiver,
            found: None,
            is_collecting: false,
        }
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

    /// Returns the limit that has ended the search.
    pub(crate) fn limit(&self) -> MateLimit {
        MateLimit::of(self.budget, self.nodes)
    }

    /// Returns true if the search has to report.
    pub(crate) fn is_report_due(&self) -> bool {
        self.nodes >= self.report_at
    }

    /// Sends a report. `complete` adds the numbers and the line of the search from the root to it.
    pub(crate) fn report(&mut self, complete: impl FnOnce(&mut MateProgress)) {
        self.report_at = self.nodes.saturating_add(MateProgress::INTERVAL);
        let mut progress = MateProgress {
            nodes: self.nodes,
            proof_number: 0,
            disproof_number: u32::MAX,
            found: self.found.map(|plies| plies.count() as u32),
            line: std::iter::empty().collect(),
        };
        if !self.is_collecting {
            complete(&mut progress);
        }
        (self.receiver)(&progress);
    }

    /// Notes the length of a mate that has been found.
    pub(crate) fn note_mate(&mut self, plies: Plies) {
        self.found = Some(plies);
    }

    /// Notes that the searches that follow collect the moves of the mate found.
    pub(crate) fn start_collecting(&mut self) {
        self.is_collecting = true;
    }
}

/// A clock, where the platform has one.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    start: std::time::Instant,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self {
            #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
            start: std::time::Instant::now(),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        return self.start.elapsed();
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        Duration::ZERO
    }
}

impl fmt::Debug for Meter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meter")
            .field("budget", &self.budget)
            .field("nodes", &self.nodes)
            .field("is_spent", &self.is_spent)
            .finish_non_exhaustive()
    }
}
