//! Fits the predictions of ProbCut: the values of deep searches as linear functions of those of
//! shallow ones, by the progress of the game.
//!
//! ```text
//! komadai-lab fit-probcut search --self-play 180 --folder target/probcut --out search.tsv
//! komadai-lab fit-probcut quiescence
//! ```

mod line;
mod quiescence;
mod search;

use clap::{Args, Subcommand};

/// Fit the predictions by which ProbCut cuts nodes, and report their errors on games that the fit
/// has not seen. Values are in centipawns for the side to move.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    of: Of,
}

#[derive(Debug, Subcommand)]
enum Of {
    Search(search::Arguments),
    Quiescence(quiescence::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.of {
        Of::Search(arguments) => search::run(arguments),
        Of::Quiescence(arguments) => quiescence::run(arguments),
    }
}
