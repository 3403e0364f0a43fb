//! `book branches`: the results of each move at a branch of the games of a working book.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::book::games::{BranchMove, BranchPoint, Branches, Mover};
use komadai::report::Diagram;
use komadai::report::book_page::{PageLook, write_branches};
use komadai_console::{Appearance, bad_usage, note, print_json, stdout, write_file_with};
use serde_json::{Value, json};

use crate::book::files::source::{check_is_another, read_store};
use crate::book::frontier::selection::{line_argument, position_of};

/// List the moves that games made at one move number, with the results of the book's side.
///
/// Each position where games parted is shown with wins, draws and losses of every move, as in
/// figures 1 and 2 of Shiba's paper. Positions with colours exchanged count as one.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai book branches my.kbook --ply 1\n  \
    komadai book branches my.kbook --ply 18 --moves \"7g7f 8c8d\" --opponent fairy --html branches.html")]
pub(crate) struct Options {
    /// Working book with games.
    store: PathBuf,
    /// Number of the moves; the first move from the start position has number 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    ply: u32,
    /// Count only games that came through the position after these moves: moves from the start
    /// position, `startpos moves …` or `sfen … moves …`.
    #[arg(long, value_name = "LINE")]
    moves: Option<String>,
    /// Count only games against this opponent.
    #[arg(long, value_name = "NAME")]
    opponent: Option<String>,
    /// Maximum number of positions, those of most games first.
    #[arg(long, default_value_t = 20, value_name = "N")]
    max_positions: usize,
    /// Draw each position as a board of text.
    #[arg(long, conflicts_with_all = ["json", "html"])]
    boards: bool,
    /// Write a page with boards.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    html: Option<PathBuf>,
    #[command(flatten)]
    appearance: Appearance,
    /// Print JSON, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    options.html.iter().try_for_each(|path| check_is_another(&options.store, path))?;
    let mut branches = options.branches()?;
    let store = read_store(&options.store)?;
    let (mut games, mut opponents) = (0_u64, std::collections::BTreeSet::new());
    for game in store.games()? {
        let (number, game) = game?;
        if options.opponent.as_ref().is_none_or(|name| *name == game.opponent) {
            games += 1;
            if let Err(error) = branches.add(&game) {
                note!("warning: {}: game {number} skipped: {error}", options.store.display());
            }
        }
        opponents.insert(game.opponent);
    }
    if let Some(name) = options.opponent.as_ref().filter(|_| games == 0) {
        let known: Vec<String> = opponents.into_iter().collect();
        ensure!(known.is_empty(), "no game against {name:?}; opponents: {}", known.join(", "));
    }
    let mut points = branches.points();
    let all = points.len();
    points.truncate(options.max_positions);
    if points.is_empty() {
        note!("no game of {games} has a move {} there", options.ply);
    }
    if let Some(path) = &options.html {
        let (language, store) = (options.appearance.language(), options.store.display());
        let title = language.choose(
            format!("Move {} of the games of {store}", options.ply),
            format!("{store} の対局の{}手目", options.ply),
        );
        let look = PageLook {
            language,
            notation: options.appearance.notation(),
            command: "komadai book branches BOOK --html PAGE".to_owned(),
        };
        write_file_with(path, |out| write_branches(out, &title, &points, &look))?;
        writeln!(stdout(), "{all} positions: {}", path.display())?;
    } else if options.json {
        print_json(&points.iter().map(point_json).collect())?;
    } else {
        for point in &points {
            if options.boards {
                writeln!(stdout(), "{}", Diagram::kanji(&point.position))?;
            }
            writeln!(stdout(), "{point}")?;
        }
    }
    if all > points.len() {
        note!("{} more positions; --max-positions shows them", all - points.len());
    }
    Ok(())
}

impl Options {
    fn branches(&self) -> anyhow::Result<Branches> {
        let Some(line) = &self.moves else { return Ok(Branches::at(self.ply)) };
        let line = line_argument("--moves", line)?;
        let position = position_of(&line).map_err(bad_usage)?;
        let ply = position.ply();
        if ply > self.ply {
            return Err(bad_usage(format_args!(
                "--ply {} is within --moves, whose next move is {ply}",
                self.ply
            )));
        }
        Branches::after(&position, self.ply).context("--moves")
    }
}

/// Returns a position with its moves as a JSON object.
pub(crate) fn point_json(point: &BranchPoint) -> Value {
    let moves = point.moves.iter().map(|BranchMove { m, results, declarations }| {
        json!({
            "move": m,
            "wins": results.wins,
            "draws": results.draws,
            "losses": results.losses,
            "rate": results.rate(),
            "interval": results.interval(),
            "declarations": declarations,
        })
    });
    json!({
        "sfen": point.position,
        "mover": match point.mover {
            Mover::BookSide => "book side",
            Mover::Opponent => "opponent",
        },
        "moves": moves.collect::<Value>(),
    })
}
