//! Taking in books and the openings of games.

use std::error::Error;

use komadai_core::{Analysis, Bound, Line, Pv};
use komadai_kifu::{Skipped, Tolerance};

use super::Store;
use super::change::{Change, KnownMove};
use super::error::{Fault, StoreError};
use super::fence::made_by_the_caller;
use super::writer::Writer;
use crate::analyst::AnalystId;
use crate::evaluation::Source;
use crate::input::Input;
use crate::logged_analysis::LoggedAnalysis;
use crate::merge::Merged;
use crate::seed::SeededMove;
use komadai_bookfile::{BookRecord, ConversionLoss, EntryError, RecordEval};

/// What taking in a book has brought.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct RecordsImport {
    /// The number of records.
    pub records: u64,
    /// What of them was new.
    pub merged: Merged,
    /// What cannot be part of a book; nothing if the import was strict.
    pub refused: Skipped<EntryError>,
    /// What records say and a store has no place for: comments, marks, results of games, and
    /// judgements whose line is not written in USI.
    pub lost: ConversionLoss,
}

/// Why a book cannot be taken in. Nothing of it has been then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError<E: Error + 'static> {
    /// The source of records failed.
    #[error(transparent)]
    Records(E),
    /// The store, or, if the import is strict, something that cannot be part of a book.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Adds a book's records, all or nothing: one transaction, in memory that does not depend on their
    /// number but for some 50 bytes a position. `None`, and no change, if a source of the same
    /// fingerprint has been read before.
    ///
    /// Values become evaluations by `analyst`, counts become games, and judgements with a line in
    /// USI become analyses by the engine that they name.
    ///
    /// # Errors
    ///
    /// The first error of `records`, or if the file cannot be written; in a strict import also the
    /// first position or move that cannot be part of a book, which a lenient one counts.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::{AnalystId, Input};
    /// use komadai_book::store::Store;
    /// use komadai_bookfile::BookError;
    /// use komadai_bookfile::db::DbReader;
    /// use komadai_core::Position;
    /// use komadai_kifu::Tolerance;
    ///
    /// let text = "#YANEURAOU-DB2016 1.00\n\
    ///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
    ///     7g7f none 30 12 100\n";
    /// let folder = tempfile::tempdir()?;
    /// let store = Store::create(folder.path().join("book.kbook"))?;
    /// let input = Input { fingerprint: 1, games: 0, name: "a.db".to_owned() };
    /// let analyst = AnalystId::new("imported from a.db", "");
    /// for is_new in [true, false] {
    ///     let records = DbReader::new(text.as_bytes(), Tolerance::Strict);
    ///     let import = store.import_records(&input, &analyst, records, Tolerance::Strict)?;
    ///     assert_eq!(import.is_some(), is_new);
    /// }
    /// let start = store.position(&Position::hirate())?.expect("it was in the book");
    /// assert_eq!(start.record.moves[0].count, Some(100));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn import_records<E: Error + 'static>(
        &self,
        input: &Input,
        analyst: &AnalystId,
        records: impl IntoIterator<Item = Result<BookRecord, E>>,
        tolerance: Tolerance,
    ) -> Result<Option<RecordsImport>, ImportError<E>> {
        let mut stopped = None;
        let imported = self.write_if(|transaction| {
            let mut writer = Writer::open(transaction)?;
            if !writer.input(input)? {
                return Ok(None);
            }
            let mut import = RecordsImport::default();
            for record in made_by_the_caller(records) {
                match record {
                    Ok(record) => import.add(&record, analyst, &mut writer, tolerance)?,
                    Err(error) => {
                        stopped = Some(error);
                        return Ok(None);
                    }
                }
            }
            import.merged = writer.finish()?;
            Ok(Some(import))
        })?;
        stopped.map_or(Ok(imported), |error| Err(ImportError::Records(error)))
    }
}

impl RecordsImport {
    fn add(
        &mut self,
        record: &BookRecord,
        analyst: &AnalystId,
        writer: &mut Writer<'_>,
        tolerance: Tolerance,
    ) -> Result<(), Fault> {
        self.records += 1;
        self.count_lost(record);
        let judgements = record.evals.iter().filter_map(|eval| judgement(record, eval));
        for change in Change::of_record(record, analyst).into_iter().chain(judgements) {
            match writer.apply(&change) {
                Err(Fault(StoreError::Entry(error))) if tolerance == Tolerance::Lenient => {
                    let is_position = matches!(error, EntryError::Position { .. });
                    self.refused.add(error);
                    if is_position {
                        // It is said once; nothing else of the record fits either.
                        return Ok(());
                    }
                }
                done => done?,
            }
        }
        Ok(())
    }

    fn count_lost(&mut self, record: &BookRecord) {
        let lost = &mut self.lost;
        lost.comments += u64::from(!record.comment.is_empty());
        lost.results += u64::from(record.results.is_some());
        let evals = record.evals.iter().filter(|eval| line_of(eval).is_none());
        lost.evals += evals.count() as u64;
        for listed in &record.moves {
            lost.comments += u64::from(!listed.comment.is_empty());
            lost.marks += u64::from(listed.mark.is_some());
        }
        lost.positions += u64::from(record.moves.is_empty() && record.evals.is_empty());
    }
}

/// A judgement of a position as an analysis, if its line can be read.
fn judgement(record: &BookRecord, eval: &RecordEval) -> Option<Change> {
    let line = Line { score: eval.score, bound: Bound::Exact, pv: line_of(eval)? };
    let analysis = Analysis {
        depth: eval.depth,
        seldepth: eval.seldepth,
        nodes: eval.nodes,
        lines: vec![line],
        completed: true,
        ..Analysis::default()
    };
    let analyst = AnalystId::new(eval.engine.clone(), "");
    let logged = LoggedAnalysis::new(record.position.clone(), analysis, analyst);
    Some(Change::Analysis(LoggedAnalysis { source: Source::Import, ..logged }))
}

fn line_of(eval: &RecordEval) -> Option<Pv> {
    eval.variation.parse().ok().filter(|line: &Pv| !line.is_empty())
}

/// Of a move of games its position, and in how many games it was made.
impl From<SeededMove> for Change {
    fn from(seeded: SeededMove) -> Self {
        let SeededMove { position, m, games, .. } = seeded;
        Self::Move(KnownMove { position, m, ponder: None, games })
    }
}
