//! Lines of standard input.

use std::io::{self, BufRead, IsTerminal as _, Read as _, stdin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum length of a line in bytes.
const MAX_LINE: u64 = 4_096;

/// Interval between two looks at Ctrl-C while nobody types.
const LOOK: Duration = Duration::from_millis(50);

/// The lines of standard input. A thread of their own reads them, because nothing ends a read that
/// waits for a person: neither Ctrl-C nor a clock.
#[derive(Debug)]
pub(crate) struct Input {
    lines: Receiver<Result<String, String>>,
    stop: Arc<AtomicBool>,
    /// True if a person types, and gets a prompt.
    pub(crate) is_terminal: bool,
}

/// The end of a wait for a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    Line(String),
    /// A line that cannot be used, with the reason.
    Fault(String),
    /// The input has ended.
    End,
    /// Ctrl-C.
    Stopped,
    /// The deadline has passed.
    Late,
}

impl Input {
    /// Begins to read.
    pub(crate) fn open(stop: Arc<AtomicBool>) -> Self {
        // One line ahead, so that long inputs stay where they are.
        let (sender, lines) = sync_channel(1);
        thread::spawn(move || read(&sender));
        Self { lines, stop, is_terminal: stdin().is_terminal() }
    }

    /// Returns whether Ctrl-C was pressed.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Waits for a line.
    pub(crate) fn next(&self, deadline: Option<Instant>) -> Heard {
        loop {
            if self.is_stopped() {
                return Heard::Stopped;
            }
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            match self.lines.recv_timeout(left.unwrap_or(LOOK).min(LOOK)) {
                Ok(Ok(line)) => return Heard::Line(line),
                Ok(Err(fault)) => return Heard::Fault(fault),
                Err(RecvTimeoutError::Disconnected) => return Heard::End,
                Err(RecvTimeoutError::Timeout) if left == Some(Duration::ZERO) => {
                    return Heard::Late;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// Sends the lines until the end of the input or of the program.
fn read(lines: &SyncSender<Result<String, String>>) {
    let mut input = stdin().lock();
    loop {
        let line = match next_line(&mut input) {
            Ok(Some(line)) => line,
            Ok(None) => return,
            Err(error) => {
                // Nothing more can be read, and nobody may listen.
                let _ = lines.send(Err(error.to_string()));
                return;
            }
        };
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// Reads a line, or returns the reason why it cannot be used. One read that gives nothing is the
/// end: at a terminal a second one would wait for another line.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut line = Vec::new();
    input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() as u64 == MAX_LINE && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Some(Err(format!("the line has more than {MAX_LINE} bytes"))));
    }
    let text = str::from_utf8(&line).map(|line| line.trim_start_matches('\u{feff}').trim());
    let text = text.map_err(|_| "the line is no UTF-8".to_owned());
    Ok(Some(text.map(str::to_owned)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded_and_those_that_cannot_be_used_are_told() {
        let long = "x".repeat(5_000);
        let text = format!("\u{feff}7g7f\r\n\n{long}\nundo\n");
        let bytes = [text.as_bytes(), b"\xff\xfe\n", b"quit"].concat();
        let mut input = &bytes[..];
        let mut next = || next_line(&mut input).unwrap();
        assert_eq!(next(), Some(Ok("7g7f".to_owned())));
        assert_eq!(next(), Some(Ok(String::new())));
        assert_eq!(next(), Some(Err("the line has more than 4096 bytes".to_owned())));
        assert_eq!(next(), Some(Ok("undo".to_owned())));
        assert_eq!(next(), Some(Err("the line is no UTF-8".to_owned())));
        assert_eq!(next(), Some(Ok("quit".to_owned())));
        assert_eq!(next(), None);
    }
}
