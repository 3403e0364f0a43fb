//! Import of records of book files.

use komadai_bookfile::{BookRecord, ConversionLoss, EntryError, RecordEval};
use komadai_core::{Analysis, AnalystId, Line, Pv};
use komadai_kifu::{Skipped, Tolerance};

use super::Store;
use super::change::{Change, KnownMove};
use super::damage::run_caller_code;
use super::error::{StoreError, StoreFault};
use super::writer::Writer;
use crate::logged_analysis::{LoggedAnalysis, Source};
use crate::merge::{Input, Merged};
use crate::seed::SeededMove;

/// The result of the import of a book.
#[derive(Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RecordsImport {
    /// The number of records.
    pub records: u64,
    /// The new positions, moves and evaluations.
    pub merged: Merged,
    /// The positions and moves that cannot be part of a book; empty if the import was strict.
    pub refused: Skipped<EntryError>,
    /// The content of the records that a store cannot hold: comments, marks, results of games,
    /// evaluations of positions with a line that is not in USI notation, and
    /// [moves](Merged::unheld) without a position after them.
    pub lost: ConversionLoss,
}

impl Store {
    /// Adds a book's records in one transaction, with about 50 bytes of memory a position. Returns
    /// `None` and changes nothing if a source with the same fingerprint has been read before.
    ///
    /// Values become evaluations by `analyst`, counts become games, and evaluations of positions
    /// with a line in USI become analyses by the engine that they name.
    ///
    /// # Errors
    ///
    /// The first error of `records`, or if the file cannot be written. In a strict import also the
    /// first position or move that cannot be part of a book; a lenient import counts them.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::Input;
    /// use komadai_book::store::{Store, StoreError};
    /// use komadai_bookfile::db::DbReader;
    /// use komadai_core::{AnalystId, Position};
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
    ///     let records = records.map(|record| record.map_err(StoreError::from));
    ///     let import = store.import_records(&input, &analyst, records, Tolerance::Strict)?;
    ///     assert_eq!(import.is_some(), is_new);
    /// }
    /// let start = store.position(&Position::hirate())?.expect("it is in the book");
    /// assert_eq!(start.record.moves[0].count, Some(100));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn import_records<E: From<StoreError>>(
        &self,
        input: &Input,
        analyst: &AnalystId,
        records: impl IntoIterator<Item = Result<BookRecord, E>>,
        tolerance: Tolerance,
    ) -> Result<Option<RecordsImport>, E> {
        let mut records = records.into_iter();
        let mut stopped = None;
        let imported = self.write_if(|transaction| {
            let mut writer = Writer::open(transaction)?;
            if !writer.input(input)? {
                return Ok(None);
            }
            let mut import = RecordsImport::default();
            while let Some(record) = run_caller_code(|| records.next()) {
                match record {
                    Ok(record) => import.add(&record, analyst, &mut writer, tolerance)?,
                    Err(error) => {
                        stopped = Some(error);
                        return Ok(None);
                    }
                }
            }
            import.merged = writer.finish()?;
            import.lost.moves = import.merged.unheld as u64;
            Ok(Some(import))
        })?;
        stopped.map_or(Ok(imported), Err)
    }
}

impl RecordsImport {
    fn add(
        &mut self,
        record: &BookRecord,
        analyst: &AnalystId,
        writer: &mut Writer<'_>,
        tolerance: Tolerance,
    ) -> Result<(), StoreFault> {
        self.records += 1;
        self.count_lost(record);
        let analyses = record.evals.iter().filter_map(|eval| analysis_of(record, eval));
        for change in Change::of_record(record, analyst).into_iter().chain(analyses) {
            match writer.apply(&change) {
                Err(StoreFault(StoreError::Entry(error))) if tolerance == Tolerance::Lenient => {
                    let is_position = matches!(error, EntryError::Position { .. });
                    self.refused.add(error);
                    if is_position {
                        // The other changes of the record have the same position and the same
                        // fault.
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

/// An evaluation of a position as an analysis; `None` if its line is not in USI notation.
fn analysis_of(record: &BookRecord, eval: &RecordEval) -> Option<Change> {
    let line = Line::exact(eval.score, line_of(eval)?);
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

/// The move of a position with the number of games in which it was played.
impl From<SeededMove> for Change {
    fn from(seeded: SeededMove) -> Self {
        let SeededMove { position, m, games, .. } = seeded;
        Self::Move(KnownMove { position, m, ponder: None, games })
    }
}
