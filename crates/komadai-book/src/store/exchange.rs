//! Import and export of text logs.
//!
//! A text log contains less than a store; [`StoreExport`] counts the difference.

use std::io::{self, BufRead, Read, Write};

use komadai_bookfile::position_key::{PositionKey, turn};
use komadai_bookfile::{BookError, EntryError};
use komadai_core::AnalystId;
use komadai_kifu::{Skipped, Tolerance};

use super::codes::{move_of, position_of, side_of};
use super::damage::run_caller_code;
use super::error::{StoreError, StoreFault};
use super::log_row::{AnalysisRow, LogRow, MoveRow};
use super::reading::log_rows;
use super::tables::{BOOK, GAMES, LOG, LogKey, SNAPSHOTS, TOMBSTONES};
use super::writer::Writer;
use super::{Store, analysts_in};
use crate::files::fingerprint::Fingerprint;
use crate::log_file::{LogReader, LogWriter};
use crate::logged_analysis::LoggedAnalysis;
use crate::merge::{Input, Merged};
use crate::queue::complete_imported;

/// The result of the import of a text log.
#[derive(Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct StoreImport {
    /// The new positions, moves and evaluations.
    pub merged: Merged,
    /// The number of jobs of the queue that the log has done.
    pub jobs_done: usize,
    /// The skipped faults; empty if the reading was strict.
    pub skipped: Skipped<BookError>,
}

/// The number of items written to a text log, and of those that the format cannot hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct StoreExport {
    /// Lines `eval`.
    pub evaluations: u64,
    /// Lines `games`.
    pub moves: u64,
    /// Evaluations with a variation that was cut to its first two moves.
    pub variations_cut: u64,
    /// Analyses that lost other details: the selective depth, the machine, an incomplete search, or
    /// the fact that several lines belong to one analysis.
    pub analyses_cut: u64,
    /// Expected answers to moves without an evaluation, which were omitted.
    pub answers_omitted: u64,
    /// Deletions, which were omitted: the log contains the deleted moves.
    pub deletions_omitted: u64,
    /// Snapshots, which were omitted.
    pub snapshots_omitted: u64,
    /// Games of matches, which were omitted.
    pub games_omitted: u64,
}

impl Store {
    /// Adds the content of a text log in one transaction. Returns `None` and changes nothing if the
    /// same text has been imported before. `name` is the name of the text among the
    /// [inputs](Self::inputs).
    ///
    /// An evaluation that the store contains already, possibly with more details, is not added.
    /// Numbers of games are added, even those of a log that this store has exported. Jobs that the
    /// log has done are marked as done, by whatever lease.
    ///
    /// # Errors
    ///
    /// If the reading is strict, the first fault. Otherwise only if the source fails, the first
    /// line is not that of a log, it has done jobs of another book, or the file cannot be written.
    pub(crate) fn import_log(
        &self,
        reader: impl BufRead,
        name: &str,
        tolerance: Tolerance,
    ) -> Result<Option<StoreImport>, StoreError> {
        self.write_if(|transaction| {
            let mut fingerprint = Fingerprint::new();
            let reader = Fingerprinted { reader, fingerprint: &mut fingerprint };
            let mut lines = LogReader::new(reader, tolerance);
            let mut writer = Writer::open(transaction)?;
            while let Some((change, line)) = run_caller_code(|| lines.next_change())? {
                match writer.apply(&change) {
                    Err(StoreFault(StoreError::Entry(error))) => {
                        lines.skip(entry_fault(error, line))?;
                    }
                    done => done?,
                }
            }
            let (book, done) = lines.jobs();
            let expected = writer.number(BOOK)?;
            if !done.is_empty() && book != Some(expected) {
                return Err(StoreError::OtherBook { found: book.unwrap_or(0), expected }.into());
            }
            let skipped = lines.into_skipped();
            let number = fingerprint.number();
            let input = Input { fingerprint: number, games: 0, name: name.to_owned() };
            // The fingerprint of a stream is known at its end only. The changes of a known text are
            // discarded.
            if !writer.input(&input)? {
                return Ok(None);
            }
            let merged = writer.finish()?;
            let jobs_done = complete_imported(transaction, &done)?;
            Ok(Some(StoreImport { merged, jobs_done, skipped }))
        })
    }

    /// Writes the log as text, with the positions in the order of their keys. Returns the numbers
    /// of written and of omitted items.
    ///
    /// # Errors
    ///
    /// If `out` or the file fails.
    pub fn export_log(&self, out: &mut impl Write) -> Result<StoreExport, StoreError> {
        use redb::ReadableTableMetadata;
        let inputs = self.inputs()?;
        self.read(|transaction| {
            let analysts = analysts_in(transaction)?;
            let mut export = Export { out: LogWriter::new(out), export: StoreExport::default() };
            export.out.header().map_err(output)?;
            for input in &inputs {
                export.out.input(input).map_err(output)?;
            }
            for row in log_rows(transaction.open_table(LOG)?.range::<&LogKey>(..)?, u64::MAX) {
                match row? {
                    (key, _, LogRow::Analysis(row)) => export.analysis(&key, &row, &analysts)?,
                    (key, _, LogRow::Move(row)) => export.known_move(&key, &row)?,
                    (_, _, LogRow::Deleted(_) | LogRow::Restored(_)) => {}
                }
            }
            export.out.out().flush().map_err(output)?;
            Ok(StoreExport {
                deletions_omitted: transaction.open_table(TOMBSTONES)?.len()?,
                snapshots_omitted: transaction.open_table(SNAPSHOTS)?.len()?,
                games_omitted: transaction.open_table(GAMES)?.len()?,
                ..export.export
            })
        })
    }
}

/// A writer of text that counts the written and the omitted items.
struct Export<W> {
    out: LogWriter<W>,
    export: StoreExport,
}

impl<W: Write> Export<W> {
    fn analysis(
        &mut self,
        key: &PositionKey,
        row: &AnalysisRow,
        analysts: &[AnalystId],
    ) -> Result<(), StoreFault> {
        let logged = super::logged_analysis(key, row, analysts)?;
        let LoggedAnalysis { analysis, host, .. } = &logged;
        for (line, row) in analysis.lines.iter().zip(&row.lines) {
            let Some(&m) = line.pv.first() else { continue };
            // The reader would refuse an illegal answer.
            let ponder = line.pv.get(1).copied().filter(|_| row.answer().is_some());
            self.out.evaluation(&logged, line, m, ponder).map_err(output)?;
            self.export.evaluations += 1;
            self.export.variations_cut += u64::from(line.pv.len() > 2);
        }
        let is_cut = analysis.seldepth > 0
            || !host.is_empty()
            || !analysis.completed
            || analysis.lines.len() > 1;
        self.export.analyses_cut += u64::from(is_cut);
        Ok(())
    }

    fn known_move(&mut self, key: &PositionKey, row: &MoveRow) -> Result<(), StoreFault> {
        let corrupt = |reason| StoreFault::corrupt_row("log", key.as_bytes(), reason);
        let side = side_of(row.seen.side).map_err(corrupt)?;
        let position = position_of(key, side, row.seen.ply).map_err(corrupt)?;
        let m = turn(move_of(row.m).map_err(corrupt)?, side);
        self.out.games(&position, m, row.games).map_err(output)?;
        self.export.moves += 1;
        self.export.answers_omitted += u64::from(row.ponder.is_some());
        Ok(())
    }
}

fn output(error: io::Error) -> StoreFault {
    StoreError::Output { error }.into()
}

fn entry_fault(error: EntryError, line: u64) -> BookError {
    match error {
        EntryError::Position { reason: error, .. } => BookError::Position { line, error },
        error => BookError::Full { line, error },
    }
}

/// A reader that computes the fingerprint of the bytes read.
struct Fingerprinted<'f, R> {
    reader: R,
    fingerprint: &'f mut Fingerprint,
}

impl<R: BufRead> Read for Fingerprinted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(buffer)?;
        self.fingerprint.add(&buffer[..length]);
        Ok(length)
    }
}

impl<R: BufRead> BufRead for Fingerprinted<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // The consumed bytes are in the buffer, so this call reads nothing.
        if let Ok(buffer) = self.reader.fill_buf() {
            self.fingerprint.add(&buffer[..amount.min(buffer.len())]);
        }
        self.reader.consume(amount);
    }
}
