//! Books to read, whatever their format.

use std::fs::File;
use std::path::Path;

use anyhow::Context as _;
use komadai::book::{BookFile, BookFormat, BookGraph, DrawValue, GraphBuilder, Store, WorkingBook};
use komadai::kifu::Tolerance;

/// The ending of a working book's name.
pub(crate) const WORKING_BOOK: &str = "kbook";

/// Whether a path names a working book rather than a book file.
pub(crate) fn is_working_book(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(WORKING_BOOK))
}

/// Opens a working book, which must be there.
pub(crate) fn open_store(path: &Path) -> anyhow::Result<Store> {
    Ok(Store::open(path)?)
}

/// Reads a book of any format, or a working book, and propagates its values. What is skipped on the way
/// is told.
pub(crate) fn read_graph(path: &Path) -> anyhow::Result<BookGraph> {
    read_graph_with(path, DrawValue::default())
}

/// As [`read_graph`], with draws that are worth something.
pub(crate) fn read_graph_with(path: &Path, draw: DrawValue) -> anyhow::Result<BookGraph> {
    if is_working_book(path) && draw == DrawValue::default() {
        return Ok(WorkingBook::of_store(open_store(path)?)?.into_graph());
    }
    let mut builder = GraphBuilder::new().draw_value(draw);
    if is_working_book(path) {
        open_store(path)?.for_each_position(|stored| -> anyhow::Result<()> {
            Ok(builder.add(&stored.record)?)
        })?;
        return Ok(builder.finish()?);
    }
    let cannot_read = || format!("cannot read {}", path.display());
    let skipped = if BookFormat::of_file(path)? == BookFormat::Db {
        let file = File::open(path).with_context(cannot_read)?;
        let import = builder.read_db(file, Tolerance::Lenient).with_context(cannot_read)?;
        import.skipped.count()
    } else {
        let mut book = BookFile::open(path, Tolerance::Lenient).with_context(cannot_read)?;
        for record in book.by_ref() {
            builder.add(&record.with_context(cannot_read)?)?;
        }
        book.skipped()
    };
    if skipped > 0 {
        eprintln!("warning: {}: {skipped} faults skipped", path.display());
    }
    Ok(builder.finish()?)
}
