//! The sizes of the experiments.

use std::num::NonZero;
use std::path::PathBuf;

use komadai::core::Position;

use crate::games;

/// The sizes of the experiments of the glossary.
#[derive(Debug, Clone)]
pub struct GlossaryOptions {
    /// Folder of the parts that are done.
    pub folder: PathBuf,
    /// Number of positions of games for searches.
    pub positions: usize,
    /// Plies of the searches with one technique more or less.
    pub depth: u32,
    /// Nodes of selective searches, and the limit of mate searches.
    pub nodes: u64,
    /// Number of mate problems, and the largest number of positions without a mate.
    pub problems: usize,
    /// Number of threads.
    pub threads: NonZero<usize>,
}

impl GlossaryOptions {
    /// Returns positions of the bundled games from move 20 on, evenly spaced.
    pub(super) fn sample(&self) -> Vec<Position> {
        /// Moves before the first position of a game.
        const FIRST: usize = 20;
        let games = games::bundled();
        let all: Vec<Position> = games
            .iter()
            .flat_map(|game| game.plies().skip(FIRST))
            .map(|(position, _)| position)
            .collect();
        let every = (all.len() / self.positions.max(1)).max(1);
        all.into_iter().step_by(every).take(self.positions).collect()
    }
}
