//! A process that is talked to line by line, without ever blocking on it.

use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::line_reader::{RawLine, read_line};
use crate::transcript::{Speaker, Transcript};

/// Lines the process may be ahead of us. Beyond, it has to wait: its pipe fills up.
const LINES_AHEAD: usize = 1024;

/// Lines we may be ahead of the process. Beyond, it evidently does not read.
const LINES_UNREAD: usize = 256;

/// How long a process whose output has ended may take to exit.
const EXIT_DELAY: Duration = Duration::from_millis(500);

/// A child process and the threads at its three streams.
///
/// The process is killed when this is dropped. (Its own children are not: a well-behaved engine
/// behind a wrapper script quits when its input ends.)
#[derive(Debug)]
pub(crate) struct Pipes {
    child: Child,
    input: SyncSender<String>,
    lines: Receiver<(RawLine, Instant)>,
    /// Reads the standard error.
    aside: Option<JoinHandle<()>>,
    transcript: Transcript,
}

/// Why nothing could be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SendFailure {
    /// The process has closed its input.
    Closed,
    /// The process does not read its input.
    Unread,
}

/// What came from the process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Received {
    Line(String, Instant),
    /// A line of a mebibyte or more.
    TooLong,
    /// Nothing yet.
    Nothing,
    /// Nothing ever again.
    Closed,
}

impl Pipes {
    /// Begins to read and write the streams of a child all of whose streams are piped.
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
                read_all(stdout, &transcript, Speaker::Engine, |line| {
                    sender.send((line, Instant::now())).is_ok()
                });
            });
        }
        let aside = child.stderr.take().map(|stderr| {
            let transcript = transcript.clone();
            thread::spawn(move || read_all(stderr, &transcript, Speaker::EngineAside, |_| true))
        });
        Self { child, input, lines, aside, transcript }
    }

    /// Sends a line. Does not wait for it to be read.
    pub(crate) fn send(&self, line: String) -> Result<(), SendFailure> {
        self.transcript.note(Speaker::Us, &line);
        self.input.try_send(line).map_err(|error| match error {
            TrySendError::Full(_) => SendFailure::Unread,
            TrySendError::Disconnected(_) => SendFailure::Closed,
        })
    }

    /// Waits for the next line for at most this long.
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

    /// How the process exited; `None` if it had to be killed, or its status cannot be had.
    ///
    /// For a process whose output has ended; one that goes on all the same is not waited for.
    pub(crate) fn finish(&mut self) -> Option<ExitStatus> {
        let until = Instant::now() + EXIT_DELAY;
        let mut status = None;
        while Instant::now() < until && status.is_none() {
            status = self.child.try_wait().ok()?;
            thread::sleep(Duration::from_millis(1));
        }
        // Its last words tell why, if they are in the transcript by now.
        while Instant::now() < until && self.aside.as_ref().is_some_and(|a| !a.is_finished()) {
            thread::sleep(Duration::from_millis(1));
        }
        self.kill();
        status
    }

    /// Ends the process at once.
    pub(crate) fn kill(&mut self) {
        // Both fail only if the process is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Writes and flushes line by line, until the process or the sender is gone. On a thread of its
/// own, because a pipe that nobody reads blocks its writer.
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
    speaker: Speaker,
    mut take: impl FnMut(RawLine) -> bool,
) {
    let mut stream = BufReader::new(stream);
    while let Ok(Some(line)) = read_line(&mut stream) {
        let text = match &line {
            RawLine::Text(text) => text,
            RawLine::TooLong(_) => "(a line of more than 1 MiB)",
        };
        transcript.note(speaker, text);
        if !take(line) {
            return;
        }
    }
}
