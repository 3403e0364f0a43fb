//! The limits of a search.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Duration;
use std::time::Instant;

/// The limits of one search: nodes, depth, a deadline, and a flag that stops it.
///
/// The limit that is reached first ends the search; `None` is no limit. With nodes or depth alone,
/// a search on one thread gives the same result every time. The caller decides how much of a game's
/// clock to spend on a move.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use std::time::{Duration, Instant};
///
/// use komadai_core::Budget;
///
/// let stop = Arc::new(AtomicBool::new(false));
/// let budget = Budget::nodes(100_000)
///     .with_depth(12)
///     .with_deadline(Instant::now() + Duration::from_secs(60))
///     .with_stop(Arc::clone(&stop));
/// assert!(!budget.is_exhausted(99_999));
/// assert!(budget.is_exhausted(100_000));
///
/// stop.store(true, Ordering::Relaxed);
/// assert!(budget.is_exhausted(0));
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Budget {
    /// The maximum number of nodes to visit.
    pub nodes: Option<u64>,
    /// The maximum nominal depth in plies, without extensions and quiescence.
    pub depth: Option<u32>,
    /// The instant at which to stop.
    pub deadline: Option<Instant>,
    /// A flag that another thread sets to stop the search.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// A budget without any limit.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// A budget of at most this many nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self::unlimited().with_nodes(nodes)
    }

    /// A budget of at most this many plies.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Self::unlimited().with_depth(depth)
    }

    /// A budget of this time, from now. Not there on `wasm32-unknown-unknown`, which has no clock.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use komadai_core::Budget;
    ///
    /// let budget = Budget::time(Duration::from_secs(2)).with_nodes(1_000_000);
    /// assert!(!budget.is_exhausted(0));
    /// ```
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    #[must_use]
    pub fn time(time: Duration) -> Self {
        // A time beyond the range of the clock is no limit.
        Self { deadline: Instant::now().checked_add(time), ..Self::unlimited() }
    }

    /// The same budget with at most this many nodes.
    #[must_use]
    pub fn with_nodes(mut self, nodes: u64) -> Self {
        self.nodes = Some(nodes);
        self
    }

    /// The same budget with at most this many plies.
    #[must_use]
    pub fn with_depth(mut self, depth: u32) -> Self {
        self.depth = Some(depth);
        self
    }

    /// The same budget with this deadline.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// The same budget with this flag; setting it to `true` stops the search.
    #[must_use]
    pub fn with_stop(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Returns whether the flag is set.
    #[must_use]
    #[inline]
    pub fn is_stopped(&self) -> bool {
        // Relaxed: the flag carries no data, and a short delay until it is seen does no harm.
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Returns whether `nodes` visited nodes exhaust the node limit.
    #[must_use]
    #[inline]
    pub fn is_out_of_nodes(&self, nodes: u64) -> bool {
        self.nodes.is_some_and(|most| nodes >= most)
    }

    /// Returns whether the deadline has passed. Reads the clock if there is a deadline.
    #[must_use]
    pub fn is_past_deadline(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Returns whether a search that has visited this many nodes must stop: out of nodes, stopped,
    /// or past the deadline.
    ///
    /// Reading the clock costs more than a node of a fast search. A caller with a deadline calls
    /// this every thousand nodes or so, and [`is_out_of_nodes`](Self::is_out_of_nodes) in between.
    #[must_use]
    pub fn is_exhausted(&self, nodes: u64) -> bool {
        // The clock comes last, because reading it is the most expensive test.
        self.is_out_of_nodes(nodes) || self.is_stopped() || self.is_past_deadline()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_limit_is_never_reached() {
        assert!(!Budget::unlimited().is_exhausted(u64::MAX));
        assert!(!Budget::unlimited().with_depth(1).is_exhausted(u64::MAX));
    }

    #[test]
    fn a_deadline_that_has_passed_ends_the_search() {
        let budget = Budget::unlimited().with_deadline(Instant::now());
        assert!(budget.is_past_deadline());
        assert!(budget.is_exhausted(0));
    }
}
