//! The lines of an engine under test, as they are.

use std::io;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use komadai_base::clock::Instant;

use crate::conformance::evidence::Evidence;
use crate::launch::EngineConfig;
use crate::line_queue::Taken;
use crate::line_reader::RawLine;
use crate::link::MOST_LINES;
use crate::pipes::Pipes;
use crate::transcript::last_stderr;

/// Interval at which a wait looks at the stop flag and at the process.
const INTERVAL: Duration = Duration::from_millis(20);

/// Maximum size of the lines of one wait in bytes.
const MOST_BYTES: usize = 16 << 20;

/// A process whose lines are neither checked nor changed.
#[derive(Debug)]
pub(super) struct Dialogue<'a> {
    pipes: Pipes,
    stop: &'a AtomicBool,
}

/// A line with its time of arrival.
pub(super) type TimedLine = (String, Instant);

/// The reason for the end of a wait without the awaited line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Loss {
    /// Nothing within this time.
    Silent(Duration),
    /// The process has ended or closed its output.
    Gone(Option<ExitStatus>),
    /// Too many lines, or one without an end.
    Babble,
}

impl Loss {
    pub(super) fn evidence(&self) -> Evidence {
        match self {
            Self::Silent(waited) => Evidence::silence(*waited),
            Self::Gone(None) => {
                Evidence::new("the process has closed its output", "プロセスが出力を閉じた")
            }
            Self::Gone(Some(status)) => Evidence::new(
                format!("the process has ended ({status})"),
                format!("プロセスが終了した（{status}）"),
            ),
            Self::Babble => {
                Evidence::new("lines without end in place of an answer", "返答でない行が続く")
            }
        }
    }
}

impl<'a> Dialogue<'a> {
    /// Starts the process.
    pub(super) fn start(config: &EngineConfig, stop: &'a AtomicBool) -> io::Result<Self> {
        let pipes = config.spawn().and_then(Pipes::new)?;
        Ok(Self { pipes, stop })
    }

    /// Sends a line. A process that does not take it is noticed by what it does not answer.
    pub(super) fn say(&mut self, line: &str) {
        let _ = self.pipes.send(line.to_owned());
    }

    /// Reads lines until `is_goal`, which is the last one, for at most `wait`. The lines go to
    /// `lines` in any case.
    pub(super) fn await_line(
        &mut self,
        lines: &mut Vec<TimedLine>,
        wait: Duration,
        is_goal: impl Fn(&str) -> bool,
    ) -> Result<(), Loss> {
        let until = Instant::now() + wait;
        let (mut count, mut bytes) = (0, 0);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.pipes.receive_from_deaf(left.min(INTERVAL)) {
                Taken::Line(RawLine::Text(line), at) => {
                    (count, bytes) = (count + 1, bytes + line.len());
                    let is_goal = is_goal(&line);
                    lines.push((line, at));
                    if is_goal {
                        return Ok(());
                    }
                    if count >= MOST_LINES || bytes >= MOST_BYTES {
                        return Err(Loss::Babble);
                    }
                }
                Taken::Line(RawLine::TooLong(_), _) => return Err(Loss::Babble),
                Taken::Line(RawLine::Unfinished(_), _) | Taken::End => {
                    return Err(Loss::Gone(self.pipes.finish()));
                }
                Taken::Nothing | Taken::Deaf => {}
            }
            if left.is_zero() || self.stop.load(Ordering::Relaxed) {
                return Err(Loss::Silent(wait));
            }
        }
    }

    /// Reads the lines of a time in which nothing is awaited.
    pub(super) fn listen(&mut self, time: Duration) -> Result<Vec<TimedLine>, Loss> {
        let mut lines = Vec::new();
        match self.await_line(&mut lines, time, |_| false) {
            Ok(()) | Err(Loss::Silent(_)) => Ok(lines),
            Err(loss) => Err(loss),
        }
    }

    /// Closes the input of the process.
    pub(super) fn close_input(&mut self) {
        self.pipes.close_input();
    }

    /// Waits for the exit of the process for at most `wait`; its output is read meanwhile. Returns
    /// the time that it took.
    pub(super) fn await_exit(&mut self, wait: Duration) -> Option<Duration> {
        let start = Instant::now();
        loop {
            if self.pipes.has_exited() {
                return Some(start.elapsed());
            }
            if start.elapsed() >= wait || self.stop.load(Ordering::Relaxed) {
                return None;
            }
            if self.pipes.receive_from_deaf(Duration::from_millis(5)) == Taken::End {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }

    /// The number of processes that a process which has exited has left behind, where the system
    /// tells it. They are waited for up to a second.
    pub(super) fn left_behind(&self) -> Option<usize> {
        let until = Instant::now() + Duration::from_secs(1);
        loop {
            let left = self.pipes.others()?;
            if left == 0 || Instant::now() >= until {
                return Some(left);
            }
            std::thread::sleep(INTERVAL);
        }
    }

    /// The last words of the process on its standard error.
    pub(super) fn stderr(&self) -> String {
        last_stderr(&self.pipes.transcript.lines())
    }
}
