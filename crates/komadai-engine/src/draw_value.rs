//! What a draw is worth.

use std::time::Duration;

use komadai_core::Color;
use komadai_usi::ClockTimes;

/// What a draw is worth to the player, in centipawns. The names are those of the USI options.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_core::Color;
/// use komadai_engine::DrawPolicy;
/// use komadai_usi::ClockTimes;
///
/// let policy = DrawPolicy { by_clock: true, ..DrawPolicy::default() };
/// let main = [Duration::from_secs(100), Duration::from_secs(300)];
/// let clock = ClockTimes { main, ..ClockTimes::default() };
/// // Black has a third of White's time, and welcomes a draw.
/// assert_eq!(policy.value(Color::Black, Some(&clock)), -2 + 60);
/// assert_eq!(policy.value(Color::White, Some(&clock)), -2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawPolicy {
    /// What a draw is worth when playing Black (`DrawValueBlack`).
    pub black: i32,
    /// What a draw is worth when playing White (`DrawValueWhite`).
    pub white: i32,
    /// Whether a draw is worth more, the shorter of time the player is (`DrawValueByClock`).
    pub by_clock: bool,
}

impl Default for DrawPolicy {
    /// A draw is a little worse than an even game, as YaneuraOu has made usual, whatever the clocks
    /// say: that the clock should have a say has not been shown by games yet.
    fn default() -> Self {
        Self { black: -2, white: -2, by_clock: false }
    }
}

/// What a draw is worth more, in centipawns, for having half of the other's time.
const HALF_THE_TIME: u128 = 30;

/// What a draw is worth more at most, in centipawns.
const MOST: u128 = 100;

impl DrawPolicy {
    /// What a draw is worth to `color`, in centipawns.
    #[must_use]
    pub fn value(&self, color: Color, clock: Option<&ClockTimes>) -> i32 {
        let value = match color {
            Color::Black => self.black,
            Color::White => self.white,
        };
        match clock {
            Some(clock) if self.by_clock => value.saturating_add(short_of_time(clock, color)),
            _ => value,
        }
    }
}

/// 30 · (their time / our time − 1), from 0 to 100.
fn short_of_time(clock: &ClockTimes, color: Color) -> i32 {
    let time = |color| {
        let (main, increment) = clock.of(color);
        let total: Duration = main.saturating_add(clock.byoyomi).saturating_add(increment);
        total.as_millis()
    };
    let (ours, theirs) = (time(color), time(!color));
    let more = theirs.saturating_sub(ours).saturating_mul(HALF_THE_TIME);
    // Without any time, all that the other has is infinitely much.
    let bonus = more.checked_div(ours).unwrap_or(more).min(MOST);
    i32::try_from(bonus).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(ours: u64, theirs: u64, byoyomi: u64) -> i32 {
        let policy = DrawPolicy { black: 0, white: 0, by_clock: true };
        let clock = ClockTimes {
            main: [ours, theirs].map(Duration::from_millis),
            byoyomi: Duration::from_millis(byoyomi),
            ..ClockTimes::default()
        };
        policy.value(Color::Black, Some(&clock))
    }

    #[test]
    fn whoever_is_short_of_time_welcomes_a_draw() {
        assert_eq!(value(1_000, 1_000, 0), 0);
        assert_eq!(value(2_000, 1_000, 0), 0);
        assert_eq!(value(1_000, 2_000, 0), 30);
        assert_eq!(value(1_000, 3_000, 0), 60);
        assert_eq!(value(1_000, 60_000, 0), 100);
        // The byoyomi is common to both.
        assert_eq!(value(0, 10_000, 10_000), 30);
    }

    #[test]
    fn absurd_clocks_do_no_harm() {
        assert_eq!(value(0, 0, 0), 0);
        assert_eq!(value(0, 1_000, 0), 100);
        assert_eq!(value(1, u64::MAX, u64::MAX), 29);
        assert_eq!(value(1, u64::MAX, 0), 100);
    }

    #[test]
    fn without_a_clock_only_the_color_counts() {
        let policy = DrawPolicy { black: -50, white: 20, by_clock: true };
        assert_eq!(policy.value(Color::Black, None), -50);
        assert_eq!(policy.value(Color::White, None), 20);
    }
}
