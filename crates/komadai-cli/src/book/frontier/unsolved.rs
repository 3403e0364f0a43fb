//! `book unsolved`: the ends of best lines from positions of lost games.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::bookgraph::BookGame;
use komadai::core::UsiPosition;
use komadai::kifu::{FilesReport, Outcome, Record, RecordFiles, RecordFilesOptions};
use komadai::{Color, Position};
use komadai_console::{Side, note};

use crate::arguments::faults::print_faults;
use crate::book::files::source::read_graph;
use crate::book::frontier::listing::{ListingArgs, Row, print, value_number};

/// List the positions where the book's best lines from the positions of lost games end.
///
/// The book's values of these lines are in doubt, as its side lost the games.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai book unsolved in.db games.csa --side black")]
pub(crate) struct Options {
    /// Book: .db, .ybb, .bin, .sbk or .kbook.
    input: PathBuf,
    /// Games in any format (files, archives, folders).
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Side that played from the book; a game counts if this side lost it.
    #[arg(long, value_enum, default_value_t = Side::Both)]
    side: Side,
    #[command(flatten)]
    listing: ListingArgs,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let graph = read_graph(&options.input)?;
    let (mut lost, mut read, mut lost_moves) = (Vec::new(), 0, 0);
    for path in &options.games {
        let report = read_lost(path, options.side, &mut lost)
            .with_context(|| format!("cannot read {}", path.display()))?;
        read += report.games;
        lost_moves += report.lost_moves;
    }
    let found = graph.unsolved(&lost)?;
    let rows = found.iter().map(|unsolved| {
        let game = &lost[unsolved.number];
        let moves = game.moves[..unsolved.moves_made].to_vec();
        let root = UsiPosition { setup: game.start.clone(), moves };
        Row::new(&unsolved.position, &root, &unsolved.line)
            .with("game", unsolved.number + 1)
            .with("ply", unsolved.moves_made)
            .with("value", value_number(unsolved.value))
    });
    print(rows, options.listing.style(), &[("games", lost.len().into())])?;
    note!("{} positions of {} lost games, of {read} games read", found.len(), lost.len());
    if lost.is_empty() && read > 0 {
        note!("note: the book's side lost none of the games");
    }
    ensure!(
        lost_moves == 0,
        "{lost_moves} moves of games were left out, because a move cannot be made"
    );
    Ok(())
}

/// Adds the games of a file that one of the sides lost, and returns the numbers of all that was
/// read.
fn read_lost(path: &Path, side: Side, lost: &mut Vec<BookGame>) -> anyhow::Result<FilesReport> {
    let mut files = RecordFiles::open(path, RecordFilesOptions::default());
    for found in files.by_ref() {
        let record = found.record.with_context(|| found.place.to_string())?;
        let Outcome::Win(winner) = record.outcome() else { continue };
        // A book has no position that no game reaches.
        if side.colors().contains(&!winner)
            && Position::from_setup(&record.setup).is_ok()
            && record.replay(|_, _| std::ops::ControlFlow::Continue(())).is_ok()
        {
            lost.push(game(&record, winner));
        }
    }
    print_faults(files.skipped());
    Ok(*files.report())
}

fn game(record: &Record, winner: Color) -> BookGame {
    let moves = record.moves.iter().map(|played| played.m).collect();
    BookGame::new(record.setup.clone(), moves, !winner, Some(winner))
}
