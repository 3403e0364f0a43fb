//! The time of both sides.

use std::time::Duration;

use komadai_core::Color;

use crate::time_rules::TimeRules;

/// The time left for both sides, by what the server counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockState {
    rules: [TimeRules; 2],
    left: [Duration; 2],
}

impl ClockState {
    /// Creates the clocks at the start of a game; the rules are Black's and White's.
    #[must_use]
    pub fn new(rules: [TimeRules; 2]) -> Self {
        let left = rules.each_ref().map(|rules| rules.total);
        Self { rules, left }
    }

    /// Returns the rest of a side's main time.
    #[must_use]
    pub fn left(&self, color: Color) -> Duration {
        self.left[color.index()]
    }

    /// Returns the rules of a side.
    #[must_use]
    pub fn rules(&self, color: Color) -> &TimeRules {
        &self.rules[color.index()]
    }

    /// Returns the time for the next move of a side; `None` without a limit.
    #[must_use]
    pub fn allowance(&self, color: Color) -> Option<Duration> {
        let rules = self.rules(color);
        rules.is_limited.then(|| self.left(color) + rules.byoyomi + rules.delay)
    }

    /// Subtracts the time of a move, as the server counted it.
    pub fn spend(&mut self, color: Color, time: Duration) {
        let TimeRules { increment, .. } = self.rules[color.index()];
        let left = &mut self.left[color.index()];
        *left = left.saturating_sub(time) + increment;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn increments_are_added_and_byoyomi_is_not_saved() {
        let second = Duration::from_secs(1);
        let rules = |total, byoyomi, increment| TimeRules {
            total: second * total,
            byoyomi: second * byoyomi,
            increment: second * increment,
            is_limited: true,
            ..TimeRules::default()
        };
        let mut clock = ClockState::new([rules(10, 0, 2), rules(5, 3, 0)]);
        clock.spend(Color::Black, second * 4);
        clock.spend(Color::White, second * 7);
        assert_eq!(clock.left(Color::Black), second * 8);
        assert_eq!(clock.allowance(Color::White), Some(second * 3));
        assert_eq!(ClockState::new(Default::default()).allowance(Color::Black), None);
    }
}
