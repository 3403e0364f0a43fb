//! Values of moves by a long alpha-beta search, kept in a file.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;

use anyhow::Context as _;
use komadai::nnue::{Network, Nnue};
use komadai::prelude::*;
use komadai::search::{AlphaBeta, SearchOptions};
use komadai_base::file::{open_regular_with, read_text};

/// The evaluation of all players and of the referee: the bundled network.
pub(crate) fn evaluator() -> Nnue {
    Nnue::new(Network::bundled())
}

/// Values beyond this, in centipawns, are as good as won or lost.
const BOUND: i32 = 2_000;

/// A judge of moves.
#[derive(Debug)]
pub(crate) struct Referee<E = Nnue> {
    evaluator: E,
    nodes: u64,
    known: Mutex<HashMap<String, i32>>,
    file: Option<Mutex<fs::File>>,
}

impl Referee {
    /// Returns a referee with the bundled network.
    pub(crate) fn new(nodes: u64, file: Option<&Path>) -> anyhow::Result<Self> {
        Self::with_evaluator(evaluator(), nodes, file)
    }
}

impl<E: Evaluator + Clone> Referee<E> {
    /// Returns a referee that searches this number of nodes after each move. Values in `file` are
    /// taken from there, new ones are added.
    pub(crate) fn with_evaluator(
        evaluator: E,
        nodes: u64,
        file: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let mut known = HashMap::new();
        let file = match file {
            None => None,
            Some(path) => {
                let text = if path.exists() { read_text(path, u64::MAX)? } else { String::new() };
                for line in text.lines() {
                    let (key, value) = line.rsplit_once('\t').context("expected KEY<TAB>VALUE")?;
                    known.insert(key.to_owned(), value.parse()?);
                }
                Some(Mutex::new(open_regular_with(
                    OpenOptions::new().create(true).append(true),
                    path,
                )?))
            }
        };
        Ok(Self { evaluator, nodes, known: Mutex::new(known), file })
    }

    /// Returns the number of nodes after each move.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the value of a move for its mover, in centipawns within ±2,000.
    pub(crate) fn value(&self, position: &Position, m: Move) -> anyhow::Result<i32> {
        let key = format!("{position}\t{m}\t{}", self.nodes);
        let locked = || self.known.lock().map_err(|_| anyhow::anyhow!("a thread has panicked"));
        if let Some(&value) = locked()?.get(&key) {
            return Ok(value);
        }
        let mut after = position.clone();
        after.do_move(m);
        let options = SearchOptions { hash_mib: 64, ..SearchOptions::default() };
        let mut search = AlphaBeta::new(self.evaluator.clone(), options);
        let analysis = search.search(&after, &Budget::nodes(self.nodes), &mut |_| {});
        // Without a move the opponent has lost.
        let value = analysis.score().map_or(BOUND, |score| -score.raw()).clamp(-BOUND, BOUND);
        if let Some(mut file) = self.file.as_ref().and_then(|file| file.lock().ok()) {
            writeln!(file, "{key}\t{value}")?;
        }
        locked()?.insert(key, value);
        Ok(value)
    }
}
