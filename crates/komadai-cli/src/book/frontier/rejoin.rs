//! `book rejoin`: positions outside the book from which one move leads back.

use std::path::PathBuf;

use clap::Args;
use komadai_console::note;
use serde_json::Value as Json;

use crate::book::files::source::read_graph;
use crate::book::frontier::listing::{ListingArgs, Row, print};
use crate::book::frontier::selection::Selection;

/// List the positions to search next from which a legal move leads back into the book.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai book rejoin in.db --side white --reasons")]
pub(crate) struct Options {
    /// Book: .db, .ybb, .bin, .sbk or .kbook.
    input: PathBuf,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    listing: ListingArgs,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let graph = read_graph(&options.input)?;
    let roots = options.selection.roots.read()?;
    let frontier = graph.frontier(&options.selection.options(&roots));
    let found = graph.rejoins(&frontier);
    let rows = found.iter().map(|rejoin| {
        let moves = rejoin.moves.iter();
        let moves = moves.map(|back| Json::from(format!("{} {}", back.m, back.score.raw())));
        Row::of_frontier(&rejoin.found, &roots).with("back", moves.collect::<Vec<Json>>())
    });
    print(rows, options.listing.style(), &[])?;
    note!("{} of {} positions", found.len(), frontier.len());
    Ok(())
}
