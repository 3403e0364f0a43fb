//! `book probe`: the record of a position.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Args;
use komadai::Position;
use komadai::bookfile::{BookRecord, MoveMark, RecordMove};
use komadai::kifu::Notation;
use serde_json::{Value, json};

use crate::arguments::position::PositionArgs;
use crate::book::files::lookup::Lookup;

use komadai_console::format::signed_score;
use komadai_console::output::{Output, stdout};

/// Show the moves of a position in a book, with their values, and the best line.
///
/// A .db, .ybb or .bin book of any size is searched on disk; a .db must be sorted. A position is also found
/// turned by 180 degrees with the colours exchanged. With --values, the whole book is read and its values
/// are propagated.
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
    /// Notation of moves: usi, japanese (▲７六歩), kif (▲７六歩(77)) or latin (P-7f).
    #[arg(long, default_value_t = Notation::Usi)]
    notation: Notation,
    /// Show propagated values instead of the stated ones.
    #[arg(long)]
    values: bool,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let position = options.position.position()?;
    let book = match options.values {
        true => Lookup::propagated(&options.input)?,
        false => Lookup::open(&options.input)?,
    };
    let record = book.record(&position)?;
    let line = book.best_line(&position, options.depth)?;
    let line = options.notation.line(&position, &line);
    if options.json {
        let moves = record.as_ref().map(|record| moves_json(record, options.notation));
        writeln!(
            Output::json(),
            "{}",
            json!({
                "sfen": position.to_string(),
                "found": record.is_some(),
                "comment": record.as_ref().map(|record| record.comment.as_str()),
                "moves": moves,
                "line": line,
            })
        )?;
        return Ok(());
    }
    writeln!(stdout(), "{position}")?;
    match record {
        None => writeln!(stdout(), "not in the book")?,
        Some(record) => {
            for line in record.comment.lines() {
                writeln!(stdout(), "# {line}")?;
            }
            print_moves(&record, options.notation)?;
            writeln!(stdout(), "best line: {line}")?;
        }
    }
    Ok(())
}

/// Prints the moves of a record, a line each.
pub(crate) fn print_moves(record: &BookRecord, notation: Notation) -> io::Result<()> {
    let number = |number: Option<u32>| number.map_or("-".to_owned(), |number| number.to_string());
    writeln!(stdout(), "{:>8} {:>6} {:>8}  move, expected answer", "value", "depth", "games")?;
    for listed in &record.moves {
        let (m, ponder) = names(&record.position, listed, notation);
        writeln!(
            stdout(),
            "{:>8} {:>6} {:>8}  {m}{}{}{}",
            signed_score(listed.score),
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
pub(crate) fn moves_json(record: &BookRecord, notation: Notation) -> Value {
    let moves = record.moves.iter().map(|listed| {
        let (name, ponder) = names(&record.position, listed, notation);
        json!({
            "move": listed.m.to_string(),
            "name": name,
            "ponder": ponder,
            "value": listed.score.map(|score| score.raw()),
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
