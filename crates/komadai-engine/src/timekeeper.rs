//! When to stop, known to the thread that searches and to the one that reads commands.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::clock::TimeLimits;

/// The stop flag of one search, and the times at which it is due.
///
/// The times may come later than the search: pondering has none until `ponderhit`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Timekeeper {
    stop: Arc<AtomicBool>,
    due: Arc<Mutex<Option<Due>>>,
}

#[derive(Debug, Clone, Copy)]
struct Due {
    soft: Instant,
    hard: Instant,
}

impl Timekeeper {
    /// Starts the clock. Limits too far away to be told are none.
    pub(crate) fn start(&self, from: Instant, limits: TimeLimits) {
        let due = from
            .checked_add(limits.hard)
            .map(|hard| Due { soft: from.checked_add(limits.soft).unwrap_or(hard), hard });
        *self.due.lock().unwrap_or_else(PoisonError::into_inner) = due;
    }

    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The flag, for a [`Budget`](komadai_core::Budget).
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// When the search will be cut off, as far as is known now.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.due().map(|due| due.hard)
    }

    /// Between two iterations: stops if no further one should be begun.
    pub(crate) fn check_soft(&self) {
        if self.due().is_some_and(|due| Instant::now() >= due.soft) {
            self.stop();
        }
    }

    /// Now and then: stops if time is up. A search begun with its deadline stops by itself; one
    /// that learned of it later depends on this.
    pub(crate) fn check_hard(&self) {
        if self.due().is_some_and(|due| Instant::now() >= due.hard) {
            self.stop();
        }
    }

    fn due(&self) -> Option<Due> {
        *self.due.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn limits_stop_the_search_in_turn() {
        let keeper = Timekeeper::default();
        let is_stopped = || keeper.flag().load(Ordering::Relaxed);
        keeper.check_soft();
        keeper.check_hard();
        assert!(!is_stopped(), "pondering goes on for ever");
        let hour = Duration::from_secs(3_600);
        keeper.start(Instant::now(), TimeLimits { soft: Duration::ZERO, hard: hour });
        keeper.check_hard();
        assert!(!is_stopped());
        keeper.check_soft();
        assert!(is_stopped());
    }

    #[test]
    fn time_counts_from_when_the_clock_was_started() {
        let keeper = Timekeeper::default();
        let limits = TimeLimits::exactly(Duration::from_secs(5));
        let from = Instant::now();
        keeper.start(from, limits);
        assert_eq!(keeper.deadline(), Some(from + limits.hard));
        keeper.start(from, TimeLimits::exactly(Duration::MAX));
        assert_eq!(keeper.deadline(), None);
    }
}
