//! `book rejoin`: positions outside the book from which one move leads back.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value as Json;

use crate::listing::{Row, Style, print};
use crate::selection::Selection;
use crate::source::read_graph;

/// Lists those of the positions to search next from which a legal move leads back into the book.
#[derive(Debug, Args)]
#[command(after_help = "Example: book rejoin in.db --side white --reasons")]
pub(crate) struct Options {
    /// The book: .db, .ybb, .bin, .sbk or .kbook.
    input: PathBuf,
    #[command(flatten)]
    selection: Selection,
    /// Say in further columns which moves lead back, and what they are worth.
    #[arg(long)]
    reasons: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let graph = read_graph(&options.input)?;
    let frontier = graph.frontier(&options.selection.options()?);
    let found = graph.rejoins(&frontier);
    let roots = options.selection.roots.said();
    let rows = found.iter().map(|rejoin| {
        let moves = rejoin.moves.iter();
        let moves = moves.map(|back| Json::from(format!("{} {}", back.m, back.score.raw())));
        Row::of_frontier(&rejoin.found, &roots).with("back", moves.collect::<Vec<Json>>())
    });
    print(rows, Style::new(options.json, options.reasons), &[])?;
    eprintln!("{} of {} positions", found.len(), frontier.len());
    Ok(())
}
