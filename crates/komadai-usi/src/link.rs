//! Messages to and from an engine process, with all faults of the communication as errors.

use std::sync::mpsc::TrySendError;
use std::time::Duration;

use komadai_base::clock::Instant;

use crate::client_error::ClientFault;
use crate::command::GuiCommand;
use crate::line_queue::Taken;
use crate::line_reader::RawLine;
use crate::message::{EngineMessage, MessageError};
use crate::pipes::Pipes;
use crate::words::shorten;

/// Maximum number of lines that an engine may print outside a search. No engine has that many
/// options.
pub(crate) const MOST_LINES: usize = 20_000;

/// Maximum size of these lines in bytes. The declared options are kept.
const MOST_BYTES: usize = 16 << 20;

/// Maximum wait for `usiok` or `readyok` in timeouts for a line, for an engine that prints others.
const MOST_TIMEOUTS: u32 = 10;

/// Time that an engine without input has for the lines that it has already written.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Time between an answer and the next question in which further lines are awaited. An engine that
/// answers twice does so at once, but not always in one write.
const SETTLE: Duration = Duration::from_millis(2);

/// A process that should use USI.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) pipes: Pipes,
    /// The arrival of the last line.
    last_line: Option<Instant>,
    /// The time at which it was noticed that the process has closed its input.
    deaf_since: Option<Instant>,
}

impl Link {
    pub(crate) fn new(pipes: Pipes) -> Self {
        Self { pipes, last_line: None, deaf_since: None }
    }

    pub(crate) fn send(&mut self, command: &GuiCommand) -> Result<(), ClientFault> {
        match self.pipes.send(command.to_string()) {
            Ok(()) => Ok(()),
            Err(TrySendError::Disconnected(_)) => Err(self.unreachable("answer")),
            Err(TrySendError::Full(_)) => Err(self.kill_for(ClientFault::Deaf)),
        }
    }

    /// Returns the next message with its time of arrival, or `None` if none arrives within
    /// `timeout`.
    ///
    /// Lines without a meaning in USI (greetings, options of other protocols) are
    /// [`EngineMessage::Unknown`].
    pub(crate) fn receive(
        &mut self,
        awaited: &'static str,
        timeout: Duration,
    ) -> Result<Option<(EngineMessage, Instant)>, ClientFault> {
        let line = self.receive_line(awaited, timeout)?;
        line.map(|(line, at)| Ok((read_message(line)?, at))).transpose()
    }

    fn receive_line(
        &mut self,
        awaited: &'static str,
        timeout: Duration,
    ) -> Result<Option<(String, Instant)>, ClientFault> {
        let received = match self.deaf_since {
            None => self.pipes.receive(timeout),
            Some(since) => {
                let left = LAST_WORDS.saturating_sub(since.elapsed());
                match self.pipes.receive_from_deaf(timeout.min(left)) {
                    Taken::Nothing if left <= timeout => Taken::Deaf,
                    other => other,
                }
            }
        };
        match received {
            Taken::Line(RawLine::Text(line), at) => {
                self.last_line = Some(at);
                Ok(Some((line, at)))
            }
            Taken::Nothing => Ok(None),
            Taken::Line(RawLine::TooLong(_), _) => Err(self.kill_for(ClientFault::EndlessLine)),
            // Only its start is known: `bestmove 8h2b` may have been meant to promote.
            Taken::Line(RawLine::Unfinished(_), _) | Taken::End => Err(self.died(awaited)),
            Taken::Deaf if self.deaf_since.is_none() => {
                // An engine that has exited has closed its input first. Its last lines are still to
                // come.
                self.deaf_since = Some(Instant::now());
                self.receive_line(awaited, timeout)
            }
            Taken::Deaf => Err(self.unreachable(awaited)),
        }
    }

    /// Reads until `goal` and passes the messages before it to `on_message`. Waits for each line
    /// for at most `patience`, and for all of them for at most ten times as long.
    pub(crate) fn receive_until(
        &mut self,
        goal: &EngineMessage,
        awaited: &'static str,
        patience: Duration,
        mut on_message: impl FnMut(EngineMessage),
    ) -> Result<(), ClientFault> {
        let start = Instant::now();
        let longest = patience.saturating_mul(MOST_TIMEOUTS);
        let mut bytes = 0;
        for lines in 0..MOST_LINES {
            let left = longest.saturating_sub(start.elapsed());
            let Some((line, _)) = self.receive_line(awaited, patience.min(left))? else {
                let waited = if left < patience { longest } else { patience };
                return Err(self.silent(awaited, waited));
            };
            // An engine that talks without end would otherwise keep the wait alive.
            bytes += line.len();
            if bytes > MOST_BYTES {
                return Err(self.kill_for(ClientFault::Babble { awaited, lines: lines + 1 }));
            }
            match read_message(line)? {
                message if message == *goal => return Ok(()),
                message => on_message(refuse_answer(message)?),
            }
        }
        Err(self.kill_for(ClientFault::Babble { awaited, lines: MOST_LINES }))
    }

    /// Skips the lines since the last answer. Late `info` lines are allowed. An answer is a fault,
    /// because no search is running.
    pub(crate) fn discard_late_lines(&mut self) -> Result<(), ClientFault> {
        let awaited = "readiness for a question";
        for _ in 0..MOST_LINES {
            let quiet = self.last_line.map_or(SETTLE, |at| at.elapsed());
            match self.receive(awaited, SETTLE.saturating_sub(quiet))? {
                Some((message, _)) => refuse_answer(message)?,
                None => return Ok(()),
            };
        }
        Err(self.kill_for(ClientFault::Babble { awaited, lines: MOST_LINES }))
    }

    pub(crate) fn silent(&mut self, awaited: &'static str, waited: Duration) -> ClientFault {
        self.kill_for(ClientFault::Silent { awaited, waited })
    }

    fn died(&mut self, awaited: &'static str) -> ClientFault {
        ClientFault::Died { awaited, status: self.pipes.finish() }
    }

    /// Ends a process that has closed its input.
    fn unreachable(&mut self, awaited: &'static str) -> ClientFault {
        match self.pipes.finish() {
            Some(status) => ClientFault::Died { awaited, status: Some(status) },
            None => ClientFault::Deaf,
        }
    }

    fn kill_for(&mut self, fault: ClientFault) -> ClientFault {
        self.pipes.kill();
        fault
    }
}

fn read_message(line: String) -> Result<EngineMessage, ClientFault> {
    match line.parse() {
        Ok(message) => Ok(message),
        Err(MessageError::Empty | MessageError::Option(_)) => Ok(EngineMessage::Unknown(line)),
        Err(error) => Err(ClientFault::BadAnswer(error)),
    }
}

fn refuse_answer(message: EngineMessage) -> Result<EngineMessage, ClientFault> {
    match message {
        EngineMessage::BestMove(_) | EngineMessage::Checkmate(_) => {
            Err(ClientFault::Unasked { found: shorten(&message.to_string()) })
        }
        message => Ok(message),
    }
}
