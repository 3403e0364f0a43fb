//! `book convert`: a book in another format.

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use komadai::book::{BookSource, FileKind};
use komadai::bookfile::BookFormat;
use komadai_console::{counted, note, tolerance};

use crate::book::files::output::WriteArgs;
use crate::book::files::source::{check_keeps_store, warn_of_source};

/// Write a book in another format, and report the data that this format cannot hold.
///
/// The format of IN is recognised by its content, that of OUT by its name. A .db book is written
/// with the number of its positions and sorted by the bytes of its positions, for programs that
/// search it on disk. OUT is written completely or not at all. A working book (.kbook) is created;
/// its values are marked as imported from IN. Values are the stated values of IN; `book propagate`
/// writes propagated values, from which an engine should play.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai book convert user_book1.db user_book1.ybb\n  \
    komadai book convert book.sbk book.db --memory-mib 1024\n  \
    komadai book convert grown.kbook apery.bin")]
pub(crate) struct Options {
    /// Book to read: .db, .ybb, .bin, .sbk or .kbook.
    input: PathBuf,
    /// Book to write.
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
    check_keeps_store(input, output)?;
    let mut source = BookSource::open(input, tolerance(*strict))?;
    let is_store = source.kind() == FileKind::Store;
    ensure!(
        !is_store || kind != FileKind::Store,
        "{}: already a working book; a copy of the file is a copy of the book",
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
    let is_exchanged = matches!(kind, FileKind::Book(BookFormat::Db | BookFormat::Ybb));
    if is_exchanged && empty > 0 {
        note!(
            "warning: {}: {empty} positions have no moves; some programs treat them as lost",
            output.display()
        );
    }
    if is_store && values > 0 {
        note!(
            "note: the file does not contain engine, time and nodes of {values} values; \
             `book log export` keeps them"
        );
    }
    let figures = [("read", source.read()), ("skipped", source.skipped())];
    write.report(output, &written, &figures)?;
    Ok(())
}
