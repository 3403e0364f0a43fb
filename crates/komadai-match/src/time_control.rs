//! Time control and clocks.

use std::time::Duration;

use komadai_core::{Color, SideClock};
use komadai_usi::{ClockTimes, GoLimits};

/// The limits of one side: a clock, a fixed time a move, nodes, depth, or several of them.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct TimeControl {
    /// The main time of the game (持ち時間).
    pub main: Duration,
    /// Time for each move after the main time (秒読み).
    pub byoyomi: Duration,
    /// Time that each move adds to the main time (フィッシャー). The move itself may use it.
    pub increment: Duration,
    /// Maximum time for each move, independently of the clock.
    pub move_time: Option<Duration>,
    /// Maximum number of nodes for each move.
    pub nodes: Option<u64>,
    /// Maximum depth of each search, in plies.
    pub depth: Option<u32>,
}

impl TimeControl {
    /// Returns a limit of `nodes` for each move, without a clock.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Returns a byoyomi without main time.
    pub fn byoyomi(byoyomi: Duration) -> Self {
        Self { byoyomi, ..Self::default() }
    }

    /// Returns whether a move can be too late.
    pub fn is_timed(&self) -> bool {
        self.move_time.is_some() || self.has_clock()
    }

    /// Returns whether there is no limit at all.
    pub fn is_unlimited(&self) -> bool {
        !self.is_timed() && self.nodes.is_none() && self.depth.is_none()
    }

    fn has_clock(&self) -> bool {
        [self.main, self.byoyomi, self.increment].iter().any(|time| !time.is_zero())
    }
}

/// The clock of one side during a game.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_match::{GameClock, TimeControl};
///
/// let mut clock = GameClock::new(TimeControl::byoyomi(Duration::from_secs(2)));
/// assert!(clock.spend(Duration::from_secs(1), Duration::ZERO));
/// assert!(!clock.spend(Duration::from_secs(3), Duration::ZERO)); // too late
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameClock {
    control: TimeControl,
    left: Duration,
}

impl GameClock {
    /// Returns the clock at the start of a game.
    pub fn new(control: TimeControl) -> Self {
        Self { left: control.main, control }
    }

    /// The rest of the main time.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// Returns the clock of the next move.
    fn side(&self) -> SideClock {
        let TimeControl { increment, byoyomi, .. } = self.control;
        SideClock { rest: self.left, increment, byoyomi }
    }

    /// Returns the maximum time for the next move, or `None` if it is unlimited.
    pub fn allowance(&self) -> Option<Duration> {
        let by_clock = self.control.has_clock().then(|| self.side().available());
        [by_clock, self.control.move_time].into_iter().flatten().min()
    }

    /// Subtracts the time of a move and returns whether the move was in time.
    ///
    /// A move may exceed its allowance by `margin`.
    pub fn spend(&mut self, elapsed: Duration, margin: Duration) -> bool {
        let in_time =
            self.allowance().is_none_or(|allowed| elapsed <= allowed.saturating_add(margin));
        self.left = self.side().rest_after(elapsed);
        in_time
    }
}

/// Returns the limits in `go` for `side`, whose turn it is; Black's clock comes first. A side without
/// a clock receives none. If only the opponent has no clock, its main time is stated as that of
/// `side`.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_core::Color;
/// use komadai_match::{GameClock, TimeControl, go_limits};
///
/// let black = GameClock::new(TimeControl::byoyomi(Duration::from_secs(10)));
/// let white = GameClock::new(TimeControl::nodes(5_000));
/// let limits = |side| go_limits([&black, &white], side).to_string();
/// assert_eq!(limits(Color::Black), "btime 0 wtime 0 byoyomi 10000");
/// assert_eq!(limits(Color::White), "nodes 5000");
/// ```
pub fn go_limits(clocks: [&GameClock; 2], side: Color) -> GoLimits {
    let own = clocks[side as usize];
    let shown = clocks.map(|clock| if clock.control.has_clock() { clock } else { own });
    GoLimits {
        clock: own.control.has_clock().then(|| ClockTimes {
            main: shown.map(GameClock::left),
            byoyomi: own.control.byoyomi,
            increment: shown.map(|clock| clock.control.increment),
        }),
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
        let mut clock = GameClock::new(control);
        assert_eq!(clock.allowance(), Some(ms(150)));
        assert!(clock.spend(ms(60), NO_MARGIN));
        assert_eq!(clock.left(), ms(40));
        assert!(clock.spend(ms(90), NO_MARGIN), "main time and byoyomi can be used up");
        assert_eq!((clock.left(), clock.allowance()), (ms(0), Some(ms(50))));
        assert!(clock.spend(ms(50), NO_MARGIN));
        assert!(!clock.spend(ms(51), NO_MARGIN));
        assert!(clock.spend(ms(51), ms(1)), "the margin is tolerated");
    }

    /// Main time, increment and byoyomi; the times of the moves; the rest after each, if it was in
    /// time.
    type Game = ([u64; 3], &'static [(u64, Option<u64>)]);

    #[test]
    fn a_move_may_use_its_increment() {
        let games: [Game; 6] = [
            ([100, 30, 0], &[(130, Some(0)), (30, Some(0)), (31, None)]),
            ([100, 30, 0], &[(10, Some(120)), (150, Some(0)), (10, Some(20)), (51, None)]),
            ([0, 10, 0], &[(4, Some(6)), (16, Some(0)), (10, Some(0)), (0, Some(10)), (21, None)]),
            ([0, 10, 0], &[(11, None)]),
            ([2_000, 500, 0], &[(2_400, Some(100)), (600, Some(0)), (501, None)]),
            // The increment is saved, the byoyomi is not.
            ([0, 10, 20], &[(5, Some(5)), (35, Some(0)), (31, None)]),
        ];
        for ([main, increment, byoyomi], moves) in games {
            let [main, increment, byoyomi] = [main, increment, byoyomi].map(ms);
            let control = TimeControl { main, increment, byoyomi, ..TimeControl::default() };
            let mut clock = GameClock::new(control);
            for &(time, rest) in moves {
                let stated = clock.left();
                let in_time = clock.spend(ms(time), NO_MARGIN);
                let context = format!("{clock:?}, stated {stated:?}, took {time}");
                assert_eq!(in_time.then_some(clock.left()), rest.map(ms), "{context}");
            }
        }
    }

    #[test]
    fn the_main_time_is_stated_without_the_increment_of_the_move() {
        let control = TimeControl { increment: ms(10), ..TimeControl::default() };
        let [mut black, white] = [GameClock::new(control.clone()), GameClock::new(control)];
        let limits = go_limits([&black, &white], Color::Black).to_string();
        assert_eq!(limits, "btime 0 wtime 0 binc 10 winc 10");
        assert!(black.spend(ms(3), NO_MARGIN));
        let limits = go_limits([&black, &white], Color::White).to_string();
        assert_eq!(limits, "btime 7 wtime 0 binc 10 winc 10");
    }

    #[test]
    fn sudden_death_and_fixed_times_differ() {
        let mut sudden = GameClock::new(TimeControl { main: ms(100), ..TimeControl::default() });
        assert!(sudden.spend(ms(99), NO_MARGIN));
        assert!(!sudden.spend(ms(2), NO_MARGIN));
        let mut fixed =
            GameClock::new(TimeControl { move_time: Some(ms(10)), ..TimeControl::default() });
        assert!(fixed.spend(ms(10), NO_MARGIN) && fixed.spend(ms(10), NO_MARGIN));
        assert!(!fixed.spend(ms(11), NO_MARGIN));
        let mut untimed = GameClock::new(TimeControl::nodes(5));
        assert_eq!(untimed.allowance(), None);
        assert!(untimed.spend(Duration::from_secs(3_600), NO_MARGIN));
    }

    #[test]
    fn each_side_receives_its_own_limits_and_both_clocks() {
        let fischer = TimeControl { main: ms(100), increment: ms(30), ..TimeControl::default() };
        let slower = TimeControl { main: ms(500), increment: ms(10), ..TimeControl::default() };
        let clocks = [&GameClock::new(fischer.clone()), &GameClock::new(slower)];
        for side in Color::ALL {
            let limits = go_limits(clocks, side).to_string();
            assert_eq!(limits, "btime 100 wtime 500 binc 30 winc 10");
        }
        let clocks = [&GameClock::new(TimeControl::nodes(7)), &GameClock::new(fischer)];
        assert_eq!(go_limits(clocks, Color::Black).to_string(), "nodes 7");
        let limits = go_limits(clocks, Color::White).to_string();
        assert_eq!(limits, "btime 100 wtime 100 binc 30 winc 30");
        let byoyomi = GameClock::new(TimeControl::byoyomi(ms(9)));
        let limits = go_limits([&byoyomi, &byoyomi], Color::Black).to_string();
        assert_eq!(limits, "btime 0 wtime 0 byoyomi 9");
    }
}
