//! Messages to and from an engine process, with every fault of the line named.

use std::time::{Duration, Instant};

use crate::client_error::ClientFault;
use crate::command::GuiCommand;
use crate::message::{EngineMessage, MessageError};
use crate::pipes::{Pipes, Received, SendFailure};
use crate::words::shorten;

/// Lines an engine may print while it is asked for something else than a search; none has that
/// many options.
pub(crate) const MOST_LINES: usize = 20_000;

/// A process that speaks USI, or claims to.
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

    /// The next message, with the time it came; `None` if none comes within `timeout`.
    ///
    /// Lines that mean nothing (greetings, options of other protocols) are
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

    /// Reads until `goal`, giving what comes before it to `hear`. Waits for each line for at most
    /// `patience`.
    pub(crate) fn receive_until(
        &mut self,
        goal: &EngineMessage,
        awaited: &'static str,
        patience: Duration,
        mut hear: impl FnMut(EngineMessage),
    ) -> Result<(), ClientFault> {
        for _ in 0..MOST_LINES {
            match self.receive(awaited, patience)? {
                Some((message, _)) if message == *goal => return Ok(()),
                Some((message, _)) => hear(refuse_answer(message)?),
                None => return Err(self.silent(awaited, patience)),
            }
        }
        Err(self.kill_for(ClientFault::Babble { awaited, lines: MOST_LINES }))
    }

    /// Passes over what came since the last answer: a few late `info` lines perhaps, but no
    /// answer, because nothing has been asked.
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
