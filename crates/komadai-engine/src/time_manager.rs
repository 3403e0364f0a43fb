//! When to stop, known to the thread that searches and to the one that reads commands.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use komadai_core::{Analysis, Score};

use crate::clock::TimeLimits;
use crate::stability::Pace;

/// The stop flag of one search, and the time at which it is due.
///
/// The clock may start later than the search: while pondering there is none until `ponderhit`.
#[derive(Debug, Clone)]
pub(crate) struct Timekeeper {
    stop: Arc<AtomicBool>,
    search: Arc<Mutex<Search>>,
}

#[derive(Debug)]
struct Search {
    begun: Instant,
    pace: Pace,
    clock: Option<Clock>,
}

#[derive(Debug, Clone, Copy)]
struct Clock {
    from: Instant,
    limits: TimeLimits,
    /// When to stop, as things stand.
    end: Duration,
}

impl Timekeeper {
    /// For a search that begins at `begun`, after a move with this value.
    pub(crate) fn new(begun: Instant, last_move: Option<Score>) -> Self {
        let search = Search { begun, pace: Pace::after(last_move), clock: None };
        Self { stop: Arc::default(), search: Arc::new(Mutex::new(search)) }
    }

    /// Starts the clock.
    pub(crate) fn start(&self, from: Instant, limits: TimeLimits) {
        let mut search = self.search();
        search.clock = Some(Clock { from, limits, end: limits.maximum });
        search.decide(from);
    }

    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The flag, for a [`Budget`](komadai_core::Budget).
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// When the search will be cut off, as far as is known now. None if it is too far away to be
    /// told.
    pub(crate) fn due(&self) -> Option<Instant> {
        let clock = self.search().clock?;
        clock.from.checked_add(clock.end)
    }

    /// How long the search will probably take.
    pub(crate) fn expected(&self) -> Option<Duration> {
        self.search().clock.map(|clock| clock.limits.optimum)
    }

    /// How long ago the search began.
    pub(crate) fn elapsed(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.search().begun)
    }

    /// The value that the search has found, if it has found any.
    pub(crate) fn score(&self) -> Option<Score> {
        self.search().pace.score()
    }

    /// Takes note of an iteration that ended at `now`. It may have been the last one.
    pub(crate) fn hear(&self, analysis: &Analysis, now: Instant) {
        {
            let mut search = self.search();
            search.pace.hear(analysis);
            search.decide(now);
        }
        self.check(now);
    }

    /// Now and then: stops if time is up. A search begun with its deadline stops by itself; one
    /// whose end was found later depends on this.
    pub(crate) fn check(&self, now: Instant) {
        if self.due().is_some_and(|due| now >= due) {
            self.stop();
        }
    }

    fn search(&self) -> MutexGuard<'_, Search> {
        self.search.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Search {
    /// Settles the end by what is known at `now`.
    fn decide(&mut self, now: Instant) {
        let Some(clock) = &mut self.clock else { return };
        let thought = now.saturating_duration_since(self.begun);
        let elapsed = now.saturating_duration_since(clock.from);
        clock.end = self.pace.end(&clock.limits, thought, elapsed);
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::{Bound, Line};

    use super::*;

    fn limits(optimum: u64, maximum: u64) -> TimeLimits {
        let (optimum, maximum) = (Duration::from_secs(optimum), Duration::from_secs(maximum));
        TimeLimits { minimum: Duration::ZERO, optimum, maximum, before_second: None }
    }

    fn an_iteration() -> Analysis {
        let pv = "7g7f".parse().expect("a move");
        let line = Line { score: Score::ZERO, bound: Bound::Exact, pv };
        Analysis { lines: vec![line], ..Analysis::default() }
    }

    fn is_stopped(keeper: &Timekeeper) -> bool {
        keeper.flag().load(Ordering::Relaxed)
    }

    #[test]
    fn a_search_ends_at_its_maximum_or_with_an_iteration() {
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        let keeper = Timekeeper::new(begun, None);
        keeper.start(begun, limits(10, 100));
        assert_eq!(keeper.due(), Some(at(100)), "nothing is known yet");
        keeper.check(at(99));
        assert!(!is_stopped(&keeper));
        let other = keeper.clone();
        keeper.check(at(100));
        assert!(is_stopped(&other));

        let keeper = Timekeeper::new(begun, None);
        keeper.start(begun, limits(10, 100));
        keeper.hear(&an_iteration(), at(1));
        assert!(!is_stopped(&keeper));
        keeper.hear(&an_iteration(), at(20));
        assert!(is_stopped(&keeper));
    }

    #[test]
    fn pondering_has_no_end_until_the_clock_starts() {
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        let keeper = Timekeeper::new(begun, None);
        keeper.hear(&an_iteration(), at(50));
        keeper.check(at(5_000));
        assert!(keeper.due().is_none() && !is_stopped(&keeper));
        // The time pondered counts: this is enough for a move.
        keeper.start(at(6_000), limits(10, 100));
        keeper.check(at(6_000));
        assert!(is_stopped(&keeper));
        // Byoyomi would be lost, and is used.
        let keeper = Timekeeper::new(begun, None);
        keeper.hear(&an_iteration(), at(50));
        keeper.start(at(6_000), TimeLimits::exactly(Duration::from_secs(10)));
        assert_eq!(keeper.due(), Some(at(6_010)));
    }

    #[test]
    fn ends_too_far_away_are_none() {
        let keeper = Timekeeper::new(Instant::now(), None);
        keeper.start(Instant::now(), TimeLimits::exactly(Duration::MAX));
        assert_eq!(keeper.due(), None);
    }
}
