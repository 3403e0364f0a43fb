//! Reading `.db` books into a graph.

use std::io::Read;

use komadai_kifu::{Skipped, Tolerance};

use super::book_graph::BookGraph;
use super::builder::{GraphBuilder, Prepared};
use komadai_bookfile::BookError;
use komadai_bookfile::BookRecord;
use komadai_bookfile::EntryError;
use komadai_bookfile::db::{DbBatch, DbBatches};

/// What reading a book into a graph has brought.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct GraphImport {
    /// The number of positions read that have moves.
    pub read: u64,
    /// The number of comments, which a graph does not keep.
    pub comments: u64,
    /// What was skipped; nothing if the reading was strict.
    pub skipped: Skipped<BookError>,
}

/// Some positions of a book, prepared.
struct PreparedBatch {
    /// Each with the line on which it begins.
    positions: Vec<(u64, Result<Prepared, EntryError>)>,
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
            positions: with_moves.map(|(line, record)| (line, Prepared::new(record))).collect(),
            comments: batch.records.iter().map(comments).sum(),
        }
    }
}

impl BookGraph {
    /// Reads a `.db` book into a graph of its own; see [`GraphBuilder::read_db`] for what was skipped.
    ///
    /// # Errors
    ///
    /// As [`GraphBuilder::read_db`].
    #[expect(clippy::missing_panics_doc, reason = "the reader passes on legal moves only")]
    pub fn from_db(source: impl Read, tolerance: Tolerance) -> Result<Self, BookError> {
        let mut builder = GraphBuilder::new();
        builder.read_db(source, tolerance)?;
        Ok(builder.finish().expect("the reader passes on legal moves only"))
    }
}

impl GraphBuilder {
    /// Reads a `.db` book on all cores, in memory that does not depend on its length but for the
    /// positions that are kept.
    ///
    /// # Errors
    ///
    /// If the reading is strict, the first fault; else only if the source fails or the graph is full.
    /// What was read before has been added then.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_bookgraph::GraphBuilder;
    /// use komadai_kifu::Tolerance;
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
        let (mut import, mut unfit) = (GraphImport::default(), Skipped::default());
        // What is read is prepared where it is read, and its text let go there.
        let mut batches = DbBatches::with_work(source, tolerance, PreparedBatch::new);
        for batch in batches.by_ref() {
            let batch = batch?;
            import.comments += batch.comments;
            for (line, prepared) in batch.positions {
                match prepared {
                    Ok(prepared) => {
                        self.take(prepared).map_err(|error| BookError::Full { line, error })?;
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
