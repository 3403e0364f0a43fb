//! `book check` and `book compact`: maintenance of the file of a working book.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use komadai_console::{print_json, stdout};
use serde_json::json;

use crate::book::files::source::open_store;

/// Check that the file is sound and that the positions agree with the log. Exits with code 1 if
/// not.
///
/// Repairs what it can. Commands that read a whole working book, such as `book log export`,
/// `book convert` and `book report`, verify the checksums of the file before and refuse a damaged
/// one, without repairing it.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai book check grown.kbook")]
pub(crate) struct CheckOptions {
    /// Working book.
    store: PathBuf,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

/// Return unused space of the file to the system.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai book compact grown.kbook")]
pub(crate) struct CompactOptions {
    /// Working book.
    store: PathBuf,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

pub(crate) fn check(options: &CheckOptions) -> anyhow::Result<()> {
    let found = open_store(&options.store)?.check()?;
    if options.json {
        print_json(&json!({
            "log_rows": found.log_rows,
            "positions": found.positions,
            "wrong_positions": found.wrong_positions,
            "file_was_sound": found.file_was_sound,
        }))?;
    } else {
        writeln!(stdout(), "{} rows of the log, {} positions", found.log_rows, found.positions)?;
        if !found.file_was_sound {
            writeln!(stdout(), "the file was not in order, and is now")?;
        }
    }
    ensure!(
        found.wrong_positions == 0,
        "{}: {} positions do not agree with the log; `book policy` derives them again",
        options.store.display(),
        found.wrong_positions
    );
    Ok(())
}

pub(crate) fn compact(options: &CompactOptions) -> anyhow::Result<()> {
    let mut store = open_store(&options.store)?;
    let before = store.size()?.file_bytes;
    store.compact()?;
    let after = store.size()?.file_bytes;
    if options.json {
        print_json(&json!({ "bytes_before": before, "bytes": after }))?;
    } else {
        writeln!(stdout(), "{before} bytes before, {after} now")?;
    }
    Ok(())
}
