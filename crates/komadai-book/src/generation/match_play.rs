//! Games that are stored as they end.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::GenerationEvent;
use crate::arena::{Arena, MatchOrder, MatchReport, PlayedBefore};
use crate::games::{BookUse, GameOutcome, UseOptions, WinDrawLoss};
use crate::grow::GrowError;
use crate::store::{Change, StoreError};
use crate::working_book::WorkingBook;

/// What a run has played of a generation.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Played {
    pub(super) games: u32,
    pub(super) faulty: u32,
}

impl WorkingBook {
    /// Plays what is missing of a generation's games. A game is told of when it is on disk.
    pub(super) fn play_generation(
        &self,
        arena: &mut dyn Arena,
        order: &MatchOrder,
        stop: &Arc<AtomicBool>,
        hear: &mut dyn FnMut(GenerationEvent<'_>),
    ) -> Result<Played, GrowError> {
        let before = self.played_before(order.generation)?;
        hear(GenerationEvent::Begins { generation: order.generation, stored: before.len() });
        let (mut played, mut failure) = (Played::default(), None);
        let result = arena.play_rest(order, &before, self.graph(), &mut |report| {
            match &report {
                MatchReport::Played(game) => {
                    if let Err(error) = self.store().merge_batch(&[Change::Game(game.clone())]) {
                        failure = Some(error);
                        return ControlFlow::Break(());
                    }
                    played.games += 1;
                }
                MatchReport::Faulty(_) => played.faulty += 1,
                MatchReport::Gone { .. } => {}
            }
            hear(GenerationEvent::Heard(&report));
            if stop.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        failure.map_or(Ok(()), Err)?;
        result?;
        Ok(played)
    }

    fn played_before(&self, generation: u32) -> Result<PlayedBefore, StoreError> {
        let mut before = PlayedBefore::default();
        self.store().for_each_game(|_, game| -> Result<(), StoreError> {
            if game.generation == generation {
                before.add(&game);
            }
            Ok(())
        })?;
        Ok(before)
    }

    /// The results of the stored games of a generation.
    pub(super) fn results_of(&self, generation: u32) -> Result<WinDrawLoss, StoreError> {
        let mut results = WinDrawLoss::default();
        self.store().for_each_game(|_, game| -> Result<(), StoreError> {
            if game.generation == generation {
                results.add(GameOutcome::of(&game));
            }
            Ok(())
        })?;
        Ok(results)
    }

    /// What the book has done for its side in every stored game, in the order in which they were stored
    /// (S1.6).
    ///
    /// # Errors
    ///
    /// If a game makes no sense, or the file cannot be read.
    pub fn book_uses(&self, options: &UseOptions) -> Result<Vec<BookUse>, GrowError> {
        let mut uses = Vec::new();
        self.store().for_each_game(|number, game| -> Result<(), GrowError> {
            let used = BookUse::of(&game, options);
            uses.push(used.map_err(|error| GrowError::Game { number, error })?);
            Ok(())
        })?;
        Ok(uses)
    }
}
