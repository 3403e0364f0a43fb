//! Look-up of positions in books of any format.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use komadai::book::store::Store;
use komadai::book::{BookSource, FileKind};
use komadai::bookfile::{BookError, BookFileError, BookFormat, BookProbe, BookRecord, open_probe};
use komadai::bookgraph::BookGraph;
use komadai::kifu::Tolerance;
use komadai::{Move, Position};

use crate::book::files::source::{read_graph, read_store, warn_of_source};

/// A book for look-ups.
#[derive(Debug)]
pub(crate) enum Lookup {
    /// A file that is searched on disk.
    File(PathBuf, Box<dyn BookProbe>),
    /// A working book.
    Store(Box<Store>),
    /// A book read into memory, by position key.
    Records(HashMap<u64, BookRecord>),
    /// A book with propagated values.
    Graph(Box<BookGraph>),
}

impl Lookup {
    /// Opens a book with its stated values.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        match FileKind::of_book(path)? {
            FileKind::Store => Ok(Self::Store(Box::new(read_store(path)?))),
            FileKind::Book(BookFormat::Sbk) => Self::read(path),
            _ => {
                let probe = open_probe(path).map_err(|error| with_name(path, error))?;
                Ok(Self::File(path.to_owned(), probe))
            }
        }
    }

    /// Reads a book and propagates its values.
    pub(crate) fn propagated(path: &Path) -> anyhow::Result<Self> {
        Ok(Self::Graph(Box::new(read_graph(path)?)))
    }

    /// Reads a book that cannot be searched on disk.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let mut source = BookSource::open(path, Tolerance::Lenient)?;
        let mut records = HashMap::new();
        for record in source.by_ref() {
            let record = record?;
            records.entry(record.position.key()).or_insert(record);
        }
        warn_of_source(&source);
        Ok(Self::Records(records))
    }

    /// Returns the record of a position, in the orientation of the position.
    pub(crate) fn record(&self, position: &Position) -> anyhow::Result<Option<BookRecord>> {
        match self {
            Self::File(path, probe) => {
                probe.probe(position).map_err(|error| with_name(path, error.into()))
            }
            Self::Store(store) => {
                let mut record = store.position(position)?.map(|stored| stored.record);
                // The order of moves in a working book has no meaning.
                record.iter_mut().for_each(BookRecord::sort_best_first);
                Ok(record)
            }
            Self::Records(records) => {
                let turned = || Some(records.get(&position.flipped().key())?.clone().flipped());
                Ok(records.get(&position.key()).cloned().or_else(turned))
            }
            Self::Graph(graph) => Ok(graph.valued_record(position)),
        }
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
