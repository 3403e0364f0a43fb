//! The moves of the root.

use komadai_book::games::WinDrawLoss;
use komadai_bookgraph::{Basis, BookGraph};
use komadai_core::{Move, Score};

use super::for_black::for_black;
use super::game_tally::GameTally;
use super::options::ReportOptions;

/// A move of the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstMove {
    /// The move.
    pub m: Move,
    /// The value for Black.
    pub value: Score,
    /// The number of plies until best play leaves the book.
    pub plies: u16,
    /// The reason for the value.
    pub basis: Basis,
    /// The number of games that the book counts for it.
    pub games: u32,
    /// The results of the stored games with this move, for Black.
    pub results: WinDrawLoss,
}

impl FirstMove {
    /// The moves of the root, best first, as many as rows are wanted.
    pub(super) fn all(graph: &BookGraph, options: &ReportOptions) -> Vec<Self> {
        let record = graph.record(&options.root);
        let games = |m: Move| {
            let listed = record.iter().flat_map(|record| &record.moves).find(|known| known.m == m);
            listed.and_then(|known| known.count).unwrap_or(0)
        };
        let ranked = graph.moves(&options.root).into_iter().take(options.max_rows);
        ranked
            .map(|ranked| Self {
                m: ranked.m,
                value: for_black(ranked.value.score, options.root.side()),
                plies: ranked.value.plies,
                basis: ranked.value.basis,
                games: games(ranked.m),
                results: WinDrawLoss::default(),
            })
            .collect()
    }

    /// Sets the results of games.
    pub(super) fn fill_in(&mut self, options: &ReportOptions, tally: &GameTally) {
        self.results = tally.results(&options.root, self.m);
    }
}
