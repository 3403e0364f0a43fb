//! The extension of a book at the positions where games left it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use komadai_core::{Analyst, Position};

use crate::games::{ExtensionTarget, ExtensionTargets, GameWalk};
use crate::grow::{GrowEvent, GrowOptions, Grown};
use crate::run_error::RunError;
use crate::working_book::WorkingBook;

impl WorkingBook {
    /// Returns the positions by which the stored games of a generation extend the book, the most
    /// frequent first. These are the next `turns` of the book's side from the position where each
    /// game left the book, except positions that are in the book by now.
    ///
    /// # Errors
    ///
    /// If a game cannot be replayed, or the file cannot be read.
    pub(crate) fn extension_targets(
        &self,
        generation: u32,
        turns: usize,
    ) -> Result<Vec<ExtensionTarget>, RunError> {
        let mut targets = ExtensionTargets::new(turns);
        for game in self.games_of(generation)? {
            let (number, game) = game?;
            let walk = GameWalk::new(&game, self.graph())
                .map_err(|error| RunError::Game { number, error })?;
            // After an interruption a part of the targets is in the book, which would move the
            // point where the game leaves it. The point that the player reported stays the same.
            match game.left_at {
                Some(left_at) => targets.add_from(&walk, left_at),
                None => targets.add(&walk),
            }
        }
        Ok(targets.sorted())
    }

    /// Analyses targets and adds them to the book, without regard to [`GrowOptions::positions`].
    /// Targets that have been analysed with these settings are skipped. Jobs that wait in the queue
    /// are done first.
    ///
    /// # Errors
    ///
    /// As [`grow`](Self::grow).
    pub fn extend<A: Analyst>(
        &mut self,
        targets: &[ExtensionTarget],
        analysts: &mut [A],
        options: &GrowOptions,
        stop: &Arc<AtomicBool>,
        on_event: &mut dyn FnMut(GrowEvent<'_>),
    ) -> Result<Grown, RunError> {
        let positions: Vec<Position> =
            targets.iter().map(|target| target.position.clone()).collect();
        let options = GrowOptions { positions: usize::MAX, ..options.clone() };
        let mut select = |_: &_| positions.clone();
        self.grow(analysts, &options, stop, &mut select, on_event)
    }
}
