//! The decision when to stop a search, shared between the thread that searches and the thread that
//! reads commands.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use komadai_base::clock::Instant;
use komadai_core::{Analysis, Score};
use komadai_search::RootVisits;

use crate::clock::TimeLimits;
use crate::stability::{Lead, Stability};

/// The stop flag of one search and its deadline.
///
/// The clock may start later than the search: while pondering no clock runs until `ponderhit`.
#[derive(Debug, Clone)]
pub(crate) struct TimeManager {
    stop: Arc<AtomicBool>,
    search: Arc<Mutex<TimedSearch>>,
}

#[derive(Debug)]
struct TimedSearch {
    begun: Instant,
    stability: Stability,
    /// The visits of a tree search; an alpha-beta search has iterations instead.
    visits: Option<Arc<RootVisits>>,
    clock: Option<RunningClock>,
}

#[derive(Debug, Clone, Copy)]
struct RunningClock {
    from: Instant,
    limits: TimeLimits,
    /// The present decision when to stop, counted from `from`. Each iteration may change it.
    end: Duration,
}

impl TimeManager {
    /// Returns the manager of a search that begins at `begun`. `last_move` is the value for which
    /// the previous move of the game was chosen.
    pub(crate) fn new(begun: Instant, last_move: Option<Score>) -> Self {
        let stability = Stability::after(last_move);
        let search = TimedSearch { begun, stability, visits: None, clock: None };
        Self { stop: Arc::default(), search: Arc::new(Mutex::new(search)) }
    }

    /// Adopts the visits of a tree search, whose reports are not iterations, and the size of a
    /// centipawn of the searcher.
    pub(crate) fn watch(&self, visits: Option<Arc<RootVisits>>, scale: f64) {
        let mut search = self.search();
        search.visits = visits;
        search.stability.scale = scale;
    }

    /// Starts the clock.
    pub(crate) fn start(&self, from: Instant, limits: TimeLimits) {
        let mut search = self.search();
        search.clock = Some(RunningClock { from, limits, end: limits.maximum });
        search.update_end(from);
    }

    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The stop flag, for a [`Budget`](komadai_core::Budget).
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Returns the time at which the search will be stopped, by the present decision. `None` if no
    /// clock runs or the time is not representable.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let clock = self.search().clock?;
        clock.from.checked_add(clock.end)
    }

    /// Returns the time that the search will probably take.
    pub(crate) fn expected(&self) -> Option<Duration> {
        self.search().clock.map(|clock| clock.limits.optimum)
    }

    /// Returns the time since the search began.
    pub(crate) fn elapsed(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.search().begun)
    }

    /// Returns the value of the last iteration, if there was one.
    pub(crate) fn score(&self) -> Option<Score> {
        self.search().stability.score()
    }

    /// Records a report at `now`, the end of an iteration or the state of a tree, and stops the
    /// search if it was the last one.
    pub(crate) fn on_report(&self, analysis: &Analysis, now: Instant) {
        // A report just after the end must not move the end to the next whole second.
        self.check(now);
        {
            let mut search = self.search();
            let thought = now.saturating_duration_since(search.begun);
            match search.visits {
                Some(_) => search.stability.add_snapshot(analysis, thought),
                None => search.stability.add(analysis),
            }
            search.update_end(now);
        }
        self.check(now);
    }

    /// Stops the search if its time is up. A search that starts with its deadline stops by itself;
    /// one whose deadline was set or moved later depends on regular calls of this function.
    pub(crate) fn check(&self, now: Instant) {
        if self.deadline().is_some_and(|deadline| now >= deadline) {
            self.stop();
        }
    }

    fn search(&self) -> MutexGuard<'_, TimedSearch> {
        self.search.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TimedSearch {
    /// Decides when to stop, by what is known at `now`.
    fn update_end(&mut self, now: Instant) {
        let Some(clock) = &mut self.clock else { return };
        let thought = now.saturating_duration_since(self.begun);
        let elapsed = now.saturating_duration_since(clock.from);
        clock.end = match &self.visits {
            None => self.stability.end(&clock.limits, thought, elapsed),
            Some(visits) => {
                let tree = Lead { visits: visits.lead(), results: visits.results() };
                self.stability.end_of_tree(&clock.limits, thought, elapsed, tree)
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::Line;

    use super::*;

    fn limits(optimum: u64, maximum: u64) -> TimeLimits {
        let (optimum, maximum) = (Duration::from_secs(optimum), Duration::from_secs(maximum));
        TimeLimits { minimum: Duration::ZERO, optimum, maximum, before_second: None }
    }

    fn an_iteration() -> Analysis {
        let pv = "7g7f".parse().expect("a move");
        let line = Line::exact(Score::ZERO, pv);
        Analysis { lines: vec![line], ..Analysis::default() }
    }

    fn is_stopped(manager: &TimeManager) -> bool {
        manager.flag().load(Ordering::Relaxed)
    }

    #[test]
    fn a_search_ends_at_its_maximum_or_with_an_iteration() {
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        let manager = TimeManager::new(begun, None);
        manager.start(begun, limits(10, 100));
        assert_eq!(manager.deadline(), Some(at(100)), "nothing is known yet");
        manager.check(at(99));
        assert!(!is_stopped(&manager));
        let other = manager.clone();
        manager.check(at(100));
        assert!(is_stopped(&other));

        let manager = TimeManager::new(begun, None);
        manager.start(begun, limits(10, 100));
        manager.on_report(&an_iteration(), at(1));
        assert!(!is_stopped(&manager));
        manager.on_report(&an_iteration(), at(20));
        assert!(is_stopped(&manager));
    }

    #[test]
    fn a_tree_search_ends_at_its_target() {
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        let manager = TimeManager::new(begun, None);
        manager.watch(Some(Arc::default()), 1.0);
        manager.start(begun, limits(10, 100));
        manager.on_report(&an_iteration(), at(1));
        let target = manager.deadline().expect("the clock runs");
        assert!((at(5)..at(15)).contains(&target));
        for second in 2..5 {
            manager.on_report(&an_iteration(), at(second));
            assert!(!is_stopped(&manager), "{second}");
        }
        // No iteration has to be finished: other than alpha-beta, it never runs far beyond.
        manager.on_report(&an_iteration(), at(15));
        assert!(is_stopped(&manager));
    }

    #[test]
    fn a_report_after_the_end_does_not_move_it_to_the_next_second() {
        let begun = Instant::now();
        let at = |ms| begun + Duration::from_millis(ms);
        let manager = TimeManager::new(begun, None);
        manager.watch(Some(Arc::default()), 1.0);
        let rounded = Some(Duration::from_millis(120));
        manager.start(begun, TimeLimits { before_second: rounded, ..limits(2, 100) });
        manager.on_report(&an_iteration(), at(1_500));
        manager.on_report(&an_iteration(), at(2_881));
        assert!(is_stopped(&manager));
    }

    #[test]
    fn pondering_has_no_end_until_the_clock_starts() {
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        let manager = TimeManager::new(begun, None);
        manager.on_report(&an_iteration(), at(50));
        manager.check(at(5_000));
        assert!(manager.deadline().is_none() && !is_stopped(&manager));
        // The time pondered counts: this is enough for a move.
        manager.start(at(6_000), limits(10, 100));
        manager.check(at(6_000));
        assert!(is_stopped(&manager));
        // Byoyomi would be lost, and is used.
        let manager = TimeManager::new(begun, None);
        manager.on_report(&an_iteration(), at(50));
        manager.start(at(6_000), TimeLimits::exactly(Duration::from_secs(10)));
        assert_eq!(manager.deadline(), Some(at(6_010)));
    }

    #[test]
    fn ends_too_far_away_are_none() {
        let manager = TimeManager::new(Instant::now(), None);
        manager.start(Instant::now(), TimeLimits::exactly(Duration::MAX));
        assert_eq!(manager.deadline(), None);
    }
}
