//! The opponent in the games by which methods learn.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use komadai::core::Position;
use komadai::matches::{Contestant, ContestantFault, Turn};
use komadai::train::methods::{Opponent, OpponentAnswer};
use komadai::usi::{BestMove, GoLimits};

use crate::arguments::engine::Engine;

/// An engine against which methods learn.
pub(super) struct Partner {
    engine: Engine,
    nodes: u64,
    /// The reason why the engine plays no longer.
    fault: Rc<RefCell<Option<ContestantFault>>>,
}

/// Time that an engine may take to start, or for a move that nodes limit.
const PATIENCE: Duration = Duration::from_secs(60);

impl Partner {
    /// Returns the engine of a command, which thinks for some nodes a move.
    pub(super) fn new(command: &str, nodes: u64) -> anyhow::Result<Self> {
        Ok(Self { engine: Engine::new(command, &[], PATIENCE)?, nodes, fault: Rc::default() })
    }

    /// Starts the engine for one method. After a fault of the engine `stop` is set.
    pub(super) fn start(&self, stop: &Arc<AtomicBool>) -> anyhow::Result<Opponent> {
        let mut contestant = self.engine.start().map_err(anyhow::Error::from_boxed)?;
        let limits = GoLimits { nodes: Some(self.nodes), ..GoLimits::default() };
        let (stop, fault) = (Arc::clone(stop), Rc::clone(&self.fault));
        let (mut ply, mut games) = (u32::MAX, 0);
        Ok(Box::new(move |position| {
            // The number of the move grows within a game.
            let is_new = position.ply() <= std::mem::replace(&mut ply, position.ply());
            let started = if is_new { contestant.new_game(games) } else { Ok(()) };
            games += usize::from(is_new);
            let answer = started.and_then(|()| answer(&mut *contestant, position, &limits, &stop));
            answer.unwrap_or_else(|found| {
                *fault.borrow_mut() = Some(found);
                stop.store(true, Ordering::Relaxed);
                OpponentAnswer::Resigns
            })
        }))
    }

    /// Returns the fault that ended the games, if there was one.
    pub(super) fn fault(&self) -> Option<ContestantFault> {
        self.fault.borrow_mut().take()
    }
}

fn answer(
    contestant: &mut dyn Contestant,
    position: &Position,
    limits: &GoLimits,
    stop: &Arc<AtomicBool>,
) -> Result<OpponentAnswer, ContestantFault> {
    let game = position.to_usi_position();
    let deadline = Instant::now() + PATIENCE;
    let reply = contestant.choose(&Turn { position, game: &game, limits, deadline, stop })?;
    Ok(match reply.best {
        BestMove::Move { best, .. } => OpponentAnswer::Move(best),
        BestMove::Resign => OpponentAnswer::Resigns,
        BestMove::Win => OpponentAnswer::DeclaresWin,
    })
}
