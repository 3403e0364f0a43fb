//! `book convert` and `book sort`: from one format into another.

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use komadai::book::{BookKind, BookSource};
use komadai::bookfile::BookFormat;

use crate::counted::counted;
use crate::output::WriteArgs;
use crate::source::{tolerance, warn_of_source};

/// Writes a book in another format, and says what that format has no place for.
///
/// What IN is, its content tells; what OUT is to be, its name. A .db book is written sorted by the bytes of
/// its positions, as programs need it that search it on disk, and with the number of its positions. OUT
/// appears whole or not at all. A working book (.kbook) is made anew: its values are then known as imported
/// from IN. Values are those that IN states of each move; `book propagate` writes those that follow from the
/// whole book, which an engine is to play from.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    book convert user_book1.db user_book1.ybb\n  \
    book convert book.sbk book.db --memory-mib 1024\n  \
    book convert grown.kbook apery.bin")]
pub(crate) struct Options {
    /// The book to read: .db, .ybb, .bin, .sbk or .kbook.
    input: PathBuf,
    /// The book to write.
    output: PathBuf,
    #[command(flatten)]
    write: WriteArgs,
    /// Refuse a faulty book instead of skipping and counting its faults.
    #[arg(long)]
    strict: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let Options { input, output, write, strict } = options;
    let kind = write.kind(output)?;
    let mut source = BookSource::open(input, tolerance(*strict))?;
    let is_store = source.kind() == BookKind::Store;
    ensure!(
        !is_store || kind != BookKind::Store,
        "{}: a working book already; a copy of the file is a copy of the book",
        input.display()
    );
    let (mut values, mut empty) = (0, 0);
    let records = counted("converting", source.by_ref()).inspect(|record| {
        empty += u64::from(record.as_ref().is_ok_and(|record| record.moves.is_empty()));
        let moves = record.iter().flat_map(|record| &record.moves);
        values += moves.filter(|listed| listed.score.is_some()).count() as u64;
    });
    let written = write.write(records, output, input)?;
    warn_of_source(&source);
    let is_exchanged = matches!(kind, BookKind::File(BookFormat::Db | BookFormat::Ybb));
    if is_exchanged && empty > 0 {
        eprintln!(
            "warning: {}: {empty} positions have no moves; some programs take them for lost",
            output.display()
        );
    }
    if is_store && values > 0 {
        eprintln!(
            "note: who judged, when and with how many nodes is not in the file for {values} values; \
             `book log export` keeps that"
        );
    }
    let figures = [("read", source.read()), ("skipped", source.skipped())];
    write.report(output, &written, &figures);
    Ok(())
}
