//! Values of moves by a long alpha-beta search, kept in a file.

use std::path::Path;

use anyhow::Context as _;
use komadai::nnue::{Network, Nnue};
use komadai::prelude::*;
use komadai::search::{AlphaBeta, SearchOptions};

use crate::journal::Journal;

/// The evaluation of all players and of the referee: the bundled network.
pub fn evaluator() -> Nnue {
    Nnue::new(Network::bundled())
}

/// Values beyond this, in centipawns, are as good as won or lost.
const BOUND: i32 = 2_000;

/// A judge of moves.
#[derive(Debug)]
pub struct Referee<E = Nnue> {
    evaluator: E,
    nodes: u64,
    known: Journal,
}

impl Referee {
    /// Returns a referee with the bundled network.
    ///
    /// # Errors
    ///
    /// If the file cannot be used.
    pub fn new(nodes: u64, file: Option<&Path>) -> anyhow::Result<Self> {
        Self::with_evaluator(evaluator(), nodes, file)
    }
}

impl<E: Evaluator + Clone> Referee<E> {
    /// Returns a referee that searches this number of nodes after each move. Values in `file` are
    /// taken from there, new ones are added.
    ///
    /// # Errors
    ///
    /// If the file cannot be used.
    pub fn with_evaluator(evaluator: E, nodes: u64, file: Option<&Path>) -> anyhow::Result<Self> {
        Ok(Self { evaluator, nodes, known: Journal::open(file)? })
    }

    /// Returns the number of nodes after each move.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the value of a move for its mover, in centipawns within ±2,000.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn value(&self, position: &Position, m: Move) -> anyhow::Result<i32> {
        let key = format!("{position}\t{m}\t{}", self.nodes);
        let value = self.known.get_or_find(key, || Ok(self.search(position, m).to_string()))?;
        value.parse().with_context(|| format!("found the value {value:?}, expected a number"))
    }

    fn search(&self, position: &Position, m: Move) -> i32 {
        let mut after = position.clone();
        after.do_move(m);
        let options = SearchOptions { hash_mib: 64, ..SearchOptions::default() };
        let mut search = AlphaBeta::new(self.evaluator.clone(), options);
        let analysis = search.search(&after, &Budget::nodes(self.nodes), &mut |_| {});
        // Without a move the opponent has lost.
        analysis.score().map_or(BOUND, |score| -score.raw()).clamp(-BOUND, BOUND)
    }
}
