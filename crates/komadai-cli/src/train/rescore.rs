//! New scores and best moves.

use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use komadai::data::tools::{RescoreOptions, rescore};
use komadai_console::{stop_on_interrupt, threads};

use super::convert::check_names_psv;
use super::evaluation::TeacherEvaluation;
use super::records::{OutputArgs, SourceArgs, report, watched_until};

/// Search every position again, and write the records with new scores and best moves.
///
/// Results and move numbers stay, except with --quiet, where they follow the position. Ctrl-C ends
/// the work; the same command continues, also after a crash. The unfinished work is in OUT.rescored.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai train rescore better.psv data --nodes 20000\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C.")]
pub(super) struct Options {
    /// File to write.
    out: PathBuf,
    #[command(flatten)]
    sources: SourceArgs,
    /// About the nodes per position: a search ends with the iteration that reaches them.
    #[arg(long, default_value_t = 3_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Replace each position by the quiet one at the end of its quiescence search, where no exchange
    /// is pending.
    #[arg(long)]
    quiet: bool,
    /// File of a network that evaluates, or `<classical>`. By default the bundled network.
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
    /// Number of positions that are searched at the same time; by default the number of processors.
    /// It has no influence on the scores.
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    #[command(flatten)]
    output: OutputArgs,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    check_names_psv(&options.out)?;
    let evaluation = TeacherEvaluation::open(options.eval.as_deref())?;
    let wanted = RescoreOptions {
        nodes: options.nodes,
        is_quiet: options.quiet,
        threads: threads(options.threads),
        existing: options.output.existing(),
        ..RescoreOptions::new(evaluation.name())
    };
    let stop = stop_on_interrupt()?;
    let written = watched_until(&stop, "stopped; the same command continues", |watch| {
        let sources = options.sources.open(watch)?;
        match &evaluation {
            TeacherEvaluation::Classical(classical) => {
                rescore(&sources, &options.out, &**classical, &wanted, watch)
            }
            TeacherEvaluation::Network(nnue, _) => {
                rescore(&sources, &options.out, nnue, &wanted, watch)
            }
        }
    })?;
    report(&options.out, &written)
}
