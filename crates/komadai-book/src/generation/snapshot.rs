//! The snapshots that mark the ends of generations.

use std::collections::BTreeMap;

use komadai_core::{Color, Position};

use crate::clock::seconds_since_1970;
use crate::run_error::RunError;
use crate::store::{NewSnapshot, Snapshot, StoreError};
use crate::working_book::WorkingBook;

/// The first word of the name of a generation's snapshot.
const NAME: &str = "generation";

impl WorkingBook {
    /// Returns the number of the first generation that is not complete.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn next_generation(&self) -> Result<u32, RunError> {
        Ok(self.generations()?.last().map_or(0, |last| last.taken.generation + 1))
    }

    /// Returns the snapshots of all complete generations, in order.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn generations(&self) -> Result<Vec<Snapshot>, RunError> {
        let mut snapshots = self.store().snapshots()?;
        snapshots.retain(|snapshot| snapshot.taken.name == name(snapshot.taken.generation));
        snapshots.sort_by_key(|snapshot| snapshot.taken.generation);
        Ok(snapshots)
    }

    /// Stores the snapshot that completes a generation, with its figures: `root_cp` (the mean
    /// value for Black of the positions from which its games started, absent without values), `wins`, `draws`, `losses`, `deletions`,
    /// `length_tenths` (ten times the mean number of moves in the book per game) and `longest` (the
    /// largest such number).
    pub(super) fn snapshot_generation(&self, generation: u32) -> Result<Snapshot, RunError> {
        let mut figures = self.figures(generation)?;
        let deletions = self.deletions_by_games(generation)?;
        figures.push(("deletions".to_owned(), deletions as i64));
        figures.extend(self.start_value(generation)?.map(|cp| ("root_cp".to_owned(), cp)));
        let new =
            NewSnapshot { name: name(generation), when: seconds_since_1970(), generation, figures };
        Ok(self.store().take_snapshot(&new)?)
    }

    /// Returns the mean value for Black of the start positions of the games of a generation that
    /// have a value, in centipawns.
    fn start_value(&self, generation: u32) -> Result<Option<i64>, StoreError> {
        let mut starts = BTreeMap::new();
        for game in self.games_of(generation)? {
            let start = game?.1.start;
            starts.entry(start.to_string()).or_insert(start);
        }
        let values: Vec<i64> = starts
            .values()
            .filter_map(|start| Position::from_setup(start).ok())
            .filter_map(|start| {
                let cp = i64::from(self.graph().value(&start)?.score.to_cp()?);
                Some(if start.side() == Color::Black { cp } else { -cp })
            })
            .collect();
        let count = values.len() as i64;
        Ok((count > 0).then(|| values.iter().sum::<i64>().div_euclid(count)))
    }

    /// Returns the figures of the games of a generation.
    fn figures(&self, generation: u32) -> Result<Vec<(String, i64)>, StoreError> {
        let results = self.results_of(generation)?;
        let mut sum = 0_u64;
        let mut longest = 0;
        for game in self.games_of(generation)? {
            let (_, game) = game?;
            let moves = game.moves.len() as u32;
            let length = game.left_at.map_or(moves, |left_at| left_at.min(moves));
            sum += u64::from(length);
            longest = longest.max(length);
        }
        // Figures are integers: tenths keep one decimal of the mean.
        let tenths = (sum * 10).checked_div(results.games()).unwrap_or(0);
        let figures = [
            ("wins", i64::from(results.wins)),
            ("draws", results.draws.into()),
            ("losses", results.losses.into()),
            ("length_tenths", tenths as i64),
            ("longest", longest.into()),
        ];
        Ok(figures.map(|(name, figure)| (name.to_owned(), figure)).into())
    }
}

fn name(generation: u32) -> String {
    format!("{NAME} {generation}")
}
