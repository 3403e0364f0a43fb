//! `book sort`: a `.db` book in the order that searching on disk needs.

use std::path::PathBuf;

use clap::Args;
use komadai::book::BookSource;
use komadai::bookfile::sorting::SortOptions;
use komadai::bookfile::{BookFormat, WriteOptions, write_book};

use crate::counted::counted;
use crate::output::Written;
use crate::source::{tolerance, warn_of_source};

/// Writes a book as .db, its positions in the order of their bytes, in bounded memory.
///
/// Nothing of a .db book is left out; positions that come twice stay there twice (`book merge` makes one of
/// them).
#[derive(Debug, Args)]
#[command(
    after_help = "Example: book sort unsorted.db sorted.db --memory-mib 512 --temp-dir /fast/disk"
)]
pub(crate) struct Options {
    /// The book to read: .db, .ybb, .bin, .sbk or .kbook.
    input: PathBuf,
    /// The book to write; may be the same.
    output: PathBuf,
    /// The memory for sorting, in MiB. What does not fit goes to temporary files.
    #[arg(long, default_value_t = 64, value_name = "MIB")]
    memory_mib: usize,
    /// Where temporary files go; the system's place for them if left out.
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
        println!("{}", written.to_json(output, &figures));
    } else {
        written.print(output, &[]);
    }
    Ok(())
}
