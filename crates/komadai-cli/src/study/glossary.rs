//! `study glossary`.

use std::process::ExitCode;

use clap::Args;
use komadai_study::Source;
use komadai_study::glossary::GlossaryOptions;

use crate::study::output::{CommandLine, Output};

const POSITIONS: usize = 40;
const DEPTH: u32 = 5;
const NODES: u64 = 20_000;
const PROBLEMS: usize = 150;

/// Sentences of a glossary of computer shogi (2009).
///
/// Mate search, pruning, move ordering, selective searches, castles, quiescence, hash keys and the
/// Monte Carlo method, on bundled games and problems. Parts that are done are kept in the folder.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// Number of positions of games.
    #[arg(long, value_name = "N", default_value_t = POSITIONS)]
    positions: usize,
    /// Plies of the searches with one technique more or less.
    #[arg(long, value_name = "PLIES", default_value_t = DEPTH,
          value_parser = clap::value_parser!(u32).range(2..=8))]
    depth: u32,
    /// Nodes of selective searches, and the limit of mate searches.
    #[arg(long, value_name = "N", default_value_t = NODES)]
    nodes: u64,
    /// Number of mate problems, and the largest number of positions without a mate.
    #[arg(long, value_name = "N", default_value_t = PROBLEMS)]
    problems: usize,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let Options { positions, depth, nodes, problems, output } = options;
    let command = CommandLine::new(Source::Glossary)
        .with("positions", positions, &POSITIONS)
        .with("depth", depth, &DEPTH)
        .with("nodes", nodes, &NODES)
        .with("problems", problems, &PROBLEMS);
    let study = GlossaryOptions {
        folder: output.out.join("glossary"),
        positions: *positions,
        depth: *depth,
        nodes: *nodes,
        problems: *problems,
        threads: output.threads(),
    };
    output.write(Source::Glossary, |stop| study.measure(command.text(), stop))
}
