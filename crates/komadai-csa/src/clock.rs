//! The time of both sides.

use std::time::Duration;

use komadai_core::{Color, SideClock};

use crate::time_rules::TimeRules;

/// The time left for both sides, by what the server counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockState {
    rules: [TimeRules; 2],
    left: [Duration; 2],
}

impl ClockState {
    /// Creates the clocks at the start of a game; the rules are Black's and White's.
    pub fn new(rules: [TimeRules; 2]) -> Self {
        let left = rules.each_ref().map(|rules| rules.total);
        Self { rules, left }
    }

    /// Returns the rest of a side's main time.
    pub fn left(&self, color: Color) -> Duration {
        self.left[color.index()]
    }

    /// Returns the rules of a side.
    pub fn rules(&self, color: Color) -> &TimeRules {
        &self.rules[color.index()]
    }

    /// Returns the clock of a side before its next move.
    pub fn side(&self, color: Color) -> SideClock {
        let &TimeRules { increment, byoyomi, .. } = self.rules(color);
        SideClock { rest: self.left(color), increment, byoyomi }
    }

    /// Returns the time for the next move of a side; `None` without a limit.
    pub fn allowance(&self, color: Color) -> Option<Duration> {
        let rules = self.rules(color);
        rules.is_limited.then(|| self.side(color).available().saturating_add(rules.delay))
    }

    /// Subtracts the time of a move, as the server counted it.
    pub fn spend(&mut self, color: Color, time: Duration) {
        self.left[color.index()] = self.side(color).rest_after(time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(count: u32) -> Duration {
        Duration::from_secs(1) * count
    }

    fn rules([total, increment, byoyomi]: [u32; 3]) -> TimeRules {
        TimeRules {
            total: second(total),
            byoyomi: second(byoyomi),
            increment: second(increment),
            is_limited: true,
            ..TimeRules::default()
        }
    }

    /// Total time, increment and byoyomi; for each move of Black what is available and what the
    /// server counted; the rest at the end. The rests are those of a server that adds the increment
    /// before it subtracts the time.
    type Game = ([u32; 3], &'static [(u32, u32)], u32);

    const GAMES: [Game; 8] = [
        ([0, 3, 0], &[(3, 2), (4, 3), (4, 0), (7, 6)], 1),
        ([1, 4, 0], &[(5, 4), (5, 5), (4, 3)], 1),
        ([4, 3, 0], &[(7, 6), (4, 4), (3, 0)], 3),
        ([300, 10, 0], &[(310, 0), (320, 30), (300, 10)], 290),
        ([10, 2, 0], &[(12, 4)], 8),
        ([4, 0, 3], &[(7, 5), (3, 1), (3, 3)], 0),
        ([5, 0, 0], &[(5, 1), (4, 3)], 1),
        ([0, 2, 3], &[(5, 1), (6, 4)], 0),
    ];

    #[test]
    fn a_move_may_use_its_increment_and_keeps_what_it_leaves() {
        for (control, moves, rest) in GAMES {
            for color in Color::ALL {
                let mut clock = ClockState::new([rules(control), rules(control)]);
                for &(available, counted) in moves {
                    assert_eq!(clock.allowance(color), Some(second(available)), "{control:?}");
                    clock.spend(color, second(counted));
                }
                assert_eq!(clock.left(color), second(rest), "{control:?}");
                assert_eq!(clock.left(!color), second(control[0]), "{control:?}");
            }
        }
    }

    #[test]
    fn a_delay_of_the_server_is_not_counted() {
        let delayed = TimeRules { delay: second(2), ..rules([10, 0, 0]) };
        let clock = ClockState::new([delayed, TimeRules::default()]);
        assert_eq!(clock.allowance(Color::Black), Some(second(12)));
        assert_eq!(clock.allowance(Color::White), None);
    }
}
