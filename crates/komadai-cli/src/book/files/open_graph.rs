//! Opening of a book of any format as a graph with propagated values.

use std::fs::File;
use std::path::Path;

use anyhow::{Context as _, ensure};
use komadai::book::store::Store;
use komadai::book::{BookKind, BookSource, WorkingBook};
use komadai::bookfile::BookFormat;
use komadai::bookgraph::{BookGraph, DrawValue, GraphBuilder};
use komadai::kifu::Tolerance;

/// A fact about a book that is being opened.
#[derive(Debug)]
pub(super) enum OpenEvent<'b> {
    /// A record was read.
    Record,
    /// A `.db` file was read, with this number of faults and a description of the first ones.
    Skipped(u64, String),
    /// A book of another format was read.
    Source(&'b BookSource),
    /// Number of positions that occur more than once, in either orientation.
    Duplicates(u64),
}

/// Reads a book of any format and propagates its values. Faults are skipped and reported as events.
pub(super) fn open_graph(
    path: &Path,
    draw: DrawValue,
    on_event: &mut dyn FnMut(OpenEvent<'_>),
) -> anyhow::Result<BookGraph> {
    let kind = BookKind::of_file(path)?;
    // A working book values draws as 0; for another value its records are read like those of a file.
    if kind == BookKind::Store && draw == DrawValue::default() {
        return Ok(WorkingBook::of_store(Store::open_to_read(path)?)?.into_graph());
    }
    let mut builder = GraphBuilder::new().draw_value(draw);
    let read = match kind {
        BookKind::File(BookFormat::Db) => read_db(path, &mut builder, on_event)?,
        _ => read_records(path, &mut builder, on_event)?,
    };
    let duplicates = read - builder.len() as u64;
    if duplicates > 0 {
        on_event(OpenEvent::Duplicates(duplicates));
    }
    builder.finish().with_context(|| path.display().to_string())
}

/// Adds the positions of a `.db` file, and returns their number.
fn read_db(
    path: &Path,
    builder: &mut GraphBuilder,
    on_event: &mut dyn FnMut(OpenEvent<'_>),
) -> anyhow::Result<u64> {
    let cannot_read = || path.display().to_string();
    let file = File::open(path).with_context(cannot_read)?;
    let import = builder.read_db(file, Tolerance::Lenient).with_context(cannot_read)?;
    on_event(OpenEvent::Skipped(import.skipped.count(), import.skipped.to_string()));
    ensure!(
        import.read > 0 || import.skipped.is_empty(),
        "{}: no position could be read",
        path.display()
    );
    Ok(import.read)
}

/// Adds the records of a book of any format, and returns the number of those with moves.
fn read_records(
    path: &Path,
    builder: &mut GraphBuilder,
    on_event: &mut dyn FnMut(OpenEvent<'_>),
) -> anyhow::Result<u64> {
    let mut source = BookSource::open(path, Tolerance::Lenient)?;
    let mut read = 0;
    for record in source.by_ref() {
        let record = record?;
        on_event(OpenEvent::Record);
        builder.add(&record).with_context(|| path.display().to_string())?;
        read += u64::from(!record.moves.is_empty());
    }
    on_event(OpenEvent::Source(&source));
    Ok(read)
}
