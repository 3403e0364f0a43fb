//! `book unsolved`: the ends of best lines from positions of lost games.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use komadai::Color;
use komadai::bookgraph::BookGame;
use komadai::core::UsiPosition;
use komadai::kifu::{GameReader, Outcome, Record, Tolerance};

use crate::listing::{Row, Style, print, value_number};
use crate::side::Side;
use crate::source::read_graph;

/// Lists where the book's best lines from every position of lost games end.
///
/// The games went wrong though the book thought well of these lines.
#[derive(Debug, Args)]
#[command(after_help = "Example: book unsolved in.db games.csa --side black")]
pub(crate) struct Options {
    /// The book: .db, .ybb, .bin, .sbk or .kbook.
    input: PathBuf,
    /// Games, in CSA or USI (one a line, with a result word such as `resign`).
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Which side played from the book; a game counts if that side lost it.
    #[arg(long, value_enum, default_value_t = Side::Both)]
    side: Side,
    /// Say in further columns which game and which of its positions it was.
    #[arg(long)]
    reasons: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let graph = read_graph(&options.input)?;
    let (mut lost, mut read) = (Vec::new(), 0);
    for path in &options.games {
        read += read_lost(path, options.side, &mut lost)
            .with_context(|| format!("cannot read {}", path.display()))?;
    }
    let found = graph.unsolved(&lost)?;
    let rows = found.iter().map(|unsolved| {
        let game = &lost[unsolved.number];
        let moves = game.moves[..unsolved.moves_made].to_vec();
        let said = UsiPosition { setup: game.start.clone(), moves };
        Row::new(&unsolved.position, &said, &unsolved.line)
            .with("game", unsolved.number + 1)
            .with("ply", unsolved.moves_made)
            .with("value", value_number(unsolved.value))
    });
    print(rows, Style::new(options.json, options.reasons), &[("games", lost.len().into())])?;
    eprintln!("{} positions of {} lost games, of {read} games read", found.len(), lost.len());
    if lost.is_empty() && read > 0 {
        eprintln!("note: no game says that the book's side lost it");
    }
    Ok(())
}

/// Adds the games of a file that one of the sides lost, and says how many games it has.
fn read_lost(path: &Path, side: Side, lost: &mut Vec<BookGame>) -> anyhow::Result<u64> {
    let mut reader = GameReader::new(BufReader::new(File::open(path)?), Tolerance::Lenient)?;
    let mut read = 0;
    for record in reader.by_ref() {
        let record = record?;
        read += 1;
        let Outcome::Win(winner) = record.outcome() else { continue };
        if side.colors().contains(&!winner)
            && record.replay(|_, _| std::ops::ControlFlow::Continue(())).is_ok()
        {
            lost.push(game(&record, winner));
        }
    }
    match reader.skipped().count() {
        0 => {}
        count => eprintln!("warning: {}: {count} faults skipped", path.display()),
    }
    Ok(read)
}

fn game(record: &Record, winner: Color) -> BookGame {
    BookGame {
        start: record.setup.clone(),
        moves: record.moves.iter().map(|played| played.m).collect(),
        book_side: !winner,
        winner: Some(winner),
        opponent: String::new(),
        generation: 0,
        left_at: None,
        times_ms: Vec::new(),
        scores: Vec::new(),
        ending: String::new(),
        when: 0,
    }
}
