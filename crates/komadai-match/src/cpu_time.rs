//! Processor time, where the system reports it. It measures the work of a player independently of
//! the load of the machine.

use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::time::Duration;

use komadai_base::file::{open_regular, read_text};

/// Ticks per second in `/proc/PID/stat`. Linux fixes the unit for programs (`USER_HZ`) at 100 on
/// all common architectures, independently of the frequency of its own timer.
const TICKS_PER_SECOND: u64 = 100;

/// The clock that measures the processor time of a contestant.
///
/// # Examples
///
/// ```
/// use komadai_match::CpuClock;
///
/// // An engine process has a clock of its own; a player without one runs on the thread of the match.
/// let clocks = [CpuClock::Process(4711), CpuClock::ThisThread];
/// assert!(!clocks.contains(&CpuClock::default()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CpuClock {
    /// No clock is known.
    #[default]
    Unknown,
    /// The clock of the process with this number.
    Process(u32),
    /// The clock of the calling thread: the contestant runs on no other thread.
    ThisThread,
}

/// The processor time that both sides use in one game.
#[derive(Debug)]
pub(crate) struct CpuLedger {
    clocks: [CpuClock; 2],
    /// The processes' clocks at the start.
    at_start: [Option<Duration>; 2],
    /// Time of the calling thread for each side.
    on_thread: [Duration; 2],
    /// The side to move, and the clock of the calling thread at the start of its turn.
    turn_start: Option<(usize, Duration)>,
    /// `None` if no side runs on the calling thread.
    thread: Option<ThreadClock>,
}

impl CpuLedger {
    /// Reads the clocks at the start of a game.
    pub(crate) fn open(clocks: [CpuClock; 2]) -> Self {
        let at_start = clocks.map(of_clock);
        let on_thread = [Duration::ZERO; 2];
        let is_needed = clocks.contains(&CpuClock::ThisThread);
        let thread = is_needed.then(ThreadClock::open).flatten();
        Self { clocks, at_start, on_thread, turn_start: None, thread }
    }

    /// Records the start of a turn of `side`.
    ///
    /// The time of the thread since the last call belongs to the other side. A second reading after
    /// the answer would not be more exact, because the system updates the clock only at intervals.
    pub(crate) fn turn(&mut self, side: usize) {
        let now = self.thread.as_mut().and_then(ThreadClock::read);
        if let (Some((before, then)), Some(now)) = (self.turn_start, now) {
            self.on_thread[before] += now.saturating_sub(then);
        }
        self.turn_start = now.map(|now| (side, now));
    }

    /// Returns the processor time of each side, at the end of the game.
    pub(crate) fn close(mut self) -> [Option<Duration>; 2] {
        self.turn(0);
        [0, 1].map(|side| match self.clocks[side] {
            CpuClock::Unknown => None,
            CpuClock::Process(_) => {
                Some(of_clock(self.clocks[side])?.saturating_sub(self.at_start[side]?))
            }
            CpuClock::ThisThread => self.turn_start.map(|_| self.on_thread[side]),
        })
    }
}

/// Returns the processor time of all threads of a process, to a hundredth of a second. `None` if
/// the process has ended or the system has no `/proc`.
fn of_clock(clock: CpuClock) -> Option<Duration> {
    match clock {
        CpuClock::Process(id) => {
            let text = read_text(format!("/proc/{id}/stat"), 1 << 12).ok()?;
            ticks(&text).map(|ticks| Duration::from_millis(ticks * 1_000 / TICKS_PER_SECOND))
        }
        CpuClock::Unknown | CpuClock::ThisThread => None,
    }
}

/// Returns the sum of user and system time in `/proc/PID/stat`: fields 14 and 15. Field 2 is the
/// name of the program in brackets, which may contain blanks and brackets itself.
fn ticks(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    user.checked_add(system)
}

/// The clock of the thread that opens it. The file stays open, because opening it takes longer than
/// all other work of the referee for a move.
#[derive(Debug)]
struct ThreadClock(File);

impl ThreadClock {
    /// Opens the clock. `None` if the system does not have it.
    fn open() -> Option<Self> {
        open_regular("/proc/thread-self/schedstat").ok().map(Self)
    }

    fn read(&mut self) -> Option<Duration> {
        let mut text = [0; 64];
        self.0.rewind().ok()?;
        let length = self.0.read(&mut text).ok()?;
        let nanos = text[..length].split(|byte| *byte == b' ').next()?;
        str::from_utf8(nanos).ok()?.parse().ok().map(Duration::from_nanos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_blanks_and_brackets_do_no_harm() {
        let stat = "7 (my ) engine (1)) S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20";
        assert_eq!(ticks(stat), Some(300));
        assert_eq!(ticks("7 (engine) S 1"), None);
        assert_eq!(ticks(""), None);
    }

    #[test]
    fn a_process_that_is_not_there_has_no_time() {
        assert_eq!(of_clock(CpuClock::Process(u32::MAX)), None);
    }

    #[test]
    fn each_side_is_charged_for_its_own_turns() {
        if ThreadClock::open().is_none() {
            return;
        }
        let work = || (0..100_000_000_u64).fold(0, |sum: u64, n| sum.rotate_left(5) ^ n);
        let mut ledger = CpuLedger::open([CpuClock::ThisThread, CpuClock::ThisThread]);
        ledger.turn(0);
        let sum = work();
        ledger.turn(1);
        let [Some(busy), Some(idle)] = ledger.close() else { panic!("the times are known") };
        assert!(busy > 4 * idle, "{busy:?}, {idle:?}, {sum}");
        let own = CpuClock::Process(std::process::id());
        let ledger = CpuLedger::open([own, CpuClock::Unknown]);
        let [of_process, unknown] = ledger.close();
        assert!(of_process.is_some() && unknown.is_none());
    }
}
