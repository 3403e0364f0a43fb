//! The command `e`: the static evaluation of the position.

use komadai_base::clock::Instant;

use crate::handler::Handler;
use crate::message::EngineMessage;
use crate::session::waiting::Order;
use crate::session::{Session, State};

impl<H: Handler> Session<H> {
    /// Returns whether `e` can be answered during the present search, because its position is the
    /// last one.
    pub(super) fn can_evaluate_now(&self) -> bool {
        matches!(self.state, State::Thinking(_)) && self.is_prepared && self.waiting.is_empty()
    }

    /// Answers `e`, after a preparation if there has been none since the last change of an option.
    pub(super) fn evaluate(&mut self, received: Instant) {
        if !self.is_prepared {
            self.waiting.put_back(Order::Evaluate, received);
            return self.prepare(false);
        }
        if let Some(fault) = &self.fault {
            return self.report(format!("Error! : no position to evaluate: {fault}"));
        }
        match self.handler.evaluate() {
            Some(value) => self.outbox.push(EngineMessage::Unknown(format!("eval = {value}"))),
            None => self.report("unknown command: e".to_owned()),
        }
    }
}
