//! Processor time, where the system tells it.

use std::fs;
use std::time::Duration;

/// Ticks a second in `/proc/PID/stat`. Linux fixes the unit for programs (`USER_HZ`) at 100 on every
/// architecture that matters, whatever its own clock does.
const TICKS_PER_SECOND: u64 = 100;

/// The processor time of a process, all its threads together, to a hundredth of a second. `None` if
/// the process is gone or the system has no `/proc`.
pub(super) fn of_process(id: u32) -> Option<Duration> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    ticks(&text).map(|ticks| Duration::from_millis(ticks * 1_000 / TICKS_PER_SECOND))
}

/// User and system time in `/proc/PID/stat`: fields 14 and 15. Field 2 is the program's name in
/// brackets, and may hold blanks and brackets itself.
fn ticks(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    user.checked_add(system)
}

/// The processor time of this thread. `None` where the system does not tell.
pub(super) fn of_this_thread() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_ascii_whitespace().next()?.parse().ok().map(Duration::from_nanos)
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
        assert_eq!(of_process(u32::MAX), None);
    }

    #[test]
    fn time_goes_on() {
        let (Some(before), Some(_)) = (of_this_thread(), of_process(std::process::id())) else {
            return;
        };
        let sum = (0..3_000_000_u64).fold(0, |sum: u64, n| sum.rotate_left(5) ^ n);
        assert!(of_this_thread() > Some(before), "{sum}");
    }
}
