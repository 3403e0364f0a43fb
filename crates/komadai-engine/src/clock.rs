//! How much of the clock a move is worth.
//!
//! Two limits come out. After the *soft* one no further iteration is begun; at the *hard* one the
//! search is cut off. In byoyomi without main time both are the same: time that is not used is lost,
//! so all of it is used. With main time, the soft limit is a share of it, and the hard limit a
//! few times that, for iterations that turn out to be long.

use std::time::Duration;

use komadai_core::Color;
use komadai_usi::ClockTimes;

/// How the clock is used. The names are those of the USI options.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_core::Color;
/// use komadai_engine::{ClockPolicy, GameStage};
/// use komadai_usi::ClockTimes;
///
/// let byoyomi = ClockTimes::byoyomi(Duration::from_secs(10));
/// let stage = GameStage { ply: 60, max_moves: None, moves_to_go: None };
/// let limits = ClockPolicy::default().limits(&byoyomi, Color::Black, stage);
/// assert_eq!(limits.hard, Duration::from_millis(10_000 - 1_120));
/// assert_eq!(limits.soft, limits.hard);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockPolicy {
    /// What is normally lost between the engine and the clock (`NetworkDelay`).
    pub network_delay: Duration,
    /// What may be lost where it would lose the game (`NetworkDelay2`).
    pub network_delay_worst: Duration,
    /// No move is made faster while there is plenty of time (`MinimumThinkingTime`).
    pub minimum: Duration,
    /// The share of the time that is used early on, in per cent of the usual (`SlowMover`).
    pub slow_mover: u32,
    /// Whether to think up to a whole second, because the clock counts whole seconds and the rest
    /// would be lost (`RoundUpToFullSecond`).
    pub rounds_up: bool,
}

/// Where in the game a move is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GameStage {
    /// The number of the move, from 1.
    pub ply: u32,
    /// The number of moves after which the game is a draw.
    pub max_moves: Option<u32>,
    /// The number of moves until the clock gets more time.
    pub moves_to_go: Option<u32>,
}

/// When to stop thinking, counted from the start of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimits {
    /// After this, no further iteration is begun.
    pub soft: Duration,
    /// At this, the search is cut off.
    pub hard: Duration,
}

impl Default for ClockPolicy {
    /// The values that YaneuraOu has made usual: 120 ms and 1,120 ms of delay, 2 s at least, whole
    /// seconds.
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

/// How many times the soft limit the hard one may be.
const OVERRUN: u32 = 4;

/// What is asked for without need (a minimum, whole seconds) may take this part of the main time.
const PLENTY: u32 = 10;

impl TimeLimits {
    /// Exactly this long.
    #[must_use]
    pub const fn exactly(time: Duration) -> Self {
        Self { soft: time, hard: time }
    }

    /// Whichever is shorter of each limit.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self { soft: self.soft.min(other.soft), hard: self.hard.min(other.hard) }
    }
}

impl ClockPolicy {
    /// The limits for a move of `color`.
    ///
    /// The increment of the move itself is not counted on: clocks add it before or after, and
    /// after is the safe assumption. Delays are never taken to be more than half of what there
    /// is. Without any time both limits are zero: the answer is due at once.
    #[must_use]
    pub fn limits(&self, clock: &ClockTimes, color: Color, stage: GameStage) -> TimeLimits {
        let (main, increment) = clock.of(color);
        let total = main.saturating_add(clock.byoyomi);
        let most = without(total, self.network_delay_worst);
        let share = main / stage.moves_left() + clock.byoyomi.saturating_add(increment).min(total);
        let share = share.saturating_mul(self.slow_mover) / 100;
        let soft = self.with_comfort(without(share, self.network_delay), main);
        let hard = soft.saturating_mul(OVERRUN).min(most);
        if main.is_zero() {
            // `SlowMover` below 100 saves nothing here, but whoever sets it wants faster moves.
            return TimeLimits::exactly(share.min(most));
        }
        TimeLimits { soft: soft.min(hard), hard }
    }

    /// The time lengthened to the minimum and to whole seconds, where there is plenty.
    fn with_comfort(&self, time: Duration, main: Duration) -> Duration {
        let affordable = main / PLENTY;
        let time = if self.minimum <= affordable { time.max(self.minimum) } else { time };
        if !self.rounds_up {
            return time;
        }
        let until_answer = time.saturating_add(self.network_delay);
        let seconds = until_answer.as_nanos().div_ceil(1_000_000_000);
        let rounded = Duration::from_secs(u64::try_from(seconds).unwrap_or(u64::MAX))
            .saturating_sub(self.network_delay);
        if rounded <= affordable { rounded } else { time }
    }
}

impl GameStage {
    /// How many more moves the main time has to last for, at a guess: games take about 160 plies,
    /// and the ending needs time as well.
    fn moves_left(self) -> u32 {
        let guess = (160_u32.saturating_sub(self.ply) / 2).clamp(20, 60);
        let until_draw = self.max_moves.map(|most| most.saturating_sub(self.ply) / 2 + 1);
        let known = self.moves_to_go.unwrap_or(u32::MAX);
        guess.min(until_draw.unwrap_or(u32::MAX)).min(known).max(1)
    }
}

/// `time` without `delay`, but never less than half of it.
fn without(time: Duration, delay: Duration) -> Duration {
    time - delay.min(time / 2)
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

    #[test]
    fn no_time_is_no_time() {
        assert_eq!(limits(0, 0, 0), TimeLimits::exactly(Duration::ZERO));
        assert_eq!(limits(0, 0, 5_000), TimeLimits::exactly(Duration::ZERO));
    }

    #[test]
    fn all_of_byoyomi_is_used() {
        assert_eq!(limits(0, 10_000, 0), TimeLimits::exactly(ms(8_880)));
        assert_eq!(limits(0, 1_000, 0), TimeLimits::exactly(ms(500)));
        assert_eq!(limits(0, 100, 0), TimeLimits::exactly(ms(50)));
        let policy = ClockPolicy {
            network_delay: Duration::ZERO,
            network_delay_worst: Duration::ZERO,
            ..ClockPolicy::default()
        };
        let limits = policy.limits(&clock(0, 100, 0), Color::White, MIDDLEGAME);
        assert_eq!(limits, TimeLimits::exactly(ms(100)));
    }

    #[test]
    fn main_time_is_shared_out() {
        // Ten minutes for fifty moves, to whole seconds.
        assert_eq!(limits(600_000, 0, 0), TimeLimits { soft: ms(11_880), hard: ms(47_520) });
        // The byoyomi of each move comes on top.
        let with_byoyomi = limits(600_000, 10_000, 0);
        assert_eq!(with_byoyomi.soft, ms(21_880));
        let with_increment = limits(600_000, 0, 10_000);
        assert_eq!(with_increment.soft, ms(21_880));
    }

    #[test]
    fn the_last_seconds_are_not_rounded_up() {
        let TimeLimits { soft, hard } = limits(5_000, 0, 0);
        assert_eq!(soft, ms(50));
        assert_eq!(hard, ms(200));
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
                            let most = ms(main + byoyomi);
                            let reserve = ms(1_120).min(most / 2);
                            assert!(limits.soft <= limits.hard, "{clock}: {limits:?}");
                            assert!(limits.hard <= most - reserve, "{clock}: {limits:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_game_of_any_length_is_finished_in_time() {
        // Each move uses up its hard limit and the whole delay; the clock still lasts.
        for (start, increment) in [(1_000, 0), (60_000, 0), (60_000, 1_000), (600_000, 10_000)] {
            let mut left = ms(start);
            for ply in (1..=400).step_by(2) {
                let mut clock = clock(0, 0, increment);
                clock.main = [left; 2];
                let stage = GameStage { ply, ..GameStage::default() };
                let limits = ClockPolicy::default().limits(&clock, Color::Black, stage);
                let used = limits.hard + ms(120).min(left / 2);
                assert!(used <= left, "ply {ply}: {left:?} left, {used:?} used");
                left = left - used + ms(increment);
            }
        }
    }

    #[test]
    fn the_end_of_the_game_in_sight_lets_time_be_used() {
        let policy = ClockPolicy::default();
        let clock = clock(60_000, 0, 0);
        let soft = |stage| policy.limits(&clock, Color::Black, stage).soft;
        let near_the_end = GameStage { ply: 310, max_moves: Some(320), moves_to_go: None };
        assert!(soft(near_the_end) > 3 * soft(MIDDLEGAME));
        let before_more_time = GameStage { moves_to_go: Some(2), ..MIDDLEGAME };
        assert!(soft(before_more_time) > 3 * soft(MIDDLEGAME));
    }

    #[test]
    fn slow_movers_take_longer() {
        let soft = |slow_mover| {
            let policy = ClockPolicy { slow_mover, rounds_up: false, ..ClockPolicy::default() };
            policy.limits(&clock(600_000, 0, 0), Color::Black, MIDDLEGAME).soft
        };
        assert_eq!(soft(100), ms(11_880));
        assert_eq!(soft(50), ms(5_880));
        assert_eq!(soft(1), ms(2_000), "the minimum");
    }

    #[test]
    fn absurd_clocks_do_not_overflow() {
        let forever = u64::MAX;
        let clock = clock(forever, forever, forever);
        let policy = ClockPolicy { slow_mover: u32::MAX, ..ClockPolicy::default() };
        let limits = policy.limits(&clock, Color::Black, MIDDLEGAME);
        assert!(limits.soft <= limits.hard);
    }
}
