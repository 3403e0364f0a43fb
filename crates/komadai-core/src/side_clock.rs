//! The clock of one side, and the rule by which a move uses it.

use std::time::Duration;

/// The clock of one side before its move.
///
/// A move may take all of it: the rest of the main time, the increment of this very move, and the
/// byoyomi. What the move leaves of main time and increment stays for later moves; byoyomi that it
/// leaves is lost. USI (where `btime` and `wtime` are stated without the increment of the move) and
/// the servers that speak the protocol of the Computer Shogi Association agree on this, so engines,
/// referees and clients of servers all count by this type.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_core::SideClock;
///
/// let second = Duration::from_secs(1);
/// let fischer = SideClock { rest: 2 * second, increment: 5 * second, byoyomi: Duration::ZERO };
/// assert_eq!(fischer.available(), 7 * second);
/// assert_eq!(fischer.rest_after(4 * second), 3 * second);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SideClock {
    /// The rest of the main time (持ち時間), without the increment of this move.
    pub rest: Duration,
    /// The time that this move adds to the main time (フィッシャー).
    pub increment: Duration,
    /// The time of this move after main time and increment (秒読み).
    pub byoyomi: Duration,
}

impl SideClock {
    /// Returns the time that the move may take.
    pub const fn available(&self) -> Duration {
        self.rest.saturating_add(self.increment).saturating_add(self.byoyomi)
    }

    /// Returns the rest of the main time after a move that took this time.
    pub const fn rest_after(&self, spent: Duration) -> Duration {
        self.rest.saturating_add(self.increment).saturating_sub(spent)
    }

    /// Returns the clock to state to a player whose answers need up to `delay` to arrive.
    ///
    /// The delay is taken from what a move uses last: from the byoyomi if it is longer, otherwise
    /// from the main time, then from the increment. Half of the available time is left in any case,
    /// because a player without time does not think.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use komadai_core::SideClock;
    ///
    /// let second = Duration::from_secs(1);
    /// let clock = SideClock { byoyomi: 10 * second, ..SideClock::default() };
    /// assert_eq!(clock.keeping_back(second).byoyomi, 9 * second);
    /// ```
    #[must_use]
    pub fn keeping_back(&self, delay: Duration) -> Self {
        let mut kept = delay.min(self.available() / 2);
        let mut clock = *self;
        if clock.byoyomi > kept {
            clock.byoyomi -= kept;
            return clock;
        }
        for part in [&mut clock.rest, &mut clock.increment, &mut clock.byoyomi] {
            let taken = kept.min(*part);
            *part -= taken;
            kept -= taken;
        }
        clock
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock([rest, increment, byoyomi]: [u64; 3]) -> SideClock {
        let [rest, increment, byoyomi] = [rest, increment, byoyomi].map(Duration::from_millis);
        SideClock { rest, increment, byoyomi }
    }

    /// Rest, increment and byoyomi; what is available; a time spent and the rest after it.
    const MOVES: [([u64; 3], u64, u64, u64); 14] = [
        ([0, 0, 0], 0, 0, 0),
        ([0, 0, 0], 0, 5, 0),
        ([300_000, 0, 0], 300_000, 20_000, 280_000),
        ([1_000, 0, 0], 1_000, 1_001, 0),
        // Byoyomi is not saved, whether it was touched or not.
        ([0, 0, 10_000], 10_000, 4_000, 0),
        ([5_000, 0, 10_000], 15_000, 4_000, 1_000),
        ([5_000, 0, 10_000], 15_000, 14_000, 0),
        // The first move of a game without main time has the increment.
        ([0, 10_000, 0], 10_000, 0, 10_000),
        ([0, 3_000, 0], 3_000, 2_500, 500),
        ([0, 3_000, 0], 3_000, 3_000, 0),
        // A move that uses main time and its increment leaves nothing, not an increment.
        ([2_000, 500, 0], 2_500, 2_400, 100),
        ([2_000, 500, 0], 2_500, 2_500, 0),
        ([60_000, 1_000, 0], 61_000, 500, 60_500),
        ([1_000, 2_000, 5_000], 8_000, 4_000, 0),
    ];

    #[test]
    fn a_move_may_use_rest_increment_and_byoyomi() {
        for (parts, available, spent, rest) in MOVES {
            let clock = clock(parts);
            assert_eq!(clock.available(), Duration::from_millis(available), "{parts:?}");
            let after = clock.rest_after(Duration::from_millis(spent));
            assert_eq!(after, Duration::from_millis(rest), "{parts:?} after {spent}");
        }
    }

    #[test]
    fn a_delay_is_kept_back_from_what_is_used_last() {
        for (parts, delay, stated) in [
            ([0, 0, 10_000], 1_000, [0, 0, 9_000]),
            ([60_000, 0, 10_000], 1_000, [60_000, 0, 9_000]),
            ([60_000, 0, 0], 1_000, [59_000, 0, 0]),
            ([60_000, 5_000, 0], 1_000, [59_000, 5_000, 0]),
            ([400, 5_000, 0], 1_000, [0, 4_400, 0]),
            ([0, 3_000, 0], 1_000, [0, 2_000, 0]),
            ([60_000, 0, 500], 1_000, [59_000, 0, 500]),
            // Half of the time is left.
            ([0, 0, 1_000], 1_000, [0, 0, 500]),
            ([0, 0, 100], 1_000, [0, 0, 50]),
            ([600, 0, 0], 1_000, [300, 0, 0]),
            ([100, 100, 100], 1_000, [0, 50, 100]),
            ([0, 0, 0], 1_000, [0, 0, 0]),
            ([7, 8, 9], 0, [7, 8, 9]),
        ] {
            let delay = Duration::from_millis(delay);
            assert_eq!(clock(parts).keeping_back(delay), clock(stated), "{parts:?} {delay:?}");
        }
    }

    #[test]
    fn absurd_clocks_do_not_overflow() {
        let [rest, increment, byoyomi] = [Duration::MAX; 3];
        let clock = SideClock { rest, increment, byoyomi };
        assert_eq!(clock.available(), Duration::MAX);
        assert_eq!(clock.rest_after(Duration::MAX), Duration::ZERO);
        assert!(clock.keeping_back(Duration::MAX).available() > Duration::ZERO);
    }
}
