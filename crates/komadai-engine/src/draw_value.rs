//! The value of a draw (contempt).

use komadai_core::Color;
use komadai_usi::ClockTimes;

/// The value of a draw for the player, in centipawns. The fields correspond to USI options.
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
/// let clock = ClockTimes::main(main);
/// // Black has a third of White's time, so a draw is good for Black.
/// assert_eq!(policy.value(Color::Black, Some(&clock)), -2 + 60);
/// assert_eq!(policy.value(Color::White, Some(&clock)), -2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct DrawPolicy {
    /// The value of a draw when playing Black (`DrawValueBlack`).
    pub black: i32,
    /// The value of a draw when playing White (`DrawValueWhite`).
    pub white: i32,
    /// True to raise the value if the player has less time than the opponent (`DrawValueByClock`).
    pub by_clock: bool,
}

impl Default for DrawPolicy {
    /// Returns −2 for both colours, the default of YaneuraOu, without the clocks: no games have
    /// shown a gain from the clocks yet.
    fn default() -> Self {
        Self { black: -2, white: -2, by_clock: false }
    }
}

/// Bonus in centipawns if the player has half of the opponent's time.
const HALF_THE_TIME: u128 = 30;

/// Maximum bonus in centipawns.
const MOST: u128 = 100;

impl DrawPolicy {
    /// Returns the value of a draw for `color`, in centipawns.
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

/// Returns 30 · (their time / our time − 1), limited to 0 to 100.
fn short_of_time(clock: &ClockTimes, color: Color) -> i32 {
    let [ours, theirs] = [color, !color].map(|color| clock.side(color).available().as_millis());
    let more = theirs.saturating_sub(ours).saturating_mul(HALF_THE_TIME);
    // Without any time of our own the ratio is infinite: the bonus is then limited by `MOST` only.
    let bonus = more.checked_div(ours).unwrap_or(more).min(MOST);
    i32::try_from(bonus).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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
    fn the_side_with_less_time_gets_a_bonus() {
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
