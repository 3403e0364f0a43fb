//! `book sort`: a `.db` book in the order that search on disk requires.

use std::path::PathBuf;

use clap::Args;
use komadai::book::BookSource;
use komadai::bookfile::sorting::SortOptions;
use komadai::bookfile::{BookFormat, WriteOptions, write_book};
use komadai_console::{counted, print_json, tolerance};

use crate::book::files::output::Written;
use crate::book::files::source::{check_keeps_store, warn_of_source};

/// Write a book as .db, sorted by the bytes of its positions, in bounded memory.
///
/// All data of a .db book is kept; duplicate positions stay duplicate (`book merge` unites them).
#[derive(Debug, Args)]
#[command(
    after_help = "Example: komadai book sort unsorted.db sorted.db --memory-mib 512 --temp-dir /fast/disk"
)]
pub(crate) struct Options {
    /// Book to read: .db, .ybb, .bin, .sbk or .kbook.
    input: PathBuf,
    /// Book to write; may be the same file, except for a working book.
    output: PathBuf,
    /// Memory for sorting in MiB; the rest goes to temporary files.
    #[arg(long, default_value_t = 64, value_name = "MIB")]
    memory_mib: usize,
    /// Folder for temporary files; by default that of the system.
    #[arg(long, value_name = "DIR")]
    temp_dir: Option<PathBuf>,
    /// Refuse a faulty book instead of skipping and counting its faults.
    #[arg(long)]
    strict: bool,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let Options { input, output, memory_mib, temp_dir, strict, json } = options;
    check_keeps_store(input, output)?;
    let memory_bytes = memory_mib.saturating_mul(1 << 20);
    let sort = SortOptions { memory_bytes, temp_dir: temp_dir.clone() };
    let mut source = BookSource::open(input, tolerance(*strict))?;
    let records = counted("sorting", source.by_ref());
    let options = WriteOptions { sort, ..WriteOptions::default() };
    let written = write_book(output, BookFormat::Db, records, &options)?;
    warn_of_source(&source);
    let figures = [("read", source.read()), ("skipped", source.skipped())];
    let written = Written { positions: written.positions, lost: written.lost };
    if *json {
        print_json(&written.to_json(output, &figures))?;
    } else {
        written.print(output, &[])?;
    }
    Ok(())
}
