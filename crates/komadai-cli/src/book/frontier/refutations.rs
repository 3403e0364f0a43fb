//! `book refutations`: best moves that are best only because others were refuted.

use std::path::PathBuf;

use clap::Args;

use crate::listing::{Row, Style, print};
use crate::selection::Selection;
use crate::source::read_graph;

/// Lists positions to which a best move leads that became best only after values were propagated.
///
/// Another move of the position before had been valued better; what follows it has refuted it.
#[derive(Debug, Args)]
#[command(after_help = "Example: book refutations in.db --side black --margin 20")]
pub(crate) struct Options {
    /// The book: .db, .ybb, .bin, .sbk or .kbook.
    input: PathBuf,
    #[command(flatten)]
    selection: Selection,
    /// How much better the refuted move must have been valued, in centipawns.
    #[arg(long, default_value_t = 1)]
    margin: u32,
    /// Say in further columns which move was refuted, and by how much.
    #[arg(long)]
    reasons: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let graph = read_graph(&options.input)?;
    let found = graph.refutations(&options.selection.options()?, options.margin);
    let roots = options.selection.roots.said();
    let rows = found.iter().map(|refutation| {
        Row::of_frontier(&refutation.found, &roots)
            .with("believed", refutation.believed.to_string())
            .with("believed_score", refutation.believed_score.raw())
            .with("believed_now", refutation.score.raw())
    });
    print(rows, Style::new(options.json, options.reasons), &[])?;
    eprintln!("{} positions", found.len());
    Ok(())
}
