//! The deletion of moves that lose games.

use std::collections::BTreeMap;

use crate::clock::seconds_since_1970;
use crate::games::{GameResults, GameWalk, PruneCandidate, PruneOptions};
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

    /// Deletes the moves whose results in all stored games are below the limits, in one
    /// transaction, and returns the deletions with their reasons. [`undo`](Self::undo) restores the
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
        let deletions = deletions(&candidates, generation);
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

/// Returns one deletion for each move, with the reasons of all its candidates.
fn deletions(candidates: &[PruneCandidate], generation: u32) -> Vec<Deletion> {
    let mut by_move: BTreeMap<(String, u16), Deletion> = BTreeMap::new();
    let when = seconds_since_1970();
    for candidate in candidates {
        let key = (candidate.position.to_string(), candidate.m.to_bits());
        let deletion = by_move.entry(key).or_insert_with(|| Deletion {
            position: candidate.position.clone(),
            m: Some(candidate.m),
            reason: String::new(),
            when,
            generation,
            games: Vec::new(),
        });
        if !deletion.reason.is_empty() {
            deletion.reason += "; ";
        }
        deletion.reason += &reason(candidate);
        deletion.games.extend(candidate.games.iter().map(|game| game.number));
    }
    by_move.into_values().collect()
}

/// Returns the reason as text: `all lost: 0-0-5 (5 different games) against engine, 2-0-7 in all`.
fn reason(candidate: &PruneCandidate) -> String {
    let PruneCandidate { reason, results, all, distinct_games, .. } = candidate;
    let opponent_part = match &candidate.opponent {
        Some(opponent) => format!(" against {opponent}, {all} in all"),
        None => String::new(),
    };
    format!("{}: {results} ({distinct_games} different games){opponent_part}", reason.name())
}
