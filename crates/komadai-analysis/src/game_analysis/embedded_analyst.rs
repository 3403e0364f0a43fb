//! The searcher of the embedded player, with a memory over the positions of a block.

use komadai_core::{Analysis, Analyst, AnalystError, AnalystId, Budget, Position};
use komadai_search::SearchOptions;

use crate::search_analyst::{Memory, SearchAnalyst};

/// Size of the transposition table of a worker in MiB.
const HASH_MIB: usize = 32;

/// A searcher that keeps its memory from one position to the next until it is told to forget.
pub(super) struct EmbeddedAnalyst(SearchAnalyst);

impl EmbeddedAnalyst {
    pub(super) fn new() -> Self {
        let options = SearchOptions { hash_mib: HASH_MIB, ..SearchOptions::default() };
        Self(SearchAnalyst::standard(options, Memory::Kept))
    }
}

impl Analyst for EmbeddedAnalyst {
    fn identity(&self) -> AnalystId {
        self.0.identity()
    }

    fn analyse(&mut self, position: &Position, budget: &Budget) -> Result<Analysis, AnalystError> {
        self.0.analyse(position, budget)
    }

    fn scale(&self) -> f64 {
        self.0.scale()
    }

    fn forget(&mut self) {
        self.0.clear();
    }
}
