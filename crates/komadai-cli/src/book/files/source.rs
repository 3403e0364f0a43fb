//! Books to read, whatever their format.

use std::fs::File;
use std::path::Path;

use anyhow::Context as _;
use komadai::book::store::Store;
use komadai::book::{AnalystId, BookKind, BookSource, WorkingBook};
use komadai::bookfile::BookFormat;
use komadai::bookgraph::{BookGraph, DrawValue, GraphBuilder};
use komadai::kifu::Tolerance;

use crate::counted::counted;
use crate::warnings::{warn_of_faults, warn_of_unreached};

/// What to do about faults.
pub(crate) fn tolerance(is_strict: bool) -> Tolerance {
    if is_strict { Tolerance::Strict } else { Tolerance::Lenient }
}

/// Opens a working book to write it, which must be there.
pub(crate) fn open_store(path: &Path) -> anyhow::Result<Store> {
    Ok(Store::open(path)?)
}

/// Opens a working book to read it, whoever is writing it.
pub(crate) fn read_store(path: &Path) -> anyhow::Result<Store> {
    Ok(Store::open_to_read(path)?)
}

/// Reads a book of any format, or a working book, and propagates its values. What is skipped on the way
/// is told.
pub(crate) fn read_graph(path: &Path) -> anyhow::Result<BookGraph> {
    read_graph_with(path, DrawValue::default())
}

/// As [`read_graph`], with draws that are worth something.
pub(crate) fn read_graph_with(path: &Path, draw: DrawValue) -> anyhow::Result<BookGraph> {
    let kind = BookKind::of_file(path)?;
    if kind == BookKind::Store && draw == DrawValue::default() {
        return Ok(WorkingBook::of_store(read_store(path)?)?.into_graph());
    }
    let mut builder = GraphBuilder::new().draw_value(draw);
    let read = if kind == BookKind::File(BookFormat::Db) {
        let cannot_read = || path.display().to_string();
        let file = File::open(path).with_context(cannot_read)?;
        let import = builder.read_db(file, Tolerance::Lenient).with_context(cannot_read)?;
        warn_of_faults(path, import.skipped.count(), &import.skipped);
        anyhow::ensure!(
            import.read > 0 || import.skipped.is_empty(),
            "{}: no position could be read",
            path.display()
        );
        import.read
    } else {
        let mut source = BookSource::open(path, Tolerance::Lenient)?;
        let mut read = 0;
        for record in counted("reading", source.by_ref()) {
            let record = record?;
            builder.add(&record).with_context(|| path.display().to_string())?;
            read += u64::from(!record.moves.is_empty());
        }
        warn_of_source(&source);
        read
    };
    let twice = read - builder.len() as u64;
    if twice > 0 {
        eprintln!(
            "warning: {}: {twice} positions stand there before, in this orientation or turned; \
             where values differ the later one counts",
            path.display()
        );
    }
    builder.finish().with_context(|| path.display().to_string())
}

/// Tells what was skipped and what was not come by.
pub(crate) fn warn_of_source(source: &BookSource) {
    let format = match source.kind() {
        BookKind::File(format) => Some(format),
        BookKind::Store => None,
    };
    warn_of_faults(source.path(), source.skipped(), source.skipped_lines());
    warn_of_unreached(source.path(), format, source.unreached());
}

/// The analyst of a store that is named so: by name, by name and version, or by all that is known of
/// it; of several the newest.
pub(crate) fn find_analyst(store: &Store, name: &str) -> anyhow::Result<Option<AnalystId>> {
    let mut analysts = store.analysts()?;
    let is_meant = |id: &AnalystId| {
        let with_version = format!("{} {}", id.name, id.version);
        [id.name.as_str(), with_version.as_str(), id.to_string().as_str()].contains(&name)
    };
    let at = analysts.iter().rposition(is_meant);
    Ok(at.map(|at| analysts.swap_remove(at)))
}
