//! The games of a generation, each stored when it ends.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Generation, GenerationEvent};
use crate::arena::{Arena, MatchOrder, MatchReport, PlayedBefore};
use crate::games::{BookUse, GameOutcome, KnownMoves, UseOptions, WinDrawLoss};
use crate::run_error::RunError;
use crate::store::{Change, StoreError};
use crate::working_book::WorkingBook;

impl WorkingBook {
    /// Plays the missing games of a generation, and counts them in it. A game is reported after it
    /// has been stored.
    pub(super) fn play_generation(
        &self,
        arena: &mut dyn Arena,
        order: &MatchOrder,
        stop: &Arc<AtomicBool>,
        on_event: &mut dyn FnMut(GenerationEvent<'_>),
    ) -> Result<Generation, RunError> {
        let before = self.played_before(order.generation)?;
        on_event(GenerationEvent::Started { generation: order.generation, stored: before.len() });
        let mut generation = Generation { number: order.generation, ..Generation::default() };
        let mut failure = None;
        let played;
        let book: &(dyn KnownMoves + Sync) = if order.choice.keep_played_cp.is_some() {
            played = self.with_played_moves(order.generation)?;
            &played
        } else {
            self.graph()
        };
        let result = arena.play_rest(order, &before, book, &mut |report| {
            match &report {
                MatchReport::Played(game) => {
                    // The callback cannot return the error, so it is kept until the arena returns.
                    if let Err(error) = self.store().merge_batch(&[Change::Game(game.clone())]) {
                        failure = Some(error);
                        return ControlFlow::Break(());
                    }
                    generation.played += 1;
                }
                MatchReport::Faulty(_) => generation.faulty += 1,
                MatchReport::Gone { .. } => {}
            }
            on_event(GenerationEvent::Match(&report));
            if stop.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        failure.map_or(Ok(()), Err)?;
        result?;
        Ok(generation)
    }

    /// Returns the stored games of a generation by kind.
    fn played_before(&self, generation: u32) -> Result<PlayedBefore, StoreError> {
        let mut before = PlayedBefore::default();
        for game in self.games_of(generation)? {
            before.add(&game?.1);
        }
        Ok(before)
    }

    /// Returns the results of the stored games of a generation.
    pub(super) fn results_of(&self, generation: u32) -> Result<WinDrawLoss, StoreError> {
        self.games_of(generation)?.map(|game| Ok(GameOutcome::of(&game?.1))).collect()
    }

    /// Returns for each stored game the use that the book was to its side, in the order of storing.
    ///
    /// # Errors
    ///
    /// If a game is inconsistent, or the file cannot be read.
    pub fn book_uses(&self, options: &UseOptions) -> Result<Vec<BookUse>, RunError> {
        let uses = self.store().games()?.map(|game| {
            let (number, game) = game?;
            BookUse::of(&game, options).map_err(|error| RunError::Game { number, error })
        });
        uses.collect()
    }
}
