//! The last lines of the dialogue with an engine process, for error reports.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use komadai_base::text::shorten;

/// Number of lines kept of the dialogue.
const LINES: usize = 100;

/// Number of lines kept of the standard error. They have room of their own: a report on standard
/// error survives any number of `info` lines after it, and the dialogue any number of reports.
const STDERR_LINES: usize = 20;

/// Number of characters kept of a line. The positions of long games are not needed in full.
const CHARACTERS: usize = 300;

/// The last lines of a dialogue, shared with the threads that read the streams.
#[derive(Debug, Clone, Default)]
pub(crate) struct Transcript(Arc<Mutex<Lines>>);

/// Lines with their numbers in the order of their arrival.
#[derive(Debug, Default)]
struct Lines {
    count: u64,
    dialogue: VecDeque<(u64, String)>,
    stderr: VecDeque<(u64, String)>,
}

/// The stream of a line.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Direction {
    /// Sent to the engine.
    ToEngine,
    /// Standard output of the engine.
    FromEngine,
    /// Standard error of the engine.
    Stderr,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ToEngine => "<",
            Self::FromEngine => ">",
            Self::Stderr => "!",
        })
    }
}

impl Transcript {
    pub(crate) fn add(&self, direction: Direction, line: &str) {
        let text = format!("{direction} {}", shorten(line, CHARACTERS));
        let mut lines = self.lock();
        lines.count += 1;
        let number = lines.count;
        // Apart, so that many lines on the one do not push out those of the other.
        let (kept, most) = match direction {
            Direction::ToEngine | Direction::FromEngine => (&mut lines.dialogue, LINES),
            Direction::Stderr => (&mut lines.stderr, STDERR_LINES),
        };
        if kept.len() == most {
            kept.pop_front();
        }
        kept.push_back((number, text));
    }

    /// Returns the lines, oldest first.
    pub(crate) fn lines(&self) -> Vec<String> {
        let lines = self.lock();
        let mut all: Vec<_> = lines.dialogue.iter().chain(&lines.stderr).collect();
        all.sort_unstable_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, text)| text.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Lines> {
        // A thread that panicked with the lock held has left complete lines, so the data is valid.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the last lines of the standard error in a transcript, without empty ones.
pub(crate) fn last_stderr(transcript: &[String]) -> String {
    /// A message has no room for more.
    const LINES: usize = 3;
    let stderr = transcript.iter().filter_map(|line| line.strip_prefix("! "));
    let mut lines: Vec<_> =
        stderr.map(str::trim).filter(|line| !line.is_empty()).rev().take(LINES).collect();
    lines.reverse();
    lines.join(" / ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept_and_long_ones_cut() {
        let transcript = Transcript::default();
        for number in 0..LINES + 5 {
            transcript.add(Direction::ToEngine, &number.to_string());
        }
        transcript.add(Direction::Stderr, &"歩".repeat(CHARACTERS + 1));
        let lines = transcript.lines();
        assert_eq!(lines.len(), LINES + 1);
        assert_eq!(lines[0], "< 5");
        assert_eq!(lines[LINES], format!("! {}…", "歩".repeat(CHARACTERS)));
    }

    #[test]
    fn neither_stream_displaces_the_other() {
        let transcript = Transcript::default();
        transcript.add(Direction::ToEngine, "go");
        for number in 0..1_000 {
            transcript.add(Direction::Stderr, &number.to_string());
        }
        transcript.add(Direction::FromEngine, "info");
        let lines = transcript.lines();
        assert_eq!(lines.len(), STDERR_LINES + 2);
        assert_eq!([&lines[0], &lines[1]], ["< go", "! 980"]);
        assert_eq!(lines[STDERR_LINES..], ["! 999", "> info"]);
        for _ in 0..1_000 {
            transcript.add(Direction::FromEngine, "info");
        }
        let lines = transcript.lines();
        assert_eq!((lines.len(), lines[0].as_str()), (LINES + STDERR_LINES, "! 980"));
    }
}
