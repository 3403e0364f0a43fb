//! `study shiba`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::{Args, Parser as _};
use komadai_study::{Source, shiba};

use crate::book::growth::generations::{GrowthArguments, ended, grow_generations};
use crate::study::output::{CommandLine, Output};

const GAMES: u32 = 30;
const GENERATIONS: u32 = 5;
const NODES: u64 = 1_500;

/// A book grown by games and pruned by results (Shiba).
///
/// Plays generations of games of the embedded engine with a book against the evaluation `Classical`
/// without one, or reads the games of a book that `komadai book shiba` or `book match` has grown.
/// The book of the study is kept in the folder and continued.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// Working book with games (.kbook), in place of playing.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "generations", "nodes"])]
    book: Option<PathBuf>,
    /// Number of games in a generation.
    #[arg(long, value_name = "N", default_value_t = GAMES)]
    games: u32,
    /// Number of generations.
    #[arg(long, value_name = "K", default_value_t = GENERATIONS,
          value_parser = clap::value_parser!(u32).range(2..=50))]
    generations: u32,
    /// Nodes of a move; added positions have thirteen times as many.
    #[arg(long, value_name = "N", default_value_t = NODES)]
    nodes: u64,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let Options { book, games, generations, nodes, output } = options;
    let command = CommandLine::new(Source::Shiba)
        .with("games", games, &GAMES)
        .with("generations", generations, &GENERATIONS)
        .with("nodes", nodes, &NODES)
        .with_files("book", book.as_slice());
    output.write(Source::Shiba, |stop| match book {
        Some(book) => shiba::findings(book, command.text()),
        None => {
            let folder = output.out.join("shiba");
            komadai_console::create_folder(&folder)?;
            let path = folder.join(format!("{games}x{generations}-{nodes}.kbook"));
            play(options, &path, stop)?;
            shiba::findings(&path, command.text())
        }
    })
}

/// Plays the generations that the book does not have yet.
fn play(options: &Options, path: &Path, stop: &Arc<AtomicBool>) -> anyhow::Result<()> {
    let Options { games, generations, nodes, output, .. } = options;
    let limit = format!("classical:nodes={nodes}");
    let threads = output.threads().to_string();
    let [games, generations, nodes, extend] =
        [u64::from(*games), u64::from(*generations), *nodes, nodes.saturating_mul(13)]
            .map(|number| number.to_string());
    // The cell of docs/shiba.md with the longest lines.
    let growth = GrowthArguments::try_parse_from([
        "growth",
        "--opponent",
        "classical=komadai:EvalFile=<classical>",
        "--opponent-limit",
        &limit,
        "--nodes",
        &nodes,
        "--extend-nodes",
        &extend,
        "--keep-played",
        "30",
        "--multi-pv",
        "2",
        "--hash-mib",
        "8",
        "--games",
        &games,
        "--generations",
        &generations,
        "--concurrency",
        &threads,
        "--processes",
        &threads,
        "--adjudicate",
        "1500",
    ])?;
    ended(grow_generations(path, &growth, stop)?)
}
