//! The last lines that passed between two processes, for reports.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Lines that are kept.
const LINES: usize = 100;

/// Characters that are kept of a line; positions of long games need not be repeated whole.
const CHARACTERS: usize = 300;

/// The last lines that passed between us and an engine; shared with the threads that read them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Transcript(Arc<Mutex<VecDeque<String>>>);

/// Who said a line.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Speaker {
    /// We said it to the engine.
    Us,
    /// The engine said it.
    Engine,
    /// The engine said it on its standard error.
    EngineAside,
}

impl fmt::Display for Speaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Us => "<",
            Self::Engine => ">",
            Self::EngineAside => "!",
        })
    }
}

impl Transcript {
    pub(crate) fn note(&self, speaker: Speaker, line: &str) {
        let end = line.char_indices().nth(CHARACTERS).map_or(line.len(), |(end, _)| end);
        let cut = if end < line.len() { "…" } else { "" };
        // A thread that panicked while it held the lock left whole lines behind.
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == LINES {
            lines.pop_front();
        }
        lines.push_back(format!("{speaker} {}{cut}", &line[..end]));
    }

    /// The lines, oldest first.
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
            transcript.note(Speaker::Us, &number.to_string());
        }
        transcript.note(Speaker::EngineAside, &"歩".repeat(CHARACTERS + 1));
        let lines = transcript.lines();
        assert_eq!(lines.len(), LINES);
        assert_eq!(lines[0], "< 6");
        assert_eq!(lines[LINES - 1], format!("! {}…", "歩".repeat(CHARACTERS)));
    }
}
