//! Messages to and from an engine process, with all faults of the communication as errors.

use std::time::{Duration, Instant};

use crate::client_error::ClientFault;
use crate::command::GuiCommand;
use crate::message::{EngineMessage, MessageError};
use crate::pipes::{Pipes, Received, SendFailure};
use crate::words::shorten;

/// Maximum number of lines that an engine may print outside a search. No engine has that many
/// options.
pub(crate) const MOST_LINES: usize = 20_000;

/// A process that should use USI.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) pipes: Pipes,
}

impl Link {
    pub(crate) fn send(&mut self, command: &GuiCommand) -> Result<(), ClientFault> {
        match self.pipes.send(command.to_string()) {
            Ok(()) => Ok(()),
            Err(SendFailure::Closed) => Err(self.died("its answer")),
            Err(SendFailure::Unread) => Err(self.kill_for(ClientFault::Deaf)),
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
        match self.pipes.receive(timeout) {
            Received::Line(line, at) => match line.parse() {
                Ok(message) => Ok(Some((message, at))),
                Err(MessageError::Empty | MessageError::Option(_)) => {
                    Ok(Some((EngineMessage::Unknown(line), at)))
                }
                Err(error) => Err(ClientFault::BadAnswer(error)),
            },
            Received::Nothing => Ok(None),
            Received::TooLong => Err(self.kill_for(ClientFault::EndlessLine)),
            Received::Closed => Err(self.died(awaited)),
        }
    }

    /// Reads until `goal` and passes the messages before it to `on_message`. Waits for each line
    /// for at most `patience`.
    pub(crate) fn receive_until(
        &mut self,
        goal: &EngineMessage,
        awaited: &'static str,
        patience: Duration,
        mut on_message: impl FnMut(EngineMessage),
    ) -> Result<(), ClientFault> {
        for _ in 0..MOST_LINES {
            match self.receive(awaited, patience)? {
                Some((message, _)) if message == *goal => return Ok(()),
                Some((message, _)) => on_message(refuse_answer(message)?),
                None => return Err(self.silent(awaited, patience)),
            }
        }
        Err(self.kill_for(ClientFault::Babble { awaited, lines: MOST_LINES }))
    }

    /// Skips the lines since the last answer. Late `info` lines are allowed. An answer is a fault,
    /// because no search is running.
    pub(crate) fn discard_late_lines(&mut self) -> Result<(), ClientFault> {
        let awaited = "the next question";
        for _ in 0..MOST_LINES {
            match self.receive(awaited, Duration::ZERO)? {
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

    fn kill_for(&mut self, fault: ClientFault) -> ClientFault {
        self.pipes.kill();
        fault
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
