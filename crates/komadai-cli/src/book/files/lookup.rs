//! Looking positions up, whatever the book is.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use komadai::book::store::Store;
use komadai::book::{BookKind, BookSource};
use komadai::bookfile::{BookError, BookFileError, BookFormat, BookProbe, BookRecord, open_probe};
use komadai::bookgraph::BookGraph;
use komadai::kifu::Tolerance;
use komadai::{Move, Position};

use crate::source::{read_graph, read_store, warn_of_source};

/// A book that is asked for positions.
#[derive(Debug)]
pub(crate) enum Lookup {
    /// A file, searched where it lies.
    File(PathBuf, Box<dyn BookProbe>),
    /// A working book.
    Store(Box<Store>),
    /// A book read whole, by key.
    Records(HashMap<u64, BookRecord>),
    /// A book with the values that follow.
    Graph(Box<BookGraph>),
}

impl Lookup {
    /// Opens a book with the values that it states.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        match BookKind::of_file(path)? {
            BookKind::Store => Ok(Self::Store(Box::new(read_store(path)?))),
            BookKind::File(BookFormat::Sbk) => Self::read(path),
            BookKind::File(_) => {
                let probe = open_probe(path).map_err(|error| in_order(path, error))?;
                Ok(Self::File(path.to_owned(), probe))
            }
        }
    }

    /// Reads a book with the values that follow from all of it.
    pub(crate) fn propagated(path: &Path) -> anyhow::Result<Self> {
        Ok(Self::Graph(Box::new(read_graph(path)?)))
    }

    /// Reads the whole book: one that cannot be searched.
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

    /// What the book has of a position, in its orientation.
    pub(crate) fn record(&self, position: &Position) -> anyhow::Result<Option<BookRecord>> {
        match self {
            Self::File(path, probe) => {
                probe.probe(position).map_err(|error| in_order(path, error.into()))
            }
            Self::Store(store) => {
                let mut record = store.position(position)?.map(|stored| stored.record);
                // A working book keeps its moves in no order that tells anything.
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

    /// The moves that follow if both sides play the best, at most `most` of them.
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

/// The move of the highest value, or, where no value is known, the one made most often; the first of
/// several.
pub(crate) fn best_move(record: &BookRecord) -> Option<Move> {
    let best = record.moves.iter().rev().max_by_key(|listed| (listed.score, listed.count))?;
    Some(best.m)
}

/// Says which file it is, and what helps.
fn in_order(path: &Path, error: BookFileError) -> anyhow::Error {
    let name = path.display();
    match error {
        BookFileError::Io { .. } | BookFileError::UnknownFormat { .. } => error.into(),
        BookFileError::Content(BookError::UnsortedText { .. }) => anyhow::Error::new(error)
            .context(format!("{name}: not sorted, `book sort IN OUT` makes a sorted book")),
        error => anyhow::Error::new(error).context(name.to_string()),
    }
}
