//! Time limits of a move, computed from the clock before the search begins.
//!
//! A move has three limits. The *optimum* is the time for a move of average difficulty; the search
//! itself shows the difficulty of this move (see `stability.rs`). Before the *minimum* the search
//! is not ended early. At the *maximum* it is cut off.
//!
//! In byoyomi without main time all three are equal: unused time is lost, so all of it is used. The
//! same holds where a fair share would use up the main time anyway. With main time the optimum is a
//! share of it and the maximum a multiple of the optimum. The maximum always leaves enough for the
//! delay between engine and clock.
//!
//! The increment of a move is there for this very move, see [`SideClock`](komadai_core::SideClock).

use std::time::Duration;

use komadai_core::{Color, SideClock};
use komadai_usi::ClockTimes;

/// Rules for the use of the clock. The fields correspond to USI options.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_core::{Color, SideClock};
/// use komadai_engine::{ClockPolicy, GameStage};
/// use komadai_usi::ClockTimes;
///
/// let byoyomi = ClockTimes::byoyomi(Duration::from_secs(10));
/// let stage = GameStage { ply: 60, max_moves: None, moves_to_go: None };
/// let limits = ClockPolicy::default().limits(&byoyomi, Color::Black, stage);
/// assert_eq!(limits.maximum, Duration::from_millis(10_000 - 1_120));
/// assert_eq!(limits.optimum, limits.maximum);
///
/// // With one legal move there is nothing to choose.
/// assert!(limits.for_only_move().maximum <= Duration::from_millis(500));
///
/// // A side that ponders spends more at once, and no search goes beyond the maximum.
/// let sudden_death = ClockTimes::main([Duration::from_secs(600); 2]);
/// let limits = ClockPolicy::default().limits(&sudden_death, Color::Black, stage);
/// assert!(limits.for_pondering().optimum > limits.optimum);
/// assert_eq!(limits.end_after(Duration::MAX), limits.maximum);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct ClockPolicy {
    /// The usual delay between engine and clock (`NetworkDelay`).
    pub network_delay: Duration,
    /// The longest delay to expect, reserved where a late move would lose the game
    /// (`NetworkDelay2`).
    pub network_delay_worst: Duration,
    /// The minimum time of a move while the main time is at least ten times as long
    /// (`MinimumThinkingTime`).
    pub minimum: Duration,
    /// The time of a move in per cent of the usual time (`SlowMover`).
    pub slow_mover: u32,
    /// True to search until just before a whole second, for clocks that count whole seconds: the
    /// rest of the second would be lost (`RoundUpToFullSecond`).
    pub rounds_up: bool,
}

/// The stage of the game at which a move is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GameStage {
    /// Number of the move, from 1.
    pub ply: u32,
    /// Number of moves after which the game is a draw.
    pub max_moves: Option<u32>,
    /// Number of moves until the clock receives more time. Where it is stated (`movestogo`, from
    /// UCI), the increment is not counted for the move itself: clocks of chess add it after the
    /// move.
    pub moves_to_go: Option<u32>,
}

/// Limits for the time of a move, counted from the start of the clock.
///
/// Minimum and optimum are at most the maximum.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_engine::TimeLimits;
///
/// let second = TimeLimits::exactly(Duration::from_secs(1));
/// let short = second.min(TimeLimits::exactly(Duration::from_millis(300)));
/// assert!(short.is_exact());
/// assert_eq!(short.maximum, Duration::from_millis(300));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimits {
    /// The search is not ended early before this time.
    pub minimum: Duration,
    /// The time for a move of average difficulty.
    pub optimum: Duration,
    /// The search is cut off at this time.
    pub maximum: Duration,
    /// For a clock that counts whole seconds, the time to stop before a whole second, so that the
    /// move arrives in time.
    pub before_second: Option<Duration>,
}

impl Default for ClockPolicy {
    /// Returns the defaults of YaneuraOu, which users know: delays of 120 ms and 1,120 ms, a
    /// minimum of 2 s, whole seconds.
    fn default() -> Self {
        Self {
            network_delay: Duration::from_millis(120),
            network_delay_worst: Duration::from_millis(1_120),
            minimum: Duration::from_secs(2),
            slow_mover: 100,
            rounds_up: true,
        }
    }
}

/// The maximum, in multiples of the optimum.
const OVERRUN: u32 = 4;

/// Minimum time and whole seconds apply only if they take at most one part in this many of the main
/// time.
const PLENTY: u32 = 10;

/// Delay within the engine, reserved if the stated delay is shorter: the search reads its clock
/// every 256 nodes, and on a machine whose cores are all busy the thread that writes the answer has
/// to wait. Measured with a byoyomi of 100 ms and no reserve: 99 % of the answers were late, by up
/// to 5 ms.
const OWN_DELAY: Duration = Duration::from_millis(10);

/// The time of the searches in the last seconds, when the delays of the moves to come exceed the
/// rest of the main time: enough for a depth at which no piece is lost for nothing.
const SHORTEST_SEARCH: Duration = Duration::from_millis(20);

/// Number of such searches for which the rest of the time has to last at any time.
const LAST_MOVES: u32 = 30;

/// Maximum time for a position with a single legal move. A short search finds a reply to ponder on.
const ONLY_MOVE: Duration = Duration::from_millis(500);

impl TimeLimits {
    /// Returns limits that are all equal to `time`.
    pub const fn exactly(time: Duration) -> Self {
        Self { minimum: time, optimum: time, maximum: time, before_second: None }
    }

    /// Returns whether the time to stop is fixed, independently of the course of the search.
    pub fn is_exact(&self) -> bool {
        self.minimum >= self.maximum
    }

    /// Returns the shorter of each pair of limits.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self {
            minimum: self.minimum.min(other.minimum),
            optimum: self.optimum.min(other.optimum),
            maximum: self.maximum.min(other.maximum),
            // Rounding up to whole seconds requires plenty of time on both sides.
            before_second: self.before_second.and(other.before_second),
        }
    }

    /// Returns the limits for a position with a single legal move: a short search, for the reply to
    /// ponder on.
    #[must_use]
    pub fn for_only_move(self) -> Self {
        let short = (self.optimum / 8).min(ONLY_MOVE);
        Self { minimum: Duration::ZERO, optimum: short, maximum: short, before_second: None }
    }

    /// Returns the limits of a side that ponders. It may use a quarter more time, because a correct
    /// guess gives it free time.
    #[must_use]
    pub fn for_pondering(self) -> Self {
        let optimum = self.optimum.saturating_add(self.optimum / 4).min(self.maximum);
        Self { optimum, ..self }
    }

    /// Returns the time to end a search that could end at `elapsed`: at least the minimum, at most
    /// the maximum, and just before a whole second on a clock that counts whole seconds.
    pub fn end_after(&self, elapsed: Duration) -> Duration {
        let time = elapsed.max(self.minimum);
        let time = match self.before_second {
            Some(delay) => up_to_second(time, delay),
            None => time,
        };
        time.min(self.maximum)
    }
}

impl ClockPolicy {
    /// Returns the limits for a move of `color`.
    ///
    /// The worst delay is reserved up to half of the available time. If no more than the usual
    /// delay is available, all limits are 0.
    pub fn limits(&self, clock: &ClockTimes, color: Color, stage: GameStage) -> TimeLimits {
        let SideClock { rest: main, increment, byoyomi } = clock.side(color);
        // What the move leaves of it stays for later moves.
        let saved = match stage.moves_to_go {
            None => main.saturating_add(increment),
            Some(_) => main,
        };
        let total = saved.saturating_add(byoyomi);
        let most = self.usable(total);
        let gets_more = !byoyomi.is_zero() || !increment.is_zero();
        let share =
            main / stage.moves_left(gets_more) + byoyomi.saturating_add(increment).min(total);
        let share = scaled(share, self.slow_mover);
        // A share that uses up the saved time leaves byoyomi only, which is lost if it is not used.
        if saved.is_zero() || !byoyomi.is_zero() && share >= saved {
            return TimeLimits::exactly(scaled(most, self.slow_mover).min(most));
        }
        // A fifth of the saved time is kept for later moves. With byoyomi that is not necessary.
        let kept = if byoyomi.is_zero() { saved / 5 } else { Duration::ZERO };
        let most = most.min(total.saturating_sub(kept));
        let optimum = self.after_delays(share, gets_more).min(most.saturating_sub(kept));
        let affordable = saved / PLENTY;
        let minimum = match self.minimum <= affordable {
            true => self.minimum.saturating_sub(self.network_delay),
            false => Duration::ZERO,
        };
        let rounds_up = self.rounds_up && affordable >= Duration::from_secs(1);
        let floor = self.shortest_search(total);
        let maximum = optimum.saturating_mul(OVERRUN).max(minimum).max(floor).min(most);
        TimeLimits {
            minimum: minimum.min(maximum),
            optimum: optimum.max(floor).min(maximum),
            maximum,
            before_second: rounds_up.then_some(self.network_delay),
        }
    }

    /// Returns the time of a search that is always worth its while: a little of what `total` has
    /// beyond the worst delay and the own delays of the last moves. It shrinks with the rest of the
    /// time and so never uses up this reserve.
    fn shortest_search(&self, total: Duration) -> Duration {
        let worst = self.network_delay_worst.max(self.network_delay);
        let reserve = worst.max(OWN_DELAY * LAST_MOVES);
        SHORTEST_SEARCH.min(total.saturating_sub(reserve) / LAST_MOVES)
    }

    /// Returns the `share` of a move without the delay. Without byoyomi or increment, each later
    /// move loses its delay from the same main time, so all of the delay is reserved. Otherwise at
    /// most half of the share is, so that a delay that is set too long does not prevent a search.
    fn after_delays(&self, share: Duration, gets_more: bool) -> Duration {
        let delay = self.network_delay.max(OWN_DELAY);
        let reserve = if gets_more { delay.min(share / 2) } else { delay };
        share.saturating_sub(reserve)
    }

    /// Returns `total` without the worst delay.
    fn usable(&self, total: Duration) -> Duration {
        let reserve = self.network_delay_worst.min((total / 2).max(self.network_delay));
        total.saturating_sub(reserve.max(OWN_DELAY.min(total / 5)))
    }
}

impl GameStage {
    /// Returns an estimate of the number of moves for which the main time has to last. Games take
    /// about 160 plies. A minimum is kept for the endgame, a larger one if no time is added.
    fn moves_left(self, gets_more: bool) -> u32 {
        let least = if gets_more { 20 } else { 30 };
        let estimate = (160_u32.saturating_sub(self.ply) / 2).clamp(least, 60);
        let until_draw = self.max_moves.map(|most| most.saturating_sub(self.ply) / 2 + 1);
        let known = self.moves_to_go.unwrap_or(u32::MAX);
        estimate.min(until_draw.unwrap_or(u32::MAX)).min(known).max(1)
    }
}

/// Returns `per_cent` per cent of `time`.
fn scaled(time: Duration, per_cent: u32) -> Duration {
    time.saturating_mul(per_cent) / 100
}

/// Returns the first time from `time` on that is `delay` before a whole second.
fn up_to_second(time: Duration, delay: Duration) -> Duration {
    let seconds = time.saturating_add(delay).as_nanos().div_ceil(1_000_000_000);
    Duration::from_secs(u64::try_from(seconds).unwrap_or(u64::MAX)).saturating_sub(delay)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIDDLEGAME: GameStage = GameStage { ply: 60, max_moves: None, moves_to_go: None };

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn clock(main: u64, byoyomi: u64, increment: u64) -> ClockTimes {
        let mut clock = ClockTimes::byoyomi(ms(byoyomi));
        clock.main = [ms(main); 2];
        clock.increment = [ms(increment); 2];
        clock
    }

    fn limits(main: u64, byoyomi: u64, increment: u64) -> TimeLimits {
        ClockPolicy::default().limits(&clock(main, byoyomi, increment), Color::Black, MIDDLEGAME)
    }

    /// The policy for a GUI on the same machine.
    fn local() -> ClockPolicy {
        let (network_delay, network_delay_worst) = (Duration::ZERO, Duration::ZERO);
        ClockPolicy { network_delay, network_delay_worst, ..ClockPolicy::default() }
    }

    #[test]
    fn no_time_is_no_time() {
        assert_eq!(limits(0, 0, 0), TimeLimits::exactly(Duration::ZERO));
    }

    #[test]
    fn the_increment_of_the_move_is_there_to_be_used() {
        // Main time, byoyomi and increment; bounds of the optimum, and the maximum at most.
        for ([main, byoyomi, increment], [least, most], maximum) in [
            ([0, 0, 10_000], [5_000, 9_000], 8_000),
            ([0, 0, 8_000], [4_000, 7_000], 6_400),
            ([0, 0, 1_000], [250, 500], 500),
            ([100, 0, 5_000], [2_900, 3_980], 3_980),
            ([1_000, 0, 5_000], [3_500, 4_800], 4_800),
            ([3_000, 0, 5_000], [4_500, 5_200], 6_400),
            ([300_000, 0, 10_000], [14_000, 17_000], 250_000),
            ([0, 5_000, 10_000], [10_000, 13_880], 13_880),
        ] {
            let limits = limits(main, byoyomi, increment);
            let clock = clock(main, byoyomi, increment);
            assert!((ms(least)..=ms(most)).contains(&limits.optimum), "{clock}: {limits:?}");
            assert!(limits.maximum <= ms(maximum), "{clock}: {limits:?}");
        }
        // A move that takes longer than it wanted to is still far from the end, other than in
        // byoyomi.
        let alone = local().limits(&clock(0, 0, 300), Color::Black, MIDDLEGAME);
        assert_eq!((alone.optimum, alone.maximum), (ms(180), ms(240)));
        let own = |color| {
            let mut clock = clock(0, 0, 0);
            clock.increment[color] = ms(10_000);
            ClockPolicy::default().limits(&clock, Color::White, MIDDLEGAME).optimum
        };
        assert!(own(Color::White) > ms(5_000) && own(Color::Black).is_zero());
    }

    #[test]
    fn the_increment_of_other_protocols_comes_after_the_move() {
        let stage = GameStage { moves_to_go: Some(10), ..MIDDLEGAME };
        for (main, increment) in [(0, 10_000), (100, 10_000), (2_000, 500)] {
            let clock = clock(main, 0, increment);
            let limits = ClockPolicy::default().limits(&clock, Color::Black, stage);
            assert!(limits.maximum <= ms(main), "{clock}: {limits:?}");
        }
    }

    #[test]
    fn the_last_seconds_are_searched_as_long_as_the_worst_delay_is_covered() {
        for (usual, worst) in [(0, 0), (10, 50), (120, 120), (120, 1_120), (0, 3_000)] {
            let policy = ClockPolicy {
                network_delay: ms(usual),
                network_delay_worst: ms(worst),
                ..ClockPolicy::default()
            };
            for main in [1, 30, 100, 250, 500, 1_000, 1_500, 2_000, 3_000, 5_000, 7_000, 8_000] {
                for ply in [1, 60, 200, 500] {
                    let stage = GameStage { ply, ..MIDDLEGAME };
                    let limits = policy.limits(&clock(main, 0, 0), Color::Black, stage);
                    let context = format!("{main} ms at {ply}, delays {usual} {worst}: {limits:?}");
                    if main >= worst.max(300) + 300 {
                        assert!(limits.optimum >= ms(10), "{context}");
                    }
                    // Until the delay is the larger part of the rest, it is reserved in full.
                    let reserve = worst.max(10).min(main / 2).max(main / 5);
                    assert!(limits.maximum <= ms(main - reserve), "{context}");
                }
            }
        }
    }

    #[test]
    fn less_than_the_delay_is_no_time_either() {
        for time in [1, 50, 120] {
            assert_eq!(limits(time, 0, 0).maximum, Duration::ZERO);
            assert_eq!(limits(0, time, 0).maximum, Duration::ZERO);
        }
        assert_eq!(limits(0, 121, 0).maximum, ms(1));
    }

    #[test]
    fn all_of_byoyomi_is_used() {
        assert_eq!(limits(0, 10_000, 0), TimeLimits::exactly(ms(8_880)));
        assert_eq!(limits(0, 1_000, 0), TimeLimits::exactly(ms(500)));
        let limits = |byoyomi| local().limits(&clock(0, byoyomi, 0), Color::White, MIDDLEGAME);
        assert_eq!(limits(100), TimeLimits::exactly(ms(90)));
        assert_eq!(limits(20), TimeLimits::exactly(ms(16)));
    }

    #[test]
    fn main_time_that_will_not_last_is_used_with_the_byoyomi() {
        assert_eq!(limits(5_000, 10_000, 0), TimeLimits::exactly(ms(15_000 - 1_120)));
        let plenty = limits(20_000, 10_000, 0);
        assert!(!plenty.is_exact() && plenty.optimum < ms(12_000), "{plenty:?}");
        // An increment is not lost.
        assert!(!limits(5_000, 0, 10_000).is_exact());
    }

    #[test]
    fn main_time_is_shared_out() {
        // Ten minutes for fifty moves.
        let alone = limits(600_000, 0, 0);
        let expected = TimeLimits {
            minimum: ms(1_880),
            optimum: ms(11_880),
            maximum: ms(47_520),
            before_second: Some(ms(120)),
        };
        assert_eq!(alone, expected);
        // The byoyomi of each move comes on top.
        assert_eq!(limits(600_000, 10_000, 0).optimum, ms(21_880));
        assert_eq!(limits(600_000, 0, 10_000).optimum, ms(21_880));
    }

    #[test]
    fn a_search_that_may_end_ends_before_a_whole_second() {
        let plenty = limits(600_000, 0, 0);
        for (elapsed, end) in
            [(0, 1_880), (1_880, 1_880), (1_881, 2_880), (10_000, 10_880), (47_000, 47_520)]
        {
            assert_eq!(plenty.end_after(ms(elapsed)), ms(end), "{elapsed}");
        }
        let exact = TimeLimits { before_second: None, ..plenty };
        assert_eq!(exact.end_after(ms(10_000)), ms(10_000));
    }

    #[test]
    fn the_last_seconds_are_not_rounded_up() {
        let limits = limits(5_000, 0, 0);
        assert_eq!((limits.minimum, limits.before_second), (Duration::ZERO, None));
        assert_eq!((limits.optimum, limits.maximum), (ms(20), ms(20)));
        let limits = local().limits(&clock(5_000, 0, 0), Color::Black, MIDDLEGAME);
        assert_eq!((limits.optimum, limits.maximum), (ms(90), ms(360)));
        assert_eq!(limits.end_after(ms(50)), ms(50));
    }

    #[test]
    fn the_clock_never_runs_out() {
        for main in [0, 1, 10, 100, 999, 5_000, 60_000, 10_000_000] {
            for byoyomi in [0, 1, 100, 1_000, 30_000] {
                for increment in [0, 100, 10_000] {
                    for ply in [1, 100, 319, 320, 5_000] {
                        for slow_mover in [1, 100, 1_000] {
                            let policy = ClockPolicy { slow_mover, ..ClockPolicy::default() };
                            let stage = GameStage { ply, max_moves: Some(320), moves_to_go: None };
                            let clock = clock(main, byoyomi, increment);
                            let limits = policy.limits(&clock, Color::Black, stage);
                            let most = ms(main + increment + byoyomi);
                            let reserve = ms(1_120).min(most / 2);
                            assert!(limits.optimum <= limits.maximum, "{clock}: {limits:?}");
                            assert!(limits.minimum <= limits.maximum, "{clock}: {limits:?}");
                            assert!(limits.maximum <= most - reserve, "{clock}: {limits:?}");
                            for time in [0, 1, 999, 30_000, 20_000_000] {
                                assert!(limits.end_after(ms(time)) <= limits.maximum);
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_end_of_the_game_in_sight_lets_time_be_used() {
        let policy = ClockPolicy::default();
        let clock = clock(60_000, 0, 0);
        let optimum = |stage| policy.limits(&clock, Color::Black, stage).optimum;
        let near_the_end = GameStage { ply: 310, max_moves: Some(320), moves_to_go: None };
        assert!(optimum(near_the_end) > 3 * optimum(MIDDLEGAME));
        let before_more_time = GameStage { moves_to_go: Some(2), ..MIDDLEGAME };
        assert!(optimum(before_more_time) > 3 * optimum(MIDDLEGAME));
    }

    #[test]
    fn slow_movers_take_longer() {
        let optimum = |slow_mover| {
            let policy = ClockPolicy { slow_mover, ..ClockPolicy::default() };
            policy.limits(&clock(600_000, 0, 0), Color::Black, MIDDLEGAME).optimum
        };
        assert_eq!(optimum(100), ms(11_880));
        assert_eq!(optimum(50), ms(5_880));
        assert_eq!(optimum(200), ms(23_880));
    }

    #[test]
    fn an_only_move_is_made_soon() {
        for limits in [limits(0, 60_000, 0), limits(3_600_000, 0, 0), limits(20_000, 0, 0)] {
            let short = limits.for_only_move();
            assert!(short.maximum <= ms(500) && short.maximum < limits.maximum, "{short:?}");
        }
    }

    #[test]
    fn absurd_clocks_do_not_overflow() {
        let forever = u64::MAX;
        let clock = clock(forever, forever, forever);
        let policy = ClockPolicy { slow_mover: u32::MAX, ..ClockPolicy::default() };
        let limits = policy.limits(&clock, Color::Black, MIDDLEGAME);
        assert!(limits.optimum <= limits.maximum);
        assert!(limits.for_pondering().end_after(Duration::MAX) <= limits.maximum);
    }
}
