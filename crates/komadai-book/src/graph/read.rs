//! Reading `.db` books into a graph.

use std::io::Read;

use komadai_kifu::{Skipped, Tolerance};

use super::builder::GraphBuilder;
use crate::db::DbBatches;
use crate::error::BookError;

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
    /// use komadai_book::GraphBuilder;
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
        let mut import = GraphImport::default();
        let mut batches = DbBatches::new(source, tolerance);
        while let Some(batch) = batches.next() {
            let batch = batch?;
            let line = batch.lines.first().copied().unwrap_or(0);
            for record in &batch.records {
                import.read += u64::from(!record.moves.is_empty());
                let of_moves = record.moves.iter().filter(|listed| !listed.comment.is_empty());
                import.comments += of_moves.count() as u64 + u64::from(!record.comment.is_empty());
            }
            self.add_all(&batch.records).map_err(|error| BookError::Full { line, error })?;
        }
        import.skipped = batches.into_skipped();
        Ok(import)
    }
}
