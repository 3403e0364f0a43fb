//! `book refutations`: best moves that replaced a refuted move.

use std::path::PathBuf;

use clap::Args;
use komadai_console::note;

use crate::book::files::source::read_graph;
use crate::book::frontier::listing::{ListingArgs, Row, print};
use crate::book::frontier::selection::Selection;

/// List positions after best moves that became best only by propagation.
///
/// In the position before, another move had a better stated value, which the moves that follow it
/// in the book have refuted.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai book refutations in.db --side black --margin 20")]
pub(crate) struct Options {
    /// Book: .db, .ybb, .bin, .sbk or .kbook.
    input: PathBuf,
    #[command(flatten)]
    selection: Selection,
    /// Minimum advantage of the refuted move's stated value, in centipawns.
    #[arg(long, default_value_t = 1)]
    margin: u32,
    #[command(flatten)]
    listing: ListingArgs,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let graph = read_graph(&options.input)?;
    let roots = options.selection.roots.read()?;
    let found = graph.refutations(&options.selection.options(&roots), options.margin);
    let rows = found.iter().map(|refutation| {
        Row::of_frontier(&refutation.found, &roots)
            .with("believed", refutation.believed.to_string())
            .with("believed_score", refutation.believed_score.raw())
            .with("believed_now", refutation.score.raw())
    });
    print(rows, options.listing.style(), &[])?;
    note!("{} positions", found.len());
    Ok(())
}
