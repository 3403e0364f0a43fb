//! The last lines of the dialogue with an engine process, for error reports.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Number of lines kept.
const LINES: usize = 100;

/// Number of characters kept of a line. The positions of long games are not needed in full.
const CHARACTERS: usize = 300;

/// The last lines of a dialogue, shared with the threads that read the streams.
#[derive(Debug, Clone, Default)]
pub(crate) struct Transcript(Arc<Mutex<VecDeque<String>>>);

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
        let end = line.char_indices().nth(CHARACTERS).map_or(line.len(), |(end, _)| end);
        let cut = if end < line.len() { "…" } else { "" };
        // A thread that panicked with the lock held has left complete lines, so the data is valid.
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == LINES {
            lines.pop_front();
        }
        lines.push_back(format!("{direction} {}{cut}", &line[..end]));
    }

    /// Returns the lines, oldest first.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
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
        assert_eq!(lines.len(), LINES);
        assert_eq!(lines[0], "< 6");
        assert_eq!(lines[LINES - 1], format!("! {}…", "歩".repeat(CHARACTERS)));
    }
}
