//! Reading `.db` books.

use std::io::BufRead;

use komadai_base::reading::LineReader;
use komadai_base::reading::{Skipped, Tolerance};

use super::MAX_LINE_BYTES;
use super::parser::{DbHeader, Numbered, Parser};
use crate::error::BookError;
use crate::line_numbers::LineNumbers;
use crate::record::BookRecord;

/// Reads a `.db` book position by position, in bounded memory.
///
/// A byte order mark and any line ends are accepted, and empty lines are skipped. A comment (`#`,
/// `//`) belongs to the item before it: the book, a position, or a move. A strict reader refuses a
/// missing or different header, illegal and repeated moves, malformed numbers, and a number of
/// positions other than announced; a lenient one skips and counts these faults. A line whose move
/// is `none` is ignored and is not a fault. Numbers outside the range of a record are clamped, and
/// counted, by both.
///
/// For large files [`DbBatches`](crate::db::DbBatches) does the same on all cores.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::db::DbReader;
/// use komadai_bookfile::Tolerance;
///
/// let text = "\
/// ##YANEURAOU-DB2016 1.00
/// sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
/// 7g7f 3c3d 35 18 120
/// ##the usual move
/// 2g2f none none
/// ".replace("##", "#");
/// let mut book = DbReader::new(text.as_bytes(), Tolerance::Strict);
/// let start = book.next().expect("a position")?;
/// assert_eq!((start.ply, book.line()), (Some(1), 2));
/// assert_eq!(start.moves[0].score.map(|score| score.raw()), Some(35));
/// assert_eq!(start.moves[0].comment, "the usual move");
/// assert_eq!(start.moves[1].score, None);
/// assert!(book.clamped_numbers().is_empty());
/// # Ok::<(), komadai_bookfile::BookError>(())
/// ```
#[derive(Debug)]
pub struct DbReader<R> {
    lines: LineReader<R>,
    parser: Parser,
    /// The first line of the record returned last.
    line: u64,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Reading,
    /// The last record has been returned; the number of records has not been checked yet.
    AtEnd,
    Over,
}

impl<R: BufRead> DbReader<R> {
    /// Reads from `reader`.
    pub fn new(reader: R, tolerance: Tolerance) -> Self {
        Self {
            lines: LineReader::new(reader, MAX_LINE_BYTES),
            parser: Parser::new(tolerance),
            line: 0,
            state: State::Reading,
        }
    }

    /// The header of the book. It is complete once the first position has been read.
    pub fn header(&self) -> &DbHeader {
        &self.parser.header
    }

    /// The line on which the position read last starts, from 1; 0 before the first.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The faults skipped so far; none in strict reading.
    pub fn skipped(&self) -> &Skipped<BookError> {
        self.parser.faults.skipped()
    }

    /// The lines of moves with a number out of range: a value beyond ±32,000, a depth above 65,535,
    /// a count above 32 bits, or a negative depth or count. The number is clamped to the range.
    pub fn clamped_numbers(&self) -> &LineNumbers {
        &self.parser.findings.clamped
    }

    /// The next position, or `None` after the last.
    fn next_record(&mut self) -> Result<Option<Numbered>, BookError> {
        if let Some(fault) = self.parser.take_pending() {
            return Err(fault);
        }
        while self.state == State::Reading {
            let number = self.lines.number() + 1;
            let finished = match self.lines.next_line() {
                Ok(Some(line)) => self.parser.read_line(line, number)?,
                Ok(None) => {
                    self.state = State::AtEnd;
                    self.parser.finish()
                }
                Err(fault) => {
                    self.parser.tolerate(fault.into())?;
                    None
                }
            };
            if finished.is_some() {
                return Ok(finished);
            }
        }
        if let Some(stated) = self.parser.header.positions
            && stated != self.parser.found
        {
            self.parser.tolerate(BookError::WrongCount { stated, found: self.parser.found })?;
        }
        Ok(None)
    }
}

impl<R: BufRead> Iterator for DbReader<R> {
    type Item = Result<BookRecord, BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.state == State::Over {
            return None;
        }
        let record = self.next_record();
        if !matches!(record, Ok(Some(_))) {
            self.state = State::Over;
        }
        let (line, record) = match record.transpose()? {
            Ok(numbered) => numbered,
            Err(fault) => return Some(Err(fault)),
        };
        self.line = line;
        Some(Ok(record))
    }
}
