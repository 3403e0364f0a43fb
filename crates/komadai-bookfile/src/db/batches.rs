//! Reading `.db` books on all cores.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::{fmt, thread};

use komadai_base::reading::{Skipped, Tolerance};

use super::MAX_LINE_BYTES;
use super::blocks::{Block, Blocks};
use super::parser::{DbHeader, Findings, Parser};
use crate::error::BookError;
use crate::fault_place::FaultPlace;
use crate::record::BookRecord;

/// The size of a block in bytes: about 1,500 positions, so that the cost of passing a block to
/// another thread is negligible.
const BLOCK_BYTES: usize = 1 << 18;

/// The usual length of the text of a position with a few moves, in bytes.
const USUAL_RECORD_BYTES: usize = 160;

/// Reads a `.db` book on all cores, some hundred positions at a time, in the order of the file.
///
/// The records, their lines, the faults and their order are those of
/// [`DbReader`](crate::db::DbReader). The text is cut into blocks between positions, and the
/// threads of [rayon](https://docs.rs/rayon)'s current pool read the blocks while the caller works
/// on earlier batches. At most two blocks per thread are in work or waiting. A block is 256 KiB of
/// text and up to eight times that of records: about 5 MiB per thread for a book of any size.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::db::DbBatches;
/// use komadai_bookfile::Tolerance;
///
/// let text = "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n\
///     3c3d none 10\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
///     7g7f 3c3d 35\n";
/// for batch in DbBatches::new(text.as_bytes(), Tolerance::Strict) {
///     let batch = batch?;
///     assert_eq!((batch.records.len(), &batch.lines[..]), (2, &[2, 4][..]));
/// }
/// # Ok::<(), komadai_bookfile::BookError>(())
/// ```
pub struct DbBatches<R, T = DbBatch> {
    blocks: Blocks<R>,
    tolerance: Tolerance,
    work: Arc<Work<T>>,
    /// The blocks being read, in the order of the file.
    jobs: VecDeque<Receiver<thread::Result<Parsed<T>>>>,
    next: NextParser,
    skipped: Skipped<BookError>,
    findings: Findings,
    header: DbHeader,
    found: u64,
    /// The fault that follows the batch returned last.
    fault: Option<BookError>,
    is_over: bool,
}

/// The work on a batch.
type Work<T> = dyn Fn(DbBatch) -> T + Send + Sync;

/// Consecutive positions of a `.db` book.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DbBatch {
    /// The positions, at least one.
    pub records: Vec<BookRecord>,
    /// The lines on which they begin, from 1.
    pub lines: Vec<u64>,
}

/// The parser of the next block.
#[derive(Debug)]
enum NextParser {
    /// The parser of the start of the book, or one that stopped within a record.
    Ready(Box<Parser>),
    /// A new one: the block starts with a record.
    New,
    /// The parser of the block started last, which ends within a record: it must finish first.
    Pending,
}

/// The result of reading a block.
struct Parsed<T> {
    /// The result of the work on the batch; `None` without records.
    output: Option<T>,
    parser: Parser,
    ends_record: bool,
    fault: Option<BookError>,
}

impl<R: Read> DbBatches<R> {
    /// Reads from `source`, which needs no buffering.
    pub fn new(source: R, tolerance: Tolerance) -> Self {
        Self::with_work(source, tolerance, |batch| batch)
    }
}

impl<R: Read, T: Send + 'static> DbBatches<R, T> {
    /// Reads from `source` and yields the result of `work` for each batch.
    ///
    /// The thread that has read a batch also does the work: it runs on all cores, and large records
    /// need not be passed to another thread.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_bookfile::db::DbBatches;
    /// use komadai_bookfile::Tolerance;
    ///
    /// let text = "#YANEURAOU-DB2016 1.00\n\
    ///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
    ///     7g7f 3c3d 35\n\
    ///     2g2f\n";
    /// let count = |batch: komadai_bookfile::db::DbBatch| {
    ///     batch.records.iter().map(|record| record.moves.len()).sum::<usize>()
    /// };
    /// let counts = DbBatches::with_work(text.as_bytes(), Tolerance::Strict, count);
    /// assert_eq!(counts.collect::<Result<Vec<_>, _>>()?, [2]);
    /// # Ok::<(), komadai_bookfile::BookError>(())
    /// ```
    pub fn with_work(
        source: R,
        tolerance: Tolerance,
        work: impl Fn(DbBatch) -> T + Send + Sync + 'static,
    ) -> Self {
        Self::with_block_bytes(source, tolerance, BLOCK_BYTES, work)
    }

    fn with_block_bytes(
        source: R,
        tolerance: Tolerance,
        block_bytes: usize,
        work: impl Fn(DbBatch) -> T + Send + Sync + 'static,
    ) -> Self {
        Self {
            blocks: Blocks::new(source, block_bytes),
            tolerance,
            work: Arc::new(work),
            jobs: VecDeque::new(),
            next: NextParser::Ready(Box::new(Parser::new(tolerance))),
            skipped: Skipped::default(),
            findings: Findings::default(),
            header: DbHeader::default(),
            found: 0,
            fault: None,
            is_over: false,
        }
    }

    /// The header of the book. It is complete with the first batch.
    pub fn header(&self) -> &DbHeader {
        &self.header
    }

    /// The faults skipped up to the batch returned last; none in strict reading.
    pub fn skipped(&self) -> &Skipped<BookError> {
        &self.skipped
    }

    /// The faults skipped, after the end of reading.
    #[must_use]
    pub fn into_skipped(self) -> Skipped<BookError> {
        self.skipped
    }

    pub(crate) fn into_findings(self) -> (Findings, Skipped<BookError>) {
        (self.findings, self.skipped)
    }

    fn next_output(&mut self) -> Result<Option<T>, BookError> {
        loop {
            if let Some(fault) = self.fault.take() {
                return Err(fault);
            }
            self.start_jobs();
            let Some(job) = self.jobs.pop_front() else { break };
            if let Some(output) = self.finish_job(wait_for(&job)) {
                return Ok(Some(output));
            }
        }
        if let Some((error, line)) = self.blocks.take_error() {
            return Err(BookError::Io { place: FaultPlace::Line { line }, error });
        }
        // A block that ended within a record was the last: its record is complete after all.
        if let NextParser::Ready(parser) = &mut self.next
            && let Some((line, record)) = parser.finish()
        {
            let batch = DbBatch { records: vec![record], lines: vec![line] };
            return Ok(Some((self.work)(batch)));
        }
        match self.header.positions {
            Some(stated) if stated != self.found => {
                let fault = BookError::WrongCount { stated, found: self.found };
                if self.tolerance == Tolerance::Strict {
                    return Err(fault);
                }
                self.skipped.add(fault);
            }
            _ => {}
        }
        Ok(None)
    }

    /// Starts jobs until every thread has two.
    fn start_jobs(&mut self) {
        // Two per thread: one in work and one waiting, so that no thread is idle while the caller
        // works on a batch; more would only take memory.
        while self.jobs.len() < 2 * rayon::current_num_threads() {
            if matches!(self.next, NextParser::Pending) {
                return;
            }
            let Some(block) = self.blocks.next_block() else { return };
            let after = if block.ends_record { NextParser::New } else { NextParser::Pending };
            let parser = match std::mem::replace(&mut self.next, after) {
                NextParser::Ready(parser) => *parser,
                NextParser::New | NextParser::Pending => Parser::between(self.tolerance),
            };
            // Room for the one result: the job never waits for the caller.
            let (sender, receiver) = sync_channel(1);
            let work = Arc::clone(&self.work);
            rayon::spawn(move || {
                // A panic is passed to the caller, as the threads of the pool are shared with
                // others.
                let parse = std::panic::AssertUnwindSafe(|| parse(&block, parser, &*work));
                // Sending fails if the caller has dropped the batches.
                let _ = sender.send(std::panic::catch_unwind(parse));
            });
            self.jobs.push_back(receiver);
        }
    }

    fn finish_job(&mut self, parsed: Parsed<T>) -> Option<T> {
        let Parsed { output, mut parser, ends_record, fault } = parsed;
        self.skipped.append(std::mem::take(&mut parser.faults.skipped));
        let findings = std::mem::take(&mut parser.findings);
        self.findings.clamped.append(&findings.clamped);
        self.findings.illegal.append(&findings.illegal);
        self.findings.no_moves.append(&findings.no_moves);
        self.found += std::mem::take(&mut parser.found);
        if parser.has_header {
            self.header.clone_from(&parser.header);
        }
        if !ends_record {
            // The parser holds the first part of the record that the next block continues.
            self.next = NextParser::Ready(Box::new(parser));
        }
        if fault.is_some() {
            // Reading ends here, as it would line by line: the blocks after it must not be seen.
            self.jobs.clear();
            self.fault = fault;
        }
        output
    }
}

impl<R: Read, T: Send + 'static> Iterator for DbBatches<R, T> {
    type Item = Result<T, BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let output = self.next_output();
        self.is_over = !matches!(output, Ok(Some(_)));
        output.transpose()
    }
}

impl<R: fmt::Debug, T> fmt::Debug for DbBatches<R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DbBatches")
            .field("blocks", &self.blocks)
            .field("tolerance", &self.tolerance)
            .field("jobs", &self.jobs.len())
            .field("found", &self.found)
            .finish_non_exhaustive()
    }
}

impl IntoIterator for DbBatch {
    type Item = (u64, BookRecord);
    type IntoIter = std::iter::Zip<std::vec::IntoIter<u64>, std::vec::IntoIter<BookRecord>>;

    /// Returns each record with its line.
    fn into_iter(self) -> Self::IntoIter {
        self.lines.into_iter().zip(self.records)
    }
}

/// Waits for the result of a job.
///
/// A thread of the pool works on other jobs in the meantime: if it only waited, a pool of one
/// thread would be deadlocked.
fn wait_for<T>(job: &Receiver<thread::Result<Parsed<T>>>) -> Parsed<T> {
    let parsed = loop {
        match job.try_recv() {
            Ok(parsed) => break Some(parsed),
            Err(TryRecvError::Disconnected) => break None,
            Err(TryRecvError::Empty) => {}
        }
        match rayon::yield_now() {
            None => break job.recv().ok(),
            Some(rayon::Yield::Executed) => {}
            Some(rayon::Yield::Idle) => thread::yield_now(),
        }
    };
    match parsed.expect("a job sends its result before it ends") {
        Ok(parsed) => parsed,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

fn parse<T>(block: &Block, mut parser: Parser, work: &Work<T>) -> Parsed<T> {
    // Records are large: each growth of the list would copy all of them.
    let expected = block.bytes.len() / USUAL_RECORD_BYTES;
    let mut batch =
        DbBatch { records: Vec::with_capacity(expected), lines: Vec::with_capacity(expected) };
    let fault = parse_lines(block, &mut parser, &mut batch).err();
    let output = (!batch.records.is_empty()).then(|| work(batch));
    Parsed { output, parser, ends_record: block.ends_record, fault }
}

fn parse_lines(block: &Block, parser: &mut Parser, batch: &mut DbBatch) -> Result<(), BookError> {
    let mut keep = |finished: Option<(u64, BookRecord)>| {
        if let Some((line, record)) = finished {
            batch.lines.push(line);
            batch.records.push(record);
        }
    };
    for (line, number) in block.lines() {
        if line.len() > MAX_LINE_BYTES {
            parser.tolerate(BookError::LineTooLong { line: number, limit: MAX_LINE_BYTES })?;
            continue;
        }
        let bom: &[u8] = if number == 1 { b"\xef\xbb\xbf" } else { b"" };
        keep(parser.read_line(line.strip_prefix(bom).unwrap_or(line), number)?);
        if let Some(fault) = parser.take_pending() {
            return Err(fault);
        }
    }
    if block.ends_record {
        keep(parser.finish());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
