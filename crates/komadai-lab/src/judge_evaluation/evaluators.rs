//! Evaluations from parameter files, and searchers with them.

use std::io::BufReader;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use komadai::eval::{Classical, Evaluator};
use komadai::nnue::{Network, Nnue};
use komadai::prelude::*;
use komadai::search::{AlphaBeta, SearchOptions};
use komadai::train::linear::LinearEvaluator;
use komadai_base::file::open_regular;

use crate::evaluators::evaluation;

/// Largest difference between the static value and the quiescence value of a quiet position, in
/// centipawns.
pub(crate) const QUIET_CP: i32 = 30;

/// The evaluation to judge.
#[derive(Debug, Args)]
pub(crate) struct Evaluation {
    /// File with the parameters of the evaluation, or `hand-set` [default: the built-in ones].
    #[arg(long)]
    parameters: Option<PathBuf>,
}

impl Evaluation {
    pub(crate) fn load(&self) -> anyhow::Result<Classical> {
        evaluation(self.parameters.as_deref())
    }
}

/// An evaluation of any kind to judge.
#[derive(Debug, Args)]
pub(crate) struct AnyEvaluation {
    #[command(flatten)]
    classical: Evaluation,
    /// File of a network, instead of parameters.
    #[arg(long, conflicts_with = "parameters")]
    network: Option<PathBuf>,
    /// File of a linear evaluation, as `komadai train compare` writes it, instead of parameters.
    #[arg(long, conflicts_with_all = ["parameters", "network"])]
    linear: Option<PathBuf>,
}

/// The evaluation that was read.
pub(crate) enum Loaded {
    Classical(Arc<Classical>),
    Network(Arc<Nnue>),
    Linear(Arc<LinearEvaluator>),
}

impl AnyEvaluation {
    pub(crate) fn load(&self) -> anyhow::Result<Loaded> {
        if let Some(path) = &self.network {
            let network = Network::open(path).with_context(|| path.display().to_string())?;
            return Ok(Loaded::Network(Arc::new(Nnue::new(network))));
        }
        if let Some(path) = &self.linear {
            let name = || path.display().to_string();
            let file = open_regular(path).with_context(name)?;
            let linear = LinearEvaluator::read(&mut BufReader::new(file)).with_context(name)?;
            return Ok(Loaded::Linear(Arc::new(linear)));
        }
        Ok(Loaded::Classical(Arc::new(self.classical.load()?)))
    }
}

/// Creates a searcher with standard settings.
pub(crate) fn searcher<E: Evaluator>(evaluator: &Arc<E>) -> AlphaBeta<Arc<E>> {
    AlphaBeta::new(Arc::clone(evaluator), SearchOptions::default())
}

/// Returns a score in centipawns, with mates as ±30,000.
pub(crate) fn centipawns(score: Score) -> i32 {
    score.to_cp().unwrap_or(30_000 * score.raw().signum())
}

/// Returns whether a position is not in check and its static value is close to that of the
/// quiescence search.
pub(crate) fn is_quiet<E: Evaluator>(
    searcher: &mut AlphaBeta<Arc<E>>,
    position: &Position,
) -> bool {
    if position.in_check() {
        return false;
    }
    searcher.new_game();
    let searched = searcher.quiescence(position).score().map(centipawns);
    let fixed = centipawns(searcher.evaluator().evaluate_position(position));
    searched.is_some_and(|searched| (fixed - searched).abs() <= QUIET_CP)
}
