//! Pondering: a search of an expected position while the opponent thinks.

use std::time::{Duration, Instant};

use komadai_core::{Budget, UsiPosition};

use super::{Answer, EngineProcess, Pondering, SearchRequest, check_answer};
use crate::client_error::ClientError;
use crate::command::GuiCommand;
use crate::info::Info;
use crate::limits::GoLimits;

impl EngineProcess {
    /// Starts to ponder: `game` ends with the own move and the reply that is expected to it. Does
    /// not wait.
    ///
    /// The engine thinks until [`ponder_hit`](Self::ponder_hit) or
    /// [`stop_pondering`](Self::stop_pondering); every other command for it stops the search as
    /// well. `limits` are those of the own next move, which the engine obeys from the hit on. Of
    /// what it reports meanwhile the latest thousand lines are kept.
    ///
    /// # Errors
    ///
    /// The same as those of [`go`](Self::go).
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use std::time::Duration;
    ///
    /// use komadai_core::{Budget, UsiPosition};
    /// use komadai_usi::{ClockTimes, EngineConfig, EngineProcess, GoLimits};
    ///
    /// let mut engine = EngineProcess::launch(EngineConfig::new("/opt/engines/some-engine"))?;
    /// let expected = UsiPosition::from_usi("startpos moves 7g7f 3c3d")?;
    /// let played = expected.clone(); // what the opponent answers, some time later
    /// let limits = GoLimits::clock(ClockTimes::byoyomi(Duration::from_secs(1)));
    /// engine.ponder(&expected, &limits)?;
    /// let answer = engine.go_or_ponder_hit(&played, &limits, &Budget::unlimited(), &mut |_| {})?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ponder(
        &mut self,
        game: impl Into<UsiPosition>,
        limits: &GoLimits,
    ) -> Result<(), ClientError> {
        let game = game.into();
        let limits = GoLimits { ponder: true, mate: None, ..limits.clone() };
        let begun = self.begin(&game, &limits);
        let position = begun.map_err(|fault| self.report(fault))?;
        self.link.pipes.keep_latest(true);
        self.pondering = Some(Pondering { game, position });
        Ok(())
    }

    /// The game that the engine ponders on, if it does.
    pub fn pondered(&self) -> Option<&UsiPosition> {
        self.pondering.as_ref().map(|pondering| &pondering.game)
    }

    /// Sends `ponderhit` and waits for the answer as [`go`](Self::go) does. Returns `None` if the
    /// engine does not ponder.
    ///
    /// The time of the answer counts from here. An engine that has not waited for the hit has
    /// answered at once.
    ///
    /// # Errors
    ///
    /// The same as those of [`go`](Self::go).
    pub fn ponder_hit(
        &mut self,
        budget: &Budget,
        progress: &mut dyn FnMut(&Info),
    ) -> Result<Option<Answer>, ClientError> {
        let Some(Pondering { game, position }) = self.pondering.take() else { return Ok(None) };
        self.link.pipes.keep_latest(false);
        let request = SearchRequest { game: &game, limits: GoLimits::default(), budget, progress };
        let reply = self.await_reply(request, position, Some(GuiCommand::PonderHit(None)));
        let answer = reply.and_then(|reply| check_answer(&game, reply));
        answer.map(Some).map_err(|fault| self.report(fault))
    }

    /// Asks for a move as [`go`](Self::go) does, by [`ponder_hit`](Self::ponder_hit) if the engine
    /// ponders on this game. A ponder search of another one is stopped first, and the time that
    /// this takes counts as that of the answer: only the search of the position that was reached
    /// is of use.
    ///
    /// # Errors
    ///
    /// The same as those of [`go`](Self::go).
    pub fn go_or_ponder_hit(
        &mut self,
        game: &UsiPosition,
        limits: &GoLimits,
        budget: &Budget,
        progress: &mut dyn FnMut(&Info),
    ) -> Result<Answer, ClientError> {
        let asked = Instant::now();
        let mut stopping = Duration::ZERO;
        if self.pondered() == Some(game) {
            if let Some(answer) = self.ponder_hit(budget, progress)? {
                return Ok(answer);
            }
        } else if self.pondered().is_some() {
            self.stop_pondering()?;
            stopping = asked.elapsed();
        }
        let answer = self.go(game, limits, budget, progress)?;
        Ok(Answer { elapsed: answer.elapsed + stopping, ..answer })
    }

    /// Sends `stop` and drops the answer. Does nothing if the engine does not ponder.
    ///
    /// # Errors
    ///
    /// [`ClientFault::Silent`](crate::ClientFault::Silent) if the engine does not answer, and other faults if it violates the
    /// protocol.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use komadai_core::UsiPosition;
    /// use komadai_usi::{EngineConfig, EngineProcess, GoLimits};
    ///
    /// let mut engine = EngineProcess::launch(EngineConfig::new("/opt/engines/some-engine"))?;
    /// let expected = UsiPosition::from_usi("startpos moves 7g7f 3c3d")?;
    /// engine.ponder(expected, &GoLimits::nodes(10_000))?;
    /// engine.stop_pondering()?; // the opponent has resigned
    /// assert_eq!(engine.pondered(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stop_pondering(&mut self) -> Result<(), ClientError> {
        self.end_pondering().map_err(|fault| self.report(fault))
    }
}
