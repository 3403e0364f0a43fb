//! The limits of a search, from `go`.

use core::fmt;
use core::time::Duration;

use komadai_core::{Color, Move, SideClock};

use crate::words::{Words, one_line};

/// The limits of one search: all arguments of the USI command `go`.
///
/// Reading never fails, because a `go` must be answered. Unknown words are skipped. A limit whose
/// number is missing, negative or unreadable counts as 0, so that an error of the other side makes
/// the engine answer at once instead of searching for ever.
///
/// Written limits are read as the same limits, except that times are written in whole milliseconds.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_core::Color;
/// use komadai_usi::GoLimits;
///
/// let limits = GoLimits { depth: Some(12), ..GoLimits::move_time(Duration::from_secs(1)) };
/// assert_eq!(limits.to_string(), "movetime 1000 depth 12");
///
/// let limits = GoLimits::from_usi("btime 60000 wtime 50000 byoyomi 10000");
/// let clock = limits.clock.clone().expect("times were given");
/// assert_eq!(clock.main[Color::White], Duration::from_secs(50));
/// assert_eq!(clock.byoyomi, Duration::from_secs(10));
/// assert_eq!(limits.to_string(), "btime 60000 wtime 50000 byoyomi 10000");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GoLimits {
    /// Ponder: the position contains the expected move of the opponent. The answer is due only
    /// after `ponderhit` or `stop`.
    pub ponder: bool,
    /// The answer is due only after `stop`.
    pub infinite: bool,
    /// The clocks of the game.
    pub clock: Option<ClockTimes>,
    /// Time of the search.
    pub move_time: Option<Duration>,
    /// Maximum depth in plies.
    pub depth: Option<u32>,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
    /// Mate search, answered with `checkmate` instead of `bestmove`.
    pub mate: Option<MateLimit>,
    /// A random time of search between this and three times this (`rtime`, YaneuraOu).
    pub random_time: Option<Duration>,
    /// Number of moves until more main time is added (`movestogo`, from UCI).
    pub moves_to_go: Option<u32>,
    /// The root moves to search; all if empty (`searchmoves`).
    pub search_moves: Vec<Move>,
}

/// The state of both clocks before a move.
///
/// The side to move may use the rest of its main time, the increment of this move and the byoyomi,
/// see [`side`](Self::side): USI states the main time before the increment of the move is added.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_usi::ClockTimes;
///
/// let [minute, second] = [60, 1].map(Duration::from_secs);
/// let clock = ClockTimes { increment: [second; 2], ..ClockTimes::main([minute; 2]) };
/// assert_eq!(clock.to_string(), "btime 60000 wtime 60000 binc 1000 winc 1000");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClockTimes {
    /// The rest of the main time, Black's first (`btime`, `wtime`), without the increment of the
    /// next move.
    pub main: [Duration; 2],
    /// Time for each move after the main time (秒読み).
    pub byoyomi: Duration,
    /// Time that each move adds to the main time, Black's first (`binc`, `winc`). The move itself
    /// may use it.
    pub increment: [Duration; 2],
}

/// The time limit of a mate search. The protocol defines no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MateLimit {
    /// No time limit: until `stop` or another limit.
    Infinite,
    /// At most this time.
    Within(Duration),
}

impl GoLimits {
    /// Returns limits with this number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Returns limits with this depth in plies.
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Returns limits with this time for the search.
    pub fn move_time(time: Duration) -> Self {
        Self { move_time: Some(time), ..Self::default() }
    }

    /// Returns limits with the clocks of a game.
    pub fn clock(clock: ClockTimes) -> Self {
        Self { clock: Some(clock), ..Self::default() }
    }

    /// Returns limits of a search that only `stop` ends.
    pub fn infinite() -> Self {
        Self { infinite: true, ..Self::default() }
    }

    /// Returns limits of a mate search.
    pub fn mate(limit: MateLimit) -> Self {
        Self { mate: Some(limit), ..Self::default() }
    }

    /// Reads the arguments of `go`.
    pub fn from_usi(text: &str) -> Self {
        let mut limits = Self::default();
        let text = one_line(text);
        let mut words = Words::new(&text);
        while let Some(word) = words.next() {
            match word {
                "ponder" => limits.ponder = true,
                "infinite" => limits.infinite = true,
                "movetime" => limits.move_time = Some(milliseconds(&mut words)),
                "depth" => limits.depth = Some(saturating_u32(number(&mut words))),
                "nodes" => limits.nodes = Some(number(&mut words)),
                "rtime" => limits.random_time = Some(milliseconds(&mut words)),
                "movestogo" => limits.moves_to_go = Some(saturating_u32(number(&mut words))),
                "mate" => limits.mate = Some(MateLimit::read(&mut words)),
                "searchmoves" => {
                    while let Some(m) = words.peek().and_then(|word| word.parse().ok()) {
                        limits.search_moves.push(m);
                        words.next();
                    }
                }
                word => {
                    ClockTimes::read_word(word, &mut words, &mut limits.clock);
                }
            }
        }
        limits
    }

    /// Returns whether only `stop` ends the search.
    pub fn is_endless(&self) -> bool {
        let timed = self.clock.is_some() || self.move_time.is_some() || self.random_time.is_some();
        self.infinite || !(timed || self.is_self_limiting())
    }

    /// Returns whether the search ends by itself after some work or time, also that of a clock,
    /// without commands of the other side.
    pub(crate) fn is_self_limiting(&self) -> bool {
        let limited = self.depth.is_some()
            || self.nodes.is_some()
            || self.move_time.is_some()
            || self.random_time.is_some()
            || self.clock.is_some()
            || matches!(self.mate, Some(MateLimit::Within(_)));
        limited && !self.infinite && !self.ponder
    }
}

/// Writes the arguments of `go`.
impl fmt::Display for GoLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Spaced { f, first: true };
        out.flag("ponder", self.ponder)?;
        out.flag("infinite", self.infinite)?;
        if let Some(clock) = &self.clock {
            out.item(clock)?;
        }
        out.value("movetime", self.move_time.map(whole_milliseconds))?;
        out.value("depth", self.depth)?;
        out.value("nodes", self.nodes)?;
        match self.mate {
            None => {}
            Some(MateLimit::Infinite) => out.item("mate infinite")?,
            Some(MateLimit::Within(time)) => out.value("mate", Some(whole_milliseconds(time)))?,
        }
        out.value("rtime", self.random_time.map(whole_milliseconds))?;
        out.value("movestogo", self.moves_to_go)?;
        out.flag("searchmoves", !self.search_moves.is_empty())?;
        self.search_moves.iter().try_for_each(|m| out.item(m))
    }
}

impl ClockTimes {
    /// Returns a clock with byoyomi only.
    pub fn byoyomi(byoyomi: Duration) -> Self {
        Self { byoyomi, ..Self::default() }
    }

    /// Returns a clock with these main times only, Black's first.
    pub fn main(main: [Duration; 2]) -> Self {
        Self { main, ..Self::default() }
    }

    /// Returns the rest of the main time and the increment of `color`.
    pub fn of(&self, color: Color) -> (Duration, Duration) {
        (self.main[color], self.increment[color])
    }

    /// Returns the clock of `color` before its move.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use komadai_core::Color;
    /// use komadai_usi::GoLimits;
    ///
    /// let limits = GoLimits::from_usi("btime 0 wtime 0 binc 10000 winc 10000");
    /// let clock = limits.clock.expect("times were given").side(Color::Black);
    /// assert_eq!(clock.available(), Duration::from_secs(10));
    /// ```
    pub fn side(&self, color: Color) -> SideClock {
        let (rest, increment) = self.of(color);
        SideClock { rest, increment, byoyomi: self.byoyomi }
    }

    /// Reads clock words only, which may follow `ponderhit`. `None` if there are none.
    pub(crate) fn read(words: &mut Words<'_>) -> Option<Self> {
        let mut clock = None;
        while let Some(word) = words.next() {
            Self::read_word(word, words, &mut clock);
        }
        clock
    }

    /// Reads the number after `word` into `clock` if `word` belongs to a clock.
    fn read_word(word: &str, words: &mut Words<'_>, clock: &mut Option<Self>) {
        if !matches!(word, "btime" | "wtime" | "byoyomi" | "binc" | "winc") {
            return;
        }
        let time = milliseconds(words);
        let clock = clock.get_or_insert_default();
        match word {
            "btime" => clock.main[Color::Black] = time,
            "wtime" => clock.main[Color::White] = time,
            "binc" => clock.increment[Color::Black] = time,
            "winc" => clock.increment[Color::White] = time,
            _ => clock.byoyomi = time,
        }
    }
}

/// Writes `btime 60000 wtime 60000 byoyomi 10000`. If the byoyomi is 0 and there are increments,
/// they are written instead.
impl fmt::Display for ClockTimes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [black, white] = self.main.map(whole_milliseconds);
        write!(f, "btime {black} wtime {white}")?;
        let [black, white] = self.increment.map(whole_milliseconds);
        let byoyomi = whole_milliseconds(self.byoyomi);
        let has_increment = black > 0 || white > 0;
        if byoyomi > 0 || !has_increment {
            write!(f, " byoyomi {byoyomi}")?;
        }
        if has_increment { write!(f, " binc {black} winc {white}") } else { Ok(()) }
    }
}

impl MateLimit {
    fn read(words: &mut Words<'_>) -> Self {
        let has_number = words.peek().is_some_and(|word| read_number(word).is_some());
        if has_number {
            return Self::Within(milliseconds(words));
        }
        words.eat("infinite");
        Self::Infinite
    }
}

/// Returns a time in the unit of the protocol. Times of more than 64 bits become the maximum, as in
/// reading.
pub(crate) fn whole_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn milliseconds(words: &mut Words<'_>) -> Duration {
    Duration::from_millis(number(words))
}

/// Reads the next word as a number. If it is not a number, returns 0 and leaves the word unread.
fn number(words: &mut Words<'_>) -> u64 {
    let Some(number) = words.peek().and_then(read_number) else { return 0 };
    words.next();
    number
}

/// Reads a number as other programs write it. Negative numbers (an overrun clock) count as 0, large
/// ones become the maximum, and a fraction is ignored.
fn read_number(word: &str) -> Option<u64> {
    let (is_negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() || !has_digits_only(whole) || !has_digits_only(fraction) {
        return None;
    }
    Some(if is_negative { 0 } else { whole.parse().unwrap_or(u64::MAX) })
}

fn has_digits_only(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn saturating_u32(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Writes items with single spaces between them.
struct Spaced<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    first: bool,
}

impl Spaced<'_, '_> {
    fn item(&mut self, item: impl fmt::Display) -> fmt::Result {
        let blank = if self.first { "" } else { " " };
        self.first = false;
        write!(self.f, "{blank}{item}")
    }

    fn flag(&mut self, name: &str, is_set: bool) -> fmt::Result {
        if is_set { self.item(name) } else { Ok(()) }
    }

    fn value(&mut self, name: &str, value: Option<impl fmt::Display>) -> fmt::Result {
        value.map_or(Ok(()), |value| self.item(format_args!("{name} {value}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn every_limit_is_read_and_written() {
        for text in [
            "",
            "infinite",
            "ponder",
            "ponder btime 1000 wtime 2000 byoyomi 3000",
            "btime 1000 wtime 2000 binc 10 winc 0",
            "btime 0 wtime 0 byoyomi 0",
            "btime 1 wtime 2 byoyomi 3 binc 4 winc 5",
            "movetime 500 depth 12 nodes 99999999999",
            "mate infinite",
            "mate 60000",
            "nodes 5000 mate infinite",
            "rtime 100 movestogo 40",
            "depth 3 searchmoves P*5e 7g7f 8h2b+",
        ] {
            assert_eq!(GoLimits::from_usi(text).to_string(), text);
        }
    }

    #[test]
    fn limits_are_built_as_they_are_read() {
        let search_moves = ["7g7f", "P*5e"].map(|m| m.parse().expect("a move")).to_vec();
        let clock = ClockTimes { main: [ms(1), ms(2)], byoyomi: ms(3), increment: [ms(4); 2] };
        for (limits, text) in [
            (GoLimits { depth: Some(3), ..GoLimits::nodes(5) }, "depth 3 nodes 5"),
            (GoLimits { nodes: Some(5), ..GoLimits::depth(3) }, "depth 3 nodes 5"),
            (
                GoLimits { search_moves, ..GoLimits::move_time(ms(7)) },
                "movetime 7 searchmoves 7g7f P*5e",
            ),
            (
                GoLimits { ponder: true, ..GoLimits::clock(clock) },
                "ponder btime 1 wtime 2 byoyomi 3 binc 4 winc 4",
            ),
            (GoLimits::infinite(), "infinite"),
            (
                GoLimits { nodes: Some(5), ..GoLimits::mate(MateLimit::Within(ms(9))) },
                "nodes 5 mate 9",
            ),
        ] {
            assert_eq!(limits, GoLimits::from_usi(text), "{text}");
        }
    }

    #[test]
    fn order_blanks_and_unknown_words_do_not_matter() {
        let limits = GoLimits::from_usi("  wtime 7   fancy 3 btime  5 nodes 9\r");
        assert_eq!(limits.to_string(), "btime 5 wtime 7 byoyomi 0 nodes 9");
    }

    #[test]
    fn numbers_that_are_none_count_as_zero() {
        for (text, read) in [
            ("byoyomi", "btime 0 wtime 0 byoyomi 0"),
            ("btime x wtime 10", "btime 0 wtime 10 byoyomi 0"),
            ("btime wtime 10", "btime 0 wtime 10 byoyomi 0"),
            ("btime -350 wtime +10", "btime 0 wtime 10 byoyomi 0"),
            ("movetime 1500.7", "movetime 1500"),
            ("depth 99999999999", "depth 4294967295"),
            ("nodes 99999999999999999999999", "nodes 18446744073709551615"),
            ("nodes ten", "nodes 0"),
        ] {
            assert_eq!(GoLimits::from_usi(text).to_string(), read, "{text}");
        }
    }

    #[test]
    fn a_mate_search_has_its_word() {
        assert_eq!(GoLimits::from_usi("mate").mate, Some(MateLimit::Infinite));
        assert_eq!(GoLimits::from_usi("mate 10").mate, Some(MateLimit::Within(ms(10))));
        let limits = GoLimits::from_usi("mate nodes 5000");
        assert_eq!((limits.mate, limits.nodes), (Some(MateLimit::Infinite), Some(5000)));
        let limits = GoLimits::from_usi("mate 100 nodes 5000");
        assert_eq!((limits.mate, limits.nodes), (Some(MateLimit::Within(ms(100))), Some(5000)));
    }

    #[test]
    fn moves_keep_their_case_and_end_at_the_first_other_word() {
        let limits = GoLimits::from_usi("searchmoves P*5e 7g7f depth 3");
        assert_eq!(limits.search_moves.len(), 2);
        assert_eq!(limits.depth, Some(3));
    }

    #[test]
    fn only_a_search_without_limits_is_endless() {
        for text in ["", "infinite", "ponder", "infinite depth 3", "searchmoves 7g7f", "mate"] {
            assert!(GoLimits::from_usi(text).is_endless(), "{text}");
        }
        for text in ["btime 0 wtime 0", "byoyomi 0", "depth 1", "nodes", "mate 5", "rtime 5"] {
            assert!(!GoLimits::from_usi(text).is_endless(), "{text}");
        }
    }

    #[test]
    fn a_search_that_waits_for_no_command_limits_itself() {
        for (text, answer) in [
            ("nodes 5", true),
            ("movetime 5", true),
            ("mate 5", true),
            ("byoyomi 5", true),
            ("btime 0 wtime 0", true),
            ("btime 600000 wtime 600000 binc 1000 winc 1000", true),
            ("rtime 5", true),
            ("ponder depth 5", false),
            ("ponder byoyomi 5", false),
            ("infinite byoyomi 5", false),
            ("", false),
            ("infinite depth 5", false),
            ("mate infinite", false),
        ] {
            assert_eq!(GoLimits::from_usi(text).is_self_limiting(), answer, "{text}");
        }
    }

    #[test]
    fn times_after_ponderhit_are_read_alone() {
        let read = |text| ClockTimes::read(&mut Words::new(text));
        assert_eq!(read(""), None);
        assert_eq!(read("now"), None);
        assert_eq!(read("byoyomi 5"), Some(ClockTimes::byoyomi(ms(5))));
        assert_eq!(read("btime 1 wtime 2").map(|clock| clock.of(Color::White).0), Some(ms(2)));
    }
}
