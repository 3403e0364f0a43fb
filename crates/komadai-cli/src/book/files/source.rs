//! Books to read, of any format.

use std::fs;
use std::path::Path;

use komadai::book::queue::{JobCounts, JobQueue as _, QueueError, QueueOptions};
use komadai::book::store::Store;
use komadai::book::{BookSource, FileKind, LoadOptions, load_graph};
use komadai::bookgraph::{BookGraph, DrawValue};
use komadai::core::AnalystId;
use komadai_console::{Counter, bad_usage, note, warn_of_faults, warn_of_unreached};

/// Opens an existing working book for writing.
pub(crate) fn open_store(path: &Path) -> anyhow::Result<Store> {
    Ok(Store::open(path)?)
}

/// Opens an existing working book for reading, which works while another process writes it.
pub(crate) fn read_store(path: &Path) -> anyhow::Result<Store> {
    Ok(Store::open_to_read(path)?)
}

/// Reads a book of any format and propagates its values. Prints warnings about skipped faults.
pub(crate) fn read_graph(path: &Path) -> anyhow::Result<BookGraph> {
    read_graph_with(path, DrawValue::default())
}

/// Reads a book like [`read_graph`], with a value for draws.
pub(crate) fn read_graph_with(path: &Path, draw: DrawValue) -> anyhow::Result<BookGraph> {
    let mut counter = None;
    let options = LoadOptions { draw, ..LoadOptions::default() };
    let mut on_record = || counter.get_or_insert_with(|| Counter::new("reading")).tick();
    let loaded = load_graph(path, &options, &mut on_record)?;
    counter.iter().for_each(Counter::finish);
    warn_of_faults(path, loaded.faults, &loaded.fault_lines);
    warn_of_unreached(path, loaded.kind.book_format(), loaded.unreached);
    if loaded.repeated > 0 {
        note!(
            "warning: {}: {} positions occur more than once, in this orientation or turned; \
             where their values differ, the last one counts",
            path.display(),
            loaded.repeated
        );
    }
    Ok(loaded.graph)
}

/// Prints warnings about skipped faults and about moves that could not be reached.
pub(crate) fn warn_of_source(source: &BookSource) {
    warn_of_faults(source.path(), source.skipped(), source.skipped_lines());
    warn_of_unreached(source.path(), source.kind().book_format(), source.unreached());
}

/// Returns the analyst of a store with the given name: the one that is printed so, otherwise the
/// newest of those that a part of it [names](AnalystId::is_named).
pub(crate) fn find_analyst(store: &Store, name: &str) -> anyhow::Result<Option<AnalystId>> {
    let mut analysts = store.analysts()?;
    let is_printed_so = |id: &AnalystId| id.to_string() == name;
    let at = analysts.iter().rposition(is_printed_so);
    let at = at.or_else(|| analysts.iter().rposition(|id| id.is_named(name)));
    Ok(at.map(|at| analysts.swap_remove(at)))
}

/// Refuses an output that is the book itself, under this or another name: the book would be lost.
pub(crate) fn check_is_another(book: &Path, output: &Path) -> anyhow::Result<()> {
    let real = |path: &Path| fs::canonicalize(path).ok();
    if real(output).is_some_and(|output| Some(output) == real(book)) {
        return Err(bad_usage(format_args!(
            "{}: the book itself, expected another file to write",
            output.display()
        )));
    }
    Ok(())
}

/// Refuses an output that is a working book from which records are read. Other books may be
/// rewritten in place, because they contain nothing else.
pub(crate) fn check_keeps_store(book: &Path, output: &Path) -> anyhow::Result<()> {
    match FileKind::of_file(book) {
        Ok(FileKind::Store) => check_is_another(book, output),
        _ => Ok(()),
    }
}

/// Runs a command that creates the working book if there is none. If the command fails before
/// anything is in a book that it has created, the book is removed again.
pub(crate) fn without_empty_rest<T>(
    book: &Path,
    run: impl FnOnce() -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let is_new = fs::symlink_metadata(book).is_err();
    run().inspect_err(|_| {
        let opened = || has_nothing(&Store::open(book)?);
        if is_new && opened().unwrap_or(false) {
            // The error of the command is more useful than one of this removal.
            let _ = fs::remove_file(book);
        }
    })
}

/// Returns whether nothing has been added to a store. Snapshots say nothing without positions.
fn has_nothing(store: &Store) -> Result<bool, QueueError> {
    let size = store.size()?;
    let jobs = store.queue(QueueOptions::default()).counts()?;
    let has_rows = size.log_rows > 0 || size.games > 0;
    Ok(!has_rows && store.inputs()?.is_empty() && jobs == JobCounts::default())
}
