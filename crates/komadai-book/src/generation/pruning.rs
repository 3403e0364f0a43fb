//! The deletion of moves that lose games.

use crate::clock::seconds_since_1970;
use crate::games::{GameResults, GameWalk, PruneOptions};
use crate::run_error::RunError;
use crate::store::{Deletion, StoreError};
use crate::working_book::WorkingBook;

impl WorkingBook {
    /// Returns wins, draws and losses of each move of the book in all stored games. The games have
    /// their numbers in the file.
    ///
    /// # Errors
    ///
    /// If a game cannot be replayed, or the file cannot be read.
    pub fn game_results(&self) -> Result<GameResults, RunError> {
        let mut results = GameResults::new();
        for game in self.store().games()? {
            let (number, game) = game?;
            let walk = GameWalk::new(&game, self.graph())
                .map_err(|error| RunError::Game { number, error })?;
            results.add(number, &game, &walk);
        }
        Ok(results)
    }

    /// Deletes the moves whose results in all stored games are below the limits and that nothing
    /// [holds](crate::games::PruneCandidate::hold), in one transaction, and returns the deletions with their reasons. [`undo`](Self::undo) restores the
    /// moves.
    ///
    /// # Errors
    ///
    /// As [`game_results`](Self::game_results), or if the file cannot be written.
    pub fn prune(
        &mut self,
        options: &PruneOptions,
        generation: u32,
    ) -> Result<Vec<Deletion>, RunError> {
        let candidates = self.game_results()?.prune_candidates(options);
        let deletions = Deletion::of_candidates(&candidates, seconds_since_1970(), generation);
        self.delete(&deletions)?;
        Ok(deletions)
    }

    /// Prunes like [`prune`](Self::prune), but a generation that has been pruned is not pruned
    /// again: without the deleted moves games leave the book earlier, so the results would differ.
    pub(super) fn prune_once(
        &mut self,
        options: &PruneOptions,
        generation: u32,
    ) -> Result<Vec<Deletion>, RunError> {
        if self.deletions_by_games(generation)? > 0 {
            return Ok(Vec::new());
        }
        self.prune(options, generation)
    }

    /// Returns the number of deletions of a generation that have games as their reason. Deletions
    /// by a person have none.
    pub(super) fn deletions_by_games(&self, generation: u32) -> Result<usize, StoreError> {
        let tombstones = self.store().tombstones()?;
        let deletions = tombstones.iter().map(|tombstone| &tombstone.deletion);
        Ok(deletions.filter(|d| d.generation == generation && !d.games.is_empty()).count())
    }
}
