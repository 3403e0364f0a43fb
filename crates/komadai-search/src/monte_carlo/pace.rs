//! The times at which the tree reports, and the end of a search with a limit of depth.

use core::time::Duration;

/// Number of results before the first report; each further one comes after twice as many.
const FIRST_REPORT: u64 = 64;

/// The longest time between two reports, for time keeping and for people who watch.
const INTERVAL: Duration = Duration::from_millis(100);

/// The course of the reports of one search.
#[derive(Debug)]
pub(super) struct Pace {
    next: u64,
    last: Duration,
    depth: Option<u32>,
    is_over: bool,
}

impl Pace {
    /// Returns the course of a search with this limit of depth, from `elapsed` on.
    pub(super) fn new(elapsed: Duration, depth: Option<u32>) -> Self {
        Self { next: FIRST_REPORT, last: elapsed, depth, is_over: false }
    }

    /// Returns whether to report now, after this number of results.
    pub(super) fn is_due(&mut self, results: u64, elapsed: Duration) -> bool {
        let is_due = results >= self.next || elapsed.saturating_sub(self.last) >= INTERVAL;
        if is_due {
            self.last = elapsed;
            while results >= self.next {
                self.next = self.next.saturating_mul(2);
            }
        }
        is_due
    }

    /// Records a report with a main line of this length.
    ///
    /// A limit of depth *d* is reached once the main line has *d* plies, and at the latest after 64
    /// · 2ᵈ results: some lines never become long, because the game ends.
    pub(super) fn reported(&mut self, results: u64, line: u32) {
        let latest =
            |depth: u32| FIRST_REPORT.checked_shl(depth).filter(|&most| most >= FIRST_REPORT);
        self.is_over |= self.depth.is_some_and(|depth| {
            line >= depth || latest(depth.min(63)).is_some_and(|most| results >= most)
        });
    }

    /// Returns whether the limit of depth is reached.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_come_by_doubling_and_by_time() {
        let ms = Duration::from_millis;
        let mut pace = Pace::new(ms(0), None);
        let due: Vec<u64> = (1..=1_000).filter(|&n| pace.is_due(n, ms(1))).collect();
        assert_eq!(due, [64, 128, 256, 512]);
        assert!(!pace.is_due(1_001, ms(100)) && pace.is_due(1_002, ms(101)));
        assert!(!pace.is_due(1_003, ms(200)) && pace.is_due(1_024, ms(200)));
        pace.reported(u64::MAX, 100);
        assert!(!pace.is_over(), "no limit");
    }

    #[test]
    fn a_depth_is_reached_by_the_line_or_by_results() {
        let ends = |depth, results, line| {
            let mut pace = Pace::new(Duration::ZERO, Some(depth));
            pace.reported(results, line);
            pace.is_over()
        };
        assert!(ends(3, 64, 3) && !ends(3, 511, 2) && ends(3, 512, 2));
        assert!(ends(1_000, 64, 1_000) && !ends(1_000, u64::MAX, 999));
        assert!(ends(0, 64, 1));
    }
}
