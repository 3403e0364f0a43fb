//! `book validate`: the faults of a book.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use komadai::book::{BookCheck, check_book};
use komadai::bookfile::LineNumbers;
use komadai_console::{print_json, stdout};
use serde_json::{Value, json};

/// List the faults of a book with their places. Exits with code 1 if there are any.
///
/// Faults are a wrong order (of a .db book), duplicate positions, also in the other orientation,
/// different values of the same move, illegal moves, positions without moves, numbers out of range,
/// violations of the format, and a missing start position. A move without a value is not a fault.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai book validate user_book1.db --json")]
pub(crate) struct Options {
    /// Book: .db, .ybb, .bin, .sbk or .kbook.
    input: PathBuf,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let check = check_book(&options.input)?;
    if options.json {
        print_json(&to_json(&options.input, &check))?;
    } else {
        write!(stdout(), "{}: .{} book\n{check}", options.input.display(), check.kind)?;
    }
    if !check.is_sound() {
        bail!("{}: {} faults", options.input.display(), check.fault_count());
    }
    Ok(())
}

fn to_json(path: &Path, check: &BookCheck) -> Value {
    let found = &check.found;
    let places = |places: &LineNumbers| json!({ "count": places.count(), "first": places.first() });
    let faults: Vec<String> = found.faults.first().iter().map(ToString::to_string).collect();
    let skipped: Vec<&str> = check.skipped_lines.lines().collect();
    json!({
        "input": path.display().to_string(),
        "format": check.kind.to_string(),
        "sound": check.is_sound(),
        "faults": check.fault_count(),
        "positions": found.positions,
        "moves": found.moves,
        "has_start": found.has_start,
        "unsorted": places(&found.unsorted),
        "duplicates": places(&found.duplicates),
        "flipped": places(&found.flipped),
        "contradictions": places(&found.contradictions),
        "illegal_moves": places(&found.illegal_moves),
        "empty": places(&found.empty),
        "unvalued": places(&found.unvalued),
        "no_moves": places(&found.no_moves),
        "out_of_range": places(&found.out_of_range),
        "text_faults": { "count": found.faults.count(), "first": faults },
        "skipped": { "count": check.skipped, "first": skipped },
        "unreached": check.unreached,
    })
}
