//! Evaluations from parameter files, and searchers with them.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use komadai::eval::{Classical, Parameters};
use komadai::prelude::*;
use komadai::search::{AlphaBeta, SearchOptions};

/// Largest difference between the static value and the quiescence value of a quiet position, in
/// centipawns.
pub(crate) const QUIET_CP: i32 = 30;

/// The evaluation to judge.
#[derive(Debug, Args)]
pub(crate) struct Evaluation {
    /// File with the parameters of the evaluation [default: the built-in ones].
    #[arg(long)]
    parameters: Option<PathBuf>,
}

impl Evaluation {
    pub(crate) fn load(&self) -> anyhow::Result<Classical> {
        let Some(path) = &self.parameters else { return Ok(Classical::default()) };
        let name = || path.display().to_string();
        let text = fs::read_to_string(path).with_context(name)?;
        let parameters: Parameters = text.parse().with_context(name)?;
        Ok(Classical::new(&parameters))
    }
}

/// Creates a searcher with standard settings.
pub(crate) fn searcher(evaluator: &Classical) -> AlphaBeta<Classical> {
    AlphaBeta::new(evaluator.clone(), SearchOptions::default())
}

/// Returns a score in centipawns, with mates as ±30,000.
pub(crate) fn centipawns(score: Score) -> i32 {
    score.to_cp().unwrap_or(30_000 * score.raw().signum())
}

/// Returns whether a position is not in check and its static value is close to that of the
/// quiescence search.
pub(crate) fn is_quiet(searcher: &mut AlphaBeta<Classical>, position: &Position) -> bool {
    if position.in_check() {
        return false;
    }
    searcher.new_game();
    let searched = searcher.quiescence(position).score().map(centipawns);
    let fixed = centipawns(searcher.evaluator().evaluate_position(position));
    searched.is_some_and(|searched| (fixed - searched).abs() <= QUIET_CP)
}
