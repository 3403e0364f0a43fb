//! `study hybrid`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use komadai_study::Source;
use komadai_study::hybrid::HybridOptions;

use crate::study::output::{CommandLine, Output};

const POSITIONS: usize = 60;
const NODES: u64 = 12_000;
const REFEREE: u64 = 10;
const PROBLEMS: usize = 60;

/// Alpha-beta and tree search together (ym-shogi).
///
/// Compares the moves of hybrids with those of alpha-beta alone in three kinds of positions, and the
/// mates that each search finds. The claims about games take days: `komadai-lab hybrid-study` plays
/// them, and --log reads its log.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// Number of positions, a third each level, ahead without an attack, and losing.
    #[arg(long, value_name = "N", default_value_t = POSITIONS)]
    positions: usize,
    /// Nodes of each of the two searchers.
    #[arg(long, value_name = "N", default_value_t = NODES)]
    nodes: u64,
    /// Factor of the nodes with which moves are valued.
    #[arg(long, value_name = "N", default_value_t = REFEREE)]
    referee: u64,
    /// Number of mate problems.
    #[arg(long, value_name = "N", default_value_t = PROBLEMS)]
    problems: usize,
    /// Log of `komadai-lab hybrid-study` with games.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let Options { positions, nodes, referee, problems, log, output } = options;
    let command = CommandLine::new(Source::Hybrid)
        .with("positions", positions, &POSITIONS)
        .with("nodes", nodes, &NODES)
        .with("referee", referee, &REFEREE)
        .with("problems", problems, &PROBLEMS)
        .with_files("log", log.as_slice());
    let study = HybridOptions {
        folder: output.out.join("hybrid"),
        positions: *positions,
        nodes: *nodes,
        referee: *referee,
        problems: *problems,
        log: log.clone(),
        threads: output.threads(),
    };
    output.write(Source::Hybrid, |stop| study.measure(command.text(), stop))
}
