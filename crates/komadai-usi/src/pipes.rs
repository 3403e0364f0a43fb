//! Line by line communication with a process, without blocking on it.

use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::line_reader::{RawLine, read_line};
use crate::transcript::{Direction, Transcript};

/// Maximum number of unread lines of the process. Beyond that its pipe fills up and the process
/// waits.
const LINES_AHEAD: usize = 1024;

/// Maximum number of lines that the process has not read. A process with more does not read its
/// input.
const LINES_UNREAD: usize = 256;

/// Time for a process to exit after the end of its output.
const EXIT_DELAY: Duration = Duration::from_millis(500);

/// A child process and the threads of its three streams.
///
/// Dropping this kills the process, but not the children of the process. (An engine behind a
/// wrapper script should quit at the end of its input.)
#[derive(Debug)]
pub(crate) struct Pipes {
    child: Child,
    input: SyncSender<String>,
    lines: Receiver<(RawLine, Instant)>,
    /// The thread that reads the standard error.
    stderr: Option<JoinHandle<()>>,
    transcript: Transcript,
}

/// The reason why a line could not be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SendFailure {
    /// The process has closed its input.
    Closed,
    /// The process does not read its input.
    Unread,
}

/// The result of a wait for a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Received {
    Line(String, Instant),
    /// A line of more than 1 MiB.
    TooLong,
    /// No line within the timeout.
    Nothing,
    /// The end of the output.
    Closed,
}

impl Pipes {
    /// Starts the threads of a child whose three streams are piped.
    pub(crate) fn new(mut child: Child) -> Self {
        let transcript = Transcript::default();
        let (input, to_write) = sync_channel(LINES_UNREAD);
        let (sender, lines) = sync_channel(LINES_AHEAD);
        if let Some(stdin) = child.stdin.take() {
            thread::spawn(move || write_all(stdin, &to_write));
        }
        if let Some(stdout) = child.stdout.take() {
            let transcript = transcript.clone();
            thread::spawn(move || {
                read_all(stdout, &transcript, Direction::FromEngine, |line| {
                    sender.send((line, Instant::now())).is_ok()
                });
            });
        }
        let stderr = child.stderr.take().map(|stderr| {
            let transcript = transcript.clone();
            thread::spawn(move || read_all(stderr, &transcript, Direction::Stderr, |_| true))
        });
        Self { child, input, lines, stderr, transcript }
    }

    /// Sends a line without waiting until it is read.
    pub(crate) fn send(&self, line: String) -> Result<(), SendFailure> {
        self.transcript.add(Direction::ToEngine, &line);
        self.input.try_send(line).map_err(|error| match error {
            TrySendError::Full(_) => SendFailure::Unread,
            TrySendError::Disconnected(_) => SendFailure::Closed,
        })
    }

    /// Waits for the next line for at most `timeout`.
    pub(crate) fn receive(&self, timeout: Duration) -> Received {
        match self.lines.recv_timeout(timeout) {
            Ok((RawLine::Text(line), at)) => Received::Line(line, at),
            Ok((RawLine::TooLong(_), _)) => Received::TooLong,
            Err(RecvTimeoutError::Timeout) => Received::Nothing,
            Err(RecvTimeoutError::Disconnected) => Received::Closed,
        }
    }

    pub(crate) fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the exit of a process whose output has ended, and kills it after a short time.
    /// Returns its exit status, or `None` if it had to be killed or the status is unknown.
    pub(crate) fn finish(&mut self) -> Option<ExitStatus> {
        let until = Instant::now() + EXIT_DELAY;
        let mut status = None;
        while Instant::now() < until && status.is_none() {
            status = self.child.try_wait().ok()?;
            thread::sleep(Duration::from_millis(1));
        }
        // The last lines of the standard error often contain the reason. The thread that reads them
        // needs a moment to put them into the transcript.
        while Instant::now() < until && self.stderr.as_ref().is_some_and(|a| !a.is_finished()) {
            thread::sleep(Duration::from_millis(1));
        }
        self.kill();
        status
    }

    /// Ends the process at once.
    pub(crate) fn kill(&mut self) {
        // Both fail only if the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Writes and flushes line by line until the process or the sender has ended. It runs on a thread
/// of its own, because a full pipe blocks the writer.
fn write_all(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_all(
    stream: impl Read,
    transcript: &Transcript,
    direction: Direction,
    mut take: impl FnMut(RawLine) -> bool,
) {
    let mut stream = BufReader::new(stream);
    while let Ok(Some(line)) = read_line(&mut stream) {
        let text = match &line {
            RawLine::Text(text) => text,
            RawLine::TooLong(_) => "(a line of more than 1 MiB)",
        };
        transcript.add(direction, text);
        if !take(line) {
            return;
        }
    }
}
