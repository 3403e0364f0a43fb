//! Longer lines where games have left the book.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use komadai_core::Position;

use crate::analyst::Analyst;
use crate::games::{ExtensionTarget, ExtensionTargets, GameWalk};
use crate::grow::{GrowError, GrowEvent, GrowOptions, Grown};
use crate::working_book::WorkingBook;

impl WorkingBook {
    /// The positions by which the stored games of a generation extend the book, most frequent first: the
    /// next `turns` of the book's side from where each game left the book, without those that are in the
    /// book by now (S1.3).
    ///
    /// # Errors
    ///
    /// If a game makes no sense, or the file cannot be read.
    pub fn extension_targets(
        &self,
        generation: u32,
        turns: usize,
    ) -> Result<Vec<ExtensionTarget>, GrowError> {
        let mut targets = ExtensionTargets::new(turns);
        self.store().for_each_game(|number, game| -> Result<(), GrowError> {
            if game.generation != generation {
                return Ok(());
            }
            let walk = GameWalk::new(&game, self.graph())
                .map_err(|error| GrowError::Game { number, error })?;
            // What the player said holds also when half of the positions have been added.
            match game.left_at {
                Some(left_at) => targets.add_from(&walk, left_at),
                None => targets.add(&walk),
            }
            Ok(())
        })?;
        Ok(targets.sorted())
    }

    /// Analyses targets and adds them to the book, whatever [`GrowOptions::positions`] says. Those that were
    /// analysed with these settings already are passed over; what waits in the queue is done as well.
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
        hear: &mut dyn FnMut(GrowEvent<'_>),
    ) -> Result<Grown, GrowError> {
        let positions: Vec<Position> =
            targets.iter().map(|target| target.position.clone()).collect();
        let options = GrowOptions { positions: usize::MAX, ..options.clone() };
        let mut select = |_: &_| positions.clone();
        self.grow(analysts, &options, stop, &mut select, hear)
    }
}
