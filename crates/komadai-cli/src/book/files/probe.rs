//! `book probe`: the record of a position.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Args;
use komadai::Position;
use komadai::bookfile::{MoveMark, RecordMove};
use komadai::kifu::Notation;
use komadai_console::{Appearance, bounded_score, print_json, stdout};
use serde_json::{Value, json};

use crate::arguments::position::PositionArgs;
use crate::book::files::lookup::{Lookup, ShownRecord};

/// Show the moves of a position in a book, with their values, and the best line.
///
/// A .db, .ybb or .bin book of any size is searched on disk; a .db must be sorted. A position is
/// also found turned by 180 degrees with the colours exchanged. With --values, the whole book is
/// read and its values are propagated.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai book probe user_book1.db --moves \"7g7f 3c3d\" --notation japanese\n  \
    komadai book probe grown.kbook --values --depth 20")]
pub(crate) struct Options {
    /// Book: .db, .ybb, .bin, .sbk or .kbook.
    input: PathBuf,
    #[command(flatten)]
    position: PositionArgs,
    /// Length of the best line in plies.
    #[arg(long, default_value_t = 8, value_name = "PLIES")]
    depth: usize,
    #[command(flatten)]
    appearance: Appearance,
    /// Show propagated values instead of the stated ones.
    #[arg(long)]
    values: bool,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let position = options.position.position()?;
    let book = if options.values {
        Lookup::propagated(&options.input)?
    } else {
        Lookup::open(&options.input)?
    };
    let shown = book.shown(&position)?;
    let line = book.best_line(&position, options.depth)?;
    let notation = options.appearance.notation_if(options.json);
    let line = notation.line(&position, &line);
    if options.json {
        let record = shown.as_ref().map(|shown| &shown.record);
        let moves = shown.as_ref().map(|shown| moves_json(shown, notation));
        print_json(&json!({
            "sfen": position,
            "found": record.is_some(),
            "comment": record.map(|record| record.comment.as_str()),
            "moves": moves,
            "line": line,
        }))?;
        return Ok(());
    }
    writeln!(stdout(), "{position}")?;
    match shown {
        None => writeln!(stdout(), "not in the book")?,
        Some(shown) => {
            for line in shown.record.comment.lines() {
                writeln!(stdout(), "# {line}")?;
            }
            print_moves(&shown, notation)?;
            writeln!(stdout(), "best line: {line}")?;
        }
    }
    Ok(())
}

/// Prints the moves of a record, a line each, with the signs of values that are bounds.
pub(crate) fn print_moves(shown: &ShownRecord, notation: Notation) -> io::Result<()> {
    let record = &shown.record;
    let number = |number: Option<u32>| number.map_or("-".to_owned(), |number| number.to_string());
    writeln!(stdout(), "{:>8} {:>6} {:>8}  move, expected answer", "value", "depth", "games")?;
    for listed in &record.moves {
        let (m, ponder) = names(&record.position, listed, notation);
        writeln!(
            stdout(),
            "{:>8} {:>6} {:>8}  {m}{}{}{}",
            bounded_score(listed.score, shown.bound(listed.m)),
            number(listed.depth.map(u32::from)),
            number(listed.count),
            listed.mark.map_or("", mark),
            ponder.map_or(String::new(), |ponder| format!(" {ponder}")),
            listed.comment.lines().map(|line| format!("  # {line}")).collect::<String>(),
        )?;
    }
    Ok(())
}

/// Returns the moves of a record as a JSON array.
pub(crate) fn moves_json(shown: &ShownRecord, notation: Notation) -> Value {
    let record = &shown.record;
    let moves = record.moves.iter().map(|listed| {
        let (name, ponder) = names(&record.position, listed, notation);
        json!({
            "move": listed.m,
            "name": name,
            "ponder": ponder,
            "value": listed.score.map(|score| score.raw()),
            "bound": listed.score.map(|_| shown.bound(listed.m)),
            "depth": listed.depth,
            "games": listed.count,
            "mark": listed.mark.map(mark),
            "comment": listed.comment,
        })
    });
    moves.collect()
}

fn names(position: &Position, listed: &RecordMove, notation: Notation) -> (String, Option<String>) {
    let ponder = listed.ponder.map(|ponder| notation.name(&position.after(listed.m), ponder));
    (notation.name(position, listed.m), ponder)
}

fn mark(mark: MoveMark) -> &'static str {
    match mark {
        MoveMark::Forced => "□",
        MoveMark::Good => "!",
        MoveMark::Bad => "?",
        MoveMark::Blunder => "??",
    }
}
