//! `book check` and `book compact`: the file of a working book.

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;

use crate::source::open_store;

/// Checks that the file is sound and that the book's view follows from its log. Ends with code 1 if not.
#[derive(Debug, Args)]
#[command(after_help = "Example: book check grown.kbook")]
pub(crate) struct CheckOptions {
    /// The working book.
    store: PathBuf,
}

/// Gives room that nothing uses back to the system.
#[derive(Debug, Args)]
#[command(after_help = "Example: book compact grown.kbook")]
pub(crate) struct CompactOptions {
    /// The working book.
    store: PathBuf,
}

pub(crate) fn check(options: &CheckOptions) -> anyhow::Result<()> {
    let found = open_store(&options.store)?.check()?;
    println!("{} rows of the log, {} positions", found.log_rows, found.positions);
    if !found.file_was_sound {
        println!("the file was not in order, and is now");
    }
    ensure!(
        found.wrong_positions == 0,
        "{}: {} positions do not follow from the log; `book policy` derives them anew",
        options.store.display(),
        found.wrong_positions
    );
    Ok(())
}

pub(crate) fn compact(options: &CompactOptions) -> anyhow::Result<()> {
    let mut store = open_store(&options.store)?;
    let before = store.size()?.file_bytes;
    store.compact()?;
    println!("{before} bytes before, {} now", store.size()?.file_bytes);
    Ok(())
}
