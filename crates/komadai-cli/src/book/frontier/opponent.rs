//! `book opponent`: virtual games against other books.

use std::path::PathBuf;

use clap::Args;
use komadai::bookgraph::BookGraph;
use komadai::bookgraph::frontier::{DepartureOptions, Leaver, RivalBook};
use komadai::{Position, Score};
use komadai_console::{Side, note, own_moves};

use crate::book::files::source::read_graph;
use crate::book::frontier::listing::{ListingArgs, Row, color_name, print};
use crate::book::frontier::selection::{Roots, positions};

/// Play a book against other books, and list the positions where the book ends.
///
/// The book's own side plays its best move, the rival every move of its book within a window.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: komadai book opponent in.db theirs.db --side black --rival-diff 10"
)]
pub(crate) struct Options {
    /// Book: .db, .ybb, .bin, .sbk or .kbook.
    input: PathBuf,
    /// Books of the rivals.
    #[arg(required = true)]
    rivals: Vec<PathBuf>,
    /// Side that the own book plays.
    #[arg(long, value_enum, default_value_t = Side::Both)]
    side: Side,
    /// Play all best moves of the own side, not only the first.
    #[arg(long)]
    ties: bool,
    /// Maximum loss of a rival's move against the best one of its book, in centipawns.
    #[arg(long, default_value_t = 0)]
    rival_diff: i32,
    /// Maximum move number; later positions are neither played nor listed.
    #[arg(long)]
    max_ply: Option<u32>,
    #[command(flatten)]
    roots: Roots,
    /// List also positions where the rival's book ends first.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    listing: ListingArgs,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let graph = read_graph(&options.input)?;
    let rivals: Vec<BookGraph> =
        options.rivals.iter().map(|path| read_graph(path)).collect::<Result<_, _>>()?;
    let books: Vec<&dyn RivalBook> = rivals.iter().map(|rival| rival as &dyn RivalBook).collect();
    let roots = options.roots.read()?;
    let mut rows = Vec::new();
    for &side in options.side.colors() {
        let games = DepartureOptions {
            roots: positions(&roots),
            own_moves: own_moves(options.ties),
            rival_diff: options.rival_diff,
            max_ply: options.max_ply,
            ..DepartureOptions::new(Position::hirate(), side)
        };
        for end in graph.departures(&books, &games) {
            if end.leaver == Leaver::Own || options.all {
                let leaver = if end.leaver == Leaver::Own { "own" } else { "rival" };
                let row = Row::new(&end.position, &roots[end.root].line, &end.line)
                    .with("side", color_name(side))
                    .with("rival", options.rivals[end.rival].display().to_string())
                    .with("left", leaver)
                    .with("score", end.score.map(Score::raw));
                rows.push(row);
            }
        }
    }
    note!("{} positions", rows.len());
    print(rows.into_iter(), options.listing.style(), &[])?;
    Ok(())
}
