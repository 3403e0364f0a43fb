//! What a side may spend on its moves.

use std::time::Duration;

use komadai_core::Color;
use komadai_usi::{ClockTimes, GoLimits};

/// What one side may spend: a clock, a fixed time a move, nodes, depth, or several of them.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_match::TimeControl;
///
/// assert!(!TimeControl::nodes(2_000).is_timed());
/// let fischer = TimeControl {
///     main: Duration::from_secs(60),
///     increment: Duration::from_secs(1),
///     ..TimeControl::default()
/// };
/// assert!(fischer.is_timed());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TimeControl {
    /// The main time of the game (持ち時間).
    pub main: Duration,
    /// What each move may take after the main time (秒読み).
    pub byoyomi: Duration,
    /// What each move adds to the main time, after it has been made.
    pub increment: Duration,
    /// What each move may take, whatever the clock says.
    pub move_time: Option<Duration>,
    /// The nodes of each move.
    pub nodes: Option<u64>,
    /// The depth of each search in plies.
    pub depth: Option<u32>,
}

impl TimeControl {
    /// So many nodes a move, without a clock.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// So long for each move, without main time.
    #[must_use]
    pub fn byoyomi(byoyomi: Duration) -> Self {
        Self { byoyomi, ..Self::default() }
    }

    /// Whether a move can be too late.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.move_time.is_some() || self.has_clock()
    }

    /// Whether nothing at all limits a move.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        !self.is_timed() && self.nodes.is_none() && self.depth.is_none()
    }

    fn has_clock(&self) -> bool {
        [self.main, self.byoyomi, self.increment].iter().any(|time| !time.is_zero())
    }
}

/// The running clock of one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    left: Duration,
}

impl Clock {
    /// The clock at the start of a game.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        Self { left: control.main, control }
    }

    /// What is left of the main time.
    #[must_use]
    pub fn left(&self) -> Duration {
        self.left
    }

    /// What the next move may take; `None` if it may take for ever.
    #[must_use]
    pub fn allowance(&self) -> Option<Duration> {
        let by_clock = self.control.has_clock().then(|| self.left + self.control.byoyomi);
        [by_clock, self.control.move_time].into_iter().flatten().min()
    }

    /// Takes the time of a move off. Answers whether it was made in time, `margin` included.
    ///
    /// What a move takes beyond its allowance, but within the margin, is forgiven.
    pub fn spend(&mut self, elapsed: Duration, margin: Duration) -> bool {
        let in_time = self.allowance().is_none_or(|allowed| elapsed <= allowed + margin);
        self.left = self.left.saturating_sub(elapsed) + self.control.increment;
        in_time
    }
}

/// What `go` says to `side`, whose turn it is. A side without a clock is shown none; opponents
/// without one appear to have the same main time.
pub(crate) fn go_limits(clocks: [&Clock; 2], side: Color) -> GoLimits {
    let own = clocks[side as usize];
    let shown = clocks.map(|clock| if clock.control.has_clock() { clock } else { own });
    let clock = own.control.has_clock().then(|| ClockTimes {
        main: shown.map(Clock::left),
        byoyomi: own.control.byoyomi,
        increment: shown.map(|clock| clock.control.increment),
    });
    GoLimits {
        clock,
        move_time: own.control.move_time,
        nodes: own.control.nodes,
        depth: own.control.depth,
        ..GoLimits::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    const NO_MARGIN: Duration = Duration::ZERO;

    #[test]
    fn byoyomi_begins_after_the_main_time() {
        let control = TimeControl { main: ms(100), byoyomi: ms(50), ..TimeControl::default() };
        let mut clock = Clock::new(control);
        assert_eq!(clock.allowance(), Some(ms(150)));
        assert!(clock.spend(ms(60), NO_MARGIN));
        assert_eq!(clock.left(), ms(40));
        assert!(clock.spend(ms(90), NO_MARGIN), "main time and byoyomi to the full");
        assert_eq!((clock.left(), clock.allowance()), (ms(0), Some(ms(50))));
        assert!(clock.spend(ms(50), NO_MARGIN));
        assert!(!clock.spend(ms(51), NO_MARGIN));
        assert!(clock.spend(ms(51), ms(1)), "the margin is forgiven");
    }

    #[test]
    fn increments_are_added_after_the_move() {
        let control = TimeControl { main: ms(100), increment: ms(30), ..TimeControl::default() };
        let mut clock = Clock::new(control);
        assert_eq!(clock.allowance(), Some(ms(100)));
        assert!(clock.spend(ms(100), NO_MARGIN));
        assert_eq!(clock.left(), ms(30));
        assert!(!clock.spend(ms(31), NO_MARGIN));
    }

    #[test]
    fn sudden_death_and_fixed_times_are_told_apart() {
        let mut sudden = Clock::new(TimeControl { main: ms(100), ..TimeControl::default() });
        assert!(sudden.spend(ms(99), NO_MARGIN));
        assert!(!sudden.spend(ms(2), NO_MARGIN));
        let mut fixed =
            Clock::new(TimeControl { move_time: Some(ms(10)), ..TimeControl::default() });
        assert!(fixed.spend(ms(10), NO_MARGIN) && fixed.spend(ms(10), NO_MARGIN));
        assert!(!fixed.spend(ms(11), NO_MARGIN));
        let mut untimed = Clock::new(TimeControl::nodes(5));
        assert_eq!(untimed.allowance(), None);
        assert!(untimed.spend(Duration::from_secs(3_600), NO_MARGIN));
    }

    #[test]
    fn each_side_hears_of_its_own_limits_and_of_both_clocks() {
        let fischer = TimeControl { main: ms(100), increment: ms(30), ..TimeControl::default() };
        let slower = TimeControl { main: ms(500), increment: ms(10), ..TimeControl::default() };
        let clocks = [&Clock::new(fischer.clone()), &Clock::new(slower)];
        for side in Color::ALL {
            let told = go_limits(clocks, side).to_string();
            assert_eq!(told, "btime 100 wtime 500 binc 30 winc 10");
        }
        let clocks = [&Clock::new(TimeControl::nodes(7)), &Clock::new(fischer)];
        assert_eq!(go_limits(clocks, Color::Black).to_string(), "nodes 7");
        let told = go_limits(clocks, Color::White).to_string();
        assert_eq!(told, "btime 100 wtime 100 binc 30 winc 30");
        let byoyomi = Clock::new(TimeControl::byoyomi(ms(9)));
        let told = go_limits([&byoyomi, &byoyomi], Color::Black).to_string();
        assert_eq!(told, "btime 0 wtime 0 byoyomi 9");
    }
}
