//! The limits of a search.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Duration;

use komadai_base::clock::{Instant, poll_host};

/// The limits of one search: nodes, depth, a deadline, and a flag that stops it.
///
/// The limit that is reached first ends the search; `None` is no limit. With nodes or depth alone,
/// a search on one thread gives the same result every time. The caller decides how much of a game's
/// clock to spend on a move.
///
/// A search that stops in the middle of an iteration often knows only a [bound](crate::Bound) of
/// its value. With [`soft_nodes`](Self::soft_nodes) it stops after the iteration that reaches this
/// number, so that its value is exact. [`Budget::about`] is such a budget, for those who want
/// values more than an exact count of nodes.
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
/// let budget = Budget {
///     depth: Some(12),
///     deadline: Some(Instant::now() + Duration::from_secs(60)),
///     stop: Some(Arc::clone(&stop)),
///     ..Budget::nodes(100_000)
/// };
/// assert!(!budget.is_exhausted(99_999));
/// assert!(budget.is_exhausted(100_000));
///
/// stop.store(true, Ordering::Relaxed);
/// assert!(budget.is_exhausted(0));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Budget {
    /// The maximum number of nodes to visit.
    pub nodes: Option<u64>,
    /// The number of nodes after which no iteration begins: the search ends with the one that
    /// reaches it. A tree search, which has no iterations, ends at this number; solvers of mates
    /// take no notice of it.
    pub soft_nodes: Option<u64>,
    /// The maximum nominal depth in plies, without extensions and quiescence.
    pub depth: Option<u32>,
    /// The instant at which to stop.
    pub deadline: Option<Instant>,
    /// A flag that another thread sets to stop the search.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// The hard limit of [`Budget::about`] as a multiple of the soft one.
    ///
    /// An iteration sometimes takes many times the nodes of all before it. Such a one is cut off,
    /// so that no position costs much more than the others, and its value may be a bound. Of 174
    /// positions of a game with a soft limit of 20,000 nodes 2 % end so (10 % at twice as many,
    /// none at eight times), and 45 % with 20,000 as the hard limit; the mean is then 30,500 nodes.
    /// At 800, 5,000 and 100,000 nodes the shares are similar, and the mean is 1.5 to 1.6 times the
    /// soft limit (`bounds_and_nodes_by_limit` in the tests of komadai-analysis).
    pub const HARD_FACTOR: u64 = 4;

    /// A budget without any limit.
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// A budget of at most this many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::unlimited() }
    }

    /// A budget of about this many nodes: the search ends after the iteration that reaches them,
    /// and within an iteration at [`HARD_FACTOR`](Self::HARD_FACTOR) times as many. In the mean it
    /// takes half as many again.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Budget;
    ///
    /// let budget = Budget::about(10_000);
    /// assert!(!budget.ends_iterations(9_999) && budget.ends_iterations(10_000));
    /// assert!(!budget.is_exhausted(39_999) && budget.is_exhausted(40_000));
    /// assert_eq!(budget.nodes, Some(Budget::HARD_FACTOR * 10_000));
    /// ```
    pub fn about(nodes: u64) -> Self {
        let most = nodes.saturating_mul(Self::HARD_FACTOR);
        Self { soft_nodes: Some(nodes), ..Self::nodes(most) }
    }

    /// A budget of at most this many plies.
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::unlimited() }
    }

    /// A budget of this time, from now. On `wasm32-unknown-unknown` it is without effect
    /// unless a clock is installed (`komadai_base::clock`).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use komadai_core::Budget;
    ///
    /// let budget = Budget { nodes: Some(1_000_000), ..Budget::time(Duration::from_secs(2)) };
    /// assert!(!budget.is_exhausted(0));
    /// ```
    pub fn time(time: Duration) -> Self {
        // A time beyond the range of the clock is no limit.
        Self { deadline: Instant::now().checked_add(time), ..Self::unlimited() }
    }

    /// Returns whether the flag is set.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        // Where there are no threads, the host sets the flag during this call.
        poll_host();
        // Relaxed: the flag carries no data, and a short delay until it is seen does no harm.
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Returns whether `nodes` visited nodes exhaust the node limit.
    #[inline]
    pub fn is_out_of_nodes(&self, nodes: u64) -> bool {
        self.nodes.is_some_and(|most| nodes >= most)
    }

    /// Returns whether no iteration may begin after `nodes` visited nodes.
    #[inline]
    pub fn ends_iterations(&self, nodes: u64) -> bool {
        self.soft_nodes.is_some_and(|most| nodes >= most)
    }

    /// The smaller one of both limits of nodes: that of a search without iterations.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Budget;
    ///
    /// assert_eq!(Budget::about(800).least_nodes(), Some(800));
    /// assert_eq!(Budget::nodes(800).least_nodes(), Some(800));
    /// assert_eq!(Budget::unlimited().least_nodes(), None);
    /// ```
    pub fn least_nodes(&self) -> Option<u64> {
        self.nodes.into_iter().chain(self.soft_nodes).min()
    }

    /// The budget that is left after `nodes` visited nodes.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Budget;
    ///
    /// let left = Budget::about(800).less(300);
    /// assert_eq!((left.soft_nodes, left.nodes), (Some(500), Some(2_900)));
    /// ```
    #[must_use]
    pub fn less(mut self, nodes: u64) -> Self {
        self.nodes = self.nodes.map(|most| most.saturating_sub(nodes));
        self.soft_nodes = self.soft_nodes.map(|most| most.saturating_sub(nodes));
        self
    }

    /// Returns whether the deadline has passed. Reads the clock if there is a deadline.
    pub fn is_past_deadline(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Returns whether a search that has visited this many nodes must stop: out of nodes, stopped,
    /// or past the deadline.
    ///
    /// Reading the clock costs more than a node of a fast search. A caller with a deadline calls
    /// this every thousand nodes or so, and [`is_out_of_nodes`](Self::is_out_of_nodes) in between.
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
        assert!(!Budget::depth(1).is_exhausted(u64::MAX));
    }

    #[test]
    fn a_soft_limit_ends_no_search_within_an_iteration() {
        let soft = Budget { soft_nodes: Some(10), ..Budget::unlimited() };
        assert!(!soft.is_exhausted(u64::MAX) && soft.ends_iterations(10));
        assert!(!soft.ends_iterations(9) && !Budget::nodes(5).ends_iterations(u64::MAX));
        assert_eq!(Budget::about(u64::MAX).nodes, Some(u64::MAX));
        assert!(Budget::about(0).is_exhausted(0));
        assert_eq!(Budget { nodes: Some(5), ..soft.clone() }.least_nodes(), Some(5));
        assert_eq!(soft.less(11).soft_nodes, Some(0));
    }

    #[test]
    fn a_deadline_that_has_passed_ends_the_search() {
        let budget = Budget { deadline: Some(Instant::now()), ..Budget::unlimited() };
        assert!(budget.is_past_deadline());
        assert!(budget.is_exhausted(0));
    }
}
