//! Look-up of positions in books of any format.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use komadai::book::store::Store;
use komadai::book::{BookSource, FileKind};
use komadai::bookfile::{BookError, BookFileError, BookFormat, BookProbe, BookRecord, open_probe};
use komadai::bookgraph::BookGraph;
use komadai::core::Bound;
use komadai::kifu::Tolerance;
use komadai::{Move, Position, Score};

use crate::book::files::source::{read_graph, read_store, warn_of_source};

/// A book for look-ups.
#[derive(Debug)]
pub(crate) enum Lookup {
    /// A file that is searched on disk.
    File(SearchedFile),
    /// A working book.
    Store(Box<Store>),
    /// A book read into memory, by position key.
    Records(Records),
    /// A book with propagated values.
    Graph(Box<BookGraph>),
}

/// The records of a book by position key.
type Records = HashMap<u64, BookRecord>;

/// A file that is searched on disk, or read into memory if it is small and not sorted.
#[derive(Debug)]
pub(crate) struct SearchedFile {
    path: PathBuf,
    probe: Box<dyn BookProbe>,
    /// The records, once the order has been found to be wrong.
    records: OnceCell<Records>,
}

/// Largest size of a book that is read into memory because it is not sorted, in bytes.
const MAX_UNSORTED: u64 = 64 << 20;

impl SearchedFile {
    fn record(&self, position: &Position) -> anyhow::Result<Option<BookRecord>> {
        if let Some(records) = self.records.get() {
            return Ok(record_of(records, position));
        }
        match self.probe.probe(position).map_err(BookFileError::from) {
            Err(error) if is_unsorted(&error) && is_small(&self.path) => {
                let records = read_records(&self.path)?;
                Ok(record_of(self.records.get_or_init(|| records), position))
            }
            found => found.map_err(|error| with_name(&self.path, error)),
        }
    }
}

fn is_unsorted(error: &BookFileError) -> bool {
    matches!(error, BookFileError::Content(BookError::UnsortedText { .. }))
}

fn is_small(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.len() <= MAX_UNSORTED)
}

fn read_records(path: &Path) -> anyhow::Result<Records> {
    let mut source = BookSource::open(path, Tolerance::Lenient)?;
    let mut records = HashMap::new();
    for record in source.by_ref() {
        let record = record?;
        records.entry(record.position.key()).or_insert(record);
    }
    warn_of_source(&source);
    Ok(records)
}

/// Returns the record of a position, in the orientation of the position.
fn record_of(records: &Records, position: &Position) -> Option<BookRecord> {
    let turned = || Some(records.get(&position.flipped().key())?.clone().flipped());
    records.get(&position.key()).cloned().or_else(turned)
}

/// A record and the bounds of its values.
#[derive(Debug)]
pub(crate) struct ShownRecord {
    pub(crate) record: BookRecord,
    /// Empty but for working books: the values of book files have no such mark.
    bounds: HashMap<Move, Bound>,
}

impl ShownRecord {
    /// Returns the relation of the value of a move to the true one.
    pub(crate) fn bound(&self, m: Move) -> Bound {
        self.bounds.get(&m).copied().unwrap_or_default()
    }

    /// Returns the highest value of a move and its bound.
    pub(crate) fn best(&self) -> Option<(Score, Bound)> {
        let values = self.record.moves.iter().filter_map(|listed| Some((listed.score?, listed.m)));
        values.max_by_key(|(score, _)| *score).map(|(score, m)| (score, self.bound(m)))
    }
}

impl Lookup {
    /// Opens a book with its stated values.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        match FileKind::of_book(path)? {
            FileKind::Store => Ok(Self::Store(Box::new(read_store(path)?))),
            FileKind::Book(BookFormat::Sbk) => Self::read(path),
            _ => match open_probe(path) {
                Ok(probe) => {
                    let (path, records) = (path.to_owned(), OnceCell::new());
                    Ok(Self::File(SearchedFile { path, probe, records }))
                }
                Err(error) if is_unsorted(&error) && is_small(path) => Self::read(path),
                Err(error) => Err(with_name(path, error)),
            },
        }
    }

    /// Reads a book and propagates its values.
    pub(crate) fn propagated(path: &Path) -> anyhow::Result<Self> {
        Ok(Self::Graph(Box::new(read_graph(path)?)))
    }

    /// Reads a book that cannot be searched on disk.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        Ok(Self::Records(read_records(path)?))
    }

    /// Returns the record of a position, in the orientation of the position.
    pub(crate) fn record(&self, position: &Position) -> anyhow::Result<Option<BookRecord>> {
        match self {
            Self::File(file) => file.record(position),
            Self::Store(store) => {
                let mut record = store.position(position)?.map(|stored| stored.record);
                // The order of moves in a working book has no meaning.
                record.iter_mut().for_each(BookRecord::sort_best_first);
                Ok(record)
            }
            Self::Records(records) => Ok(record_of(records, position)),
            Self::Graph(graph) => Ok(graph.valued_record(position)),
        }
    }

    /// Returns the record of a position with the bounds of its values.
    pub(crate) fn shown(&self, position: &Position) -> anyhow::Result<Option<ShownRecord>> {
        let Some(record) = self.record(position)? else { return Ok(None) };
        let stored = if let Self::Store(store) = self { store.position(position)? } else { None };
        let values = stored.iter().flat_map(|stored| stored.moves());
        let bounds = values.filter_map(|(listed, value)| Some((listed.m, value?.bound))).collect();
        Ok(Some(ShownRecord { record, bounds }))
    }

    /// Returns the line of best moves of both sides, at most `most` moves.
    pub(crate) fn best_line(&self, position: &Position, most: usize) -> anyhow::Result<Vec<Move>> {
        if let Self::Graph(graph) = self {
            return Ok(graph.best_line(position, most));
        }
        let (mut line, mut position) = (Vec::new(), position.clone());
        while line.len() < most {
            let record = self.record(&position)?;
            let Some(best) = record.as_ref().and_then(best_move) else { break };
            line.push(best);
            position.do_move(best);
        }
        Ok(line)
    }
}

/// Returns the move with the highest value, or, without values, the most frequent one; the first of
/// several.
fn best_move(record: &BookRecord) -> Option<Move> {
    let best = record.moves.iter().rev().max_by_key(|listed| (listed.score, listed.count))?;
    Some(best.m)
}

/// Adds the name of the file to an error and, for an unsorted book, the remedy.
fn with_name(path: &Path, error: BookFileError) -> anyhow::Error {
    let name = path.display();
    match error {
        BookFileError::Io { .. } | BookFileError::UnknownFormat { .. } => error.into(),
        BookFileError::Content(BookError::UnsortedText { .. }) => anyhow::Error::new(error)
            .context(format!("{name}: not sorted; `book sort IN OUT` writes a sorted book")),
        error => anyhow::Error::new(error).context(name.to_string()),
    }
}
