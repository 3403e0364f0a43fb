//! The reader of `.db` books into a graph.

use std::io::Read;

use komadai_bookfile::db::{DbBatch, DbBatches};
use komadai_bookfile::{BookError, BookRecord, EntryError};
use komadai_bookfile::{Skipped, Tolerance};

use super::book_graph::BookGraph;
use super::builder::{GraphBuilder, PreparedRecord};

/// The result of reading a book into a graph.
#[derive(Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct GraphImport {
    /// The number of positions read that have moves.
    pub read: u64,
    /// The number of comments, which a graph does not keep.
    pub comments: u64,
    /// The entries that were skipped; none with [`Tolerance::Strict`].
    pub skipped: Skipped<BookError>,
}

/// Some positions of a book, prepared.
struct PreparedBatch {
    /// The positions, each with the number of its first line.
    positions: Vec<(u64, Result<PreparedRecord, EntryError>)>,
    comments: u64,
}

impl PreparedBatch {
    fn new(batch: DbBatch) -> Self {
        let is_comment = |comment: &String| !comment.is_empty();
        let comments = |record: &BookRecord| {
            let of_moves = record.moves.iter().filter(|listed| is_comment(&listed.comment));
            of_moves.count() as u64 + u64::from(is_comment(&record.comment))
        };
        let lined = batch.lines.iter().copied().zip(&batch.records);
        let with_moves = lined.filter(|(_, record)| !record.moves.is_empty());
        Self {
            positions: with_moves
                .map(|(line, record)| (line, PreparedRecord::new(record)))
                .collect(),
            comments: batch.records.iter().map(comments).sum(),
        }
    }
}

impl BookGraph {
    /// Reads a `.db` book into a new graph. [`GraphBuilder::read_db`] also reports skipped entries.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`GraphBuilder::read_db`].
    #[expect(clippy::missing_panics_doc, reason = "the reader returns legal moves only")]
    pub fn from_db(source: impl Read, tolerance: Tolerance) -> Result<Self, BookError> {
        let mut builder = GraphBuilder::new();
        builder.read_db(source, tolerance)?;
        Ok(builder.finish().expect("the reader returns legal moves only"))
    }
}

impl GraphBuilder {
    /// Reads a `.db` book on all cores. Apart from the positions of the graph, the memory used does
    /// not depend on the length of the book.
    ///
    /// # Errors
    ///
    /// Returns the first fault with [`Tolerance::Strict`]. Otherwise returns an error only if the
    /// source fails or the graph is full. The positions before the error have been added.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_bookgraph::GraphBuilder;
    /// use komadai_bookfile::Tolerance;
    ///
    /// let text = "#YANEURAOU-DB2016 1.00\n\
    ///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
    ///     7g7f none 30 1\n";
    /// let mut builder = GraphBuilder::new();
    /// assert_eq!(builder.read_db(text.as_bytes(), Tolerance::Strict)?.read, 1);
    /// assert_eq!(builder.finish()?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_db(
        &mut self,
        source: impl Read,
        tolerance: Tolerance,
    ) -> Result<GraphImport, BookError> {
        let mut import = GraphImport::default();
        let mut unfit = Skipped::default();
        // The reading threads prepare the records, so that they can free the text at once.
        let mut batches = DbBatches::with_work(source, tolerance, PreparedBatch::new);
        for batch in batches.by_ref() {
            let batch = batch?;
            import.comments += batch.comments;
            for (line, prepared) in batch.positions {
                match prepared {
                    Ok(prepared) => {
                        self.insert(prepared).map_err(|error| BookError::Full { line, error })?;
                        import.read += 1;
                    }
                    Err(EntryError::Position { reason: error, .. })
                        if tolerance == Tolerance::Lenient =>
                    {
                        unfit.add(BookError::Position { line, error });
                    }
                    Err(EntryError::Position { reason: error, .. }) => {
                        return Err(BookError::Position { line, error });
                    }
                    Err(error) => return Err(BookError::Full { line, error }),
                }
            }
        }
        import.skipped = batches.into_skipped();
        import.skipped.append(unfit);
        Ok(import)
    }
}
