//! Line by line communication with a process, without blocking on it.

use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use komadai_base::clock::Instant;

use crate::launch::{has_exited, kill_group, others_of_group};
use crate::line_queue::{LineQueue, Taken};
use crate::line_reader::{RawLine, read_line};
use crate::transcript::{Direction, Transcript};

/// Maximum number of lines that the process has not read. A process with more does not read its
/// input.
const LINES_UNREAD: usize = 256;

/// Time for a process to exit after the end of its output.
pub(crate) const EXIT_DELAY: Duration = Duration::from_millis(500);

/// A child process and the threads of its three streams.
///
/// Dropping this kills the process. On Unix this includes the children of the process, such as an
/// engine behind a wrapper script.
#[derive(Debug)]
pub(crate) struct Pipes {
    child: Child,
    /// `None` after its end.
    input: Option<SyncSender<String>>,
    lines: LineQueue,
    /// The thread that reads the standard error.
    stderr: Option<JoinHandle<()>>,
    pub(crate) transcript: Transcript,
    /// True if the exit status has been read: another process may now have the number.
    is_reaped: bool,
}

impl Pipes {
    /// Starts the threads of a child whose three streams are piped.
    pub(crate) fn new(child: Child) -> io::Result<Self> {
        let (input, to_write) = sync_channel(LINES_UNREAD);
        let mut pipes = Self {
            child,
            input: Some(input),
            lines: LineQueue::default(),
            stderr: None,
            transcript: Transcript::default(),
            is_reaped: false,
        };
        // From here on an error kills the process.
        if let Some(stdin) = pipes.child.stdin.take() {
            let lines = pipes.lines.clone();
            spawn(move || {
                write_all(stdin, &to_write);
                lines.close_input();
            })?;
        }
        if let Some(stdout) = pipes.child.stdout.take() {
            let lines = pipes.lines.clone();
            let transcript = pipes.transcript.clone();
            spawn(move || {
                read_all(stdout, &transcript, Direction::FromEngine, |batch| lines.push(batch));
                lines.end();
            })?;
        }
        if let Some(stderr) = pipes.child.stderr.take() {
            let transcript = pipes.transcript.clone();
            let reader = spawn(move || read_all(stderr, &transcript, Direction::Stderr, |_| true))?;
            pipes.stderr = Some(reader);
        }
        Ok(pipes)
    }

    /// Sends a line without waiting until it is read. A full queue belongs to a process that does not
    /// read its input, a broken one to a process that has closed it.
    pub(crate) fn send(&self, line: String) -> Result<(), TrySendError<String>> {
        self.transcript.add(Direction::ToEngine, &line);
        match &self.input {
            Some(input) => input.try_send(line),
            None => Err(TrySendError::Disconnected(line)),
        }
    }

    /// Closes the input of the process, after the lines that it has not read.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Returns whether the process has exited. It is not reaped, so that the processes that it has
    /// left behind can be found.
    pub(crate) fn has_exited(&mut self) -> bool {
        self.is_reaped || has_exited(&mut self.child)
    }

    /// The number of running processes that the process has started, where the system tells it.
    pub(crate) fn others(&self) -> Option<usize> {
        others_of_group(&self.child)
    }

    /// Waits for the next line for at most `timeout`, or until the process can no longer be
    /// reached.
    pub(crate) fn receive(&self, timeout: Duration) -> Taken {
        self.lines.take(timeout, true)
    }

    /// Waits for the next line for at most `timeout`, even if the process has closed its input.
    pub(crate) fn receive_from_deaf(&self, timeout: Duration) -> Taken {
        self.lines.take(timeout, false)
    }

    /// Sets whether lines that nobody reads replace older ones, instead of making the process wait.
    pub(crate) fn keep_latest(&self, keeps_latest: bool) {
        self.lines.keep_latest(keeps_latest);
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
        self.is_reaped = status.is_some();
        // The last lines of the standard error often contain the reason.
        self.read_stderr(until);
        self.kill();
        status
    }

    /// Waits until the thread that reads the standard error has put all of it into the transcript.
    pub(crate) fn read_stderr(&self, until: Instant) {
        while Instant::now() < until && self.stderr.as_ref().is_some_and(|a| !a.is_finished()) {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Ends the process at once.
    pub(crate) fn kill(&mut self) {
        if !self.is_reaped {
            kill_group(&self.child);
        }
        // Both fail only if the process has already ended.
        let _ = self.child.kill();
        self.is_reaped |= self.child.wait().is_ok();
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        self.kill();
        self.lines.abandon();
    }
}

/// Starts a thread. The system may refuse that.
fn spawn(run: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().spawn(run)
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

/// Passes on the lines of a stream, all those together that have been read together.
fn read_all(
    stream: impl Read,
    transcript: &Transcript,
    direction: Direction,
    mut take: impl FnMut(Vec<RawLine>) -> bool,
) {
    let mut stream = BufReader::new(stream);
    let mut batch = Vec::new();
    while let Ok(Some(line)) = read_line(&mut stream) {
        let (text, is_last) = match &line {
            RawLine::Text(text) => (text.as_str(), false),
            RawLine::Unfinished(text) => (text.as_str(), true),
            RawLine::TooLong(_) => ("(a line of more than 1 MiB)", false),
        };
        transcript.add(direction, text);
        batch.push(line);
        // Lines that have arrived together are passed on together, which wakes the receiver once.
        let has_more = stream.buffer().contains(&b'\n');
        if !has_more && !take(std::mem::take(&mut batch)) || is_last {
            return;
        }
    }
}
