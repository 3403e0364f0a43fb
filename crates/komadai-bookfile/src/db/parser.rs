//! The parser of `.db` books: from lines to records.

use komadai_base::reading::Tolerance;
use komadai_core::Position;

use super::move_line::{MoveLine, ReadMove};
use super::{COUNT_PREFIX, HEADER, MAX_COMMENT_BYTES, POSITION_WORD};
use crate::error::BookError;
use crate::fault_place::FaultPlace;
use crate::fields::part_of;
use crate::line_numbers::LineNumbers;
use crate::record::BookRecord;
use crate::tolerance_state::ToleranceState;

/// Takes the lines of a book one by one and returns each record when the next one starts.
///
/// It does not read the source itself, so that a file can be read as a whole or in blocks.
#[derive(Debug)]
pub(super) struct Parser {
    pub(super) faults: ToleranceState,
    pub(super) findings: Findings,
    /// The header, up to the first position.
    pub(super) header: DbHeader,
    /// True if this parser started with the header.
    pub(super) has_header: bool,
    /// The number of positions, faulty ones included.
    pub(super) found: u64,
    current: Current,
    /// A fault on the line that completed the record returned last.
    pending: Option<BookError>,
}

/// Findings of reading that a validation of the whole book reports.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Lines with a number out of range, which was clamped.
    pub(crate) clamped: LineNumbers,
    /// Lines with an illegal move.
    pub(crate) illegal: LineNumbers,
    /// Lines with a word such as `none` or `resign` in the place of a move.
    pub(crate) no_moves: LineNumbers,
}

/// A record and the line on which it begins.
pub(super) type Numbered = (u64, BookRecord);

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one, and it mostly is the large one")]
enum Current {
    /// The header: no position has started yet.
    Header { has_comment: bool },
    /// The record being read.
    Record(Reading),
    /// A position that could not be read: its moves are skipped.
    Faulty,
    /// No record: the next line must start one.
    Between,
}

#[derive(Debug)]
struct Reading {
    record: BookRecord,
    line: u64,
    comment_bytes: usize,
    /// True if the position or move to which the next comment line belongs has a comment already.
    has_comment: bool,
    /// The previous move was faulty: its comments are skipped as well.
    is_faulty: bool,
}

impl Parser {
    /// A parser for the start of a book.
    pub(super) fn new(tolerance: Tolerance) -> Self {
        Self::starting(tolerance, Current::Header { has_comment: false })
    }

    /// A parser for a block that starts with a position, not the first of the book.
    pub(super) fn between(tolerance: Tolerance) -> Self {
        Self::starting(tolerance, Current::Between)
    }

    fn starting(tolerance: Tolerance, current: Current) -> Self {
        Self {
            faults: ToleranceState::new(tolerance),
            findings: Findings::default(),
            header: DbHeader::default(),
            has_header: matches!(current, Current::Header { .. }),
            found: 0,
            current,
            pending: None,
        }
    }

    /// Reads one line, without its end. Returns the previous record if the line starts another.
    pub(super) fn read_line(
        &mut self,
        bytes: &[u8],
        line: u64,
    ) -> Result<Option<Numbered>, BookError> {
        let Ok(text) = str::from_utf8(bytes) else {
            let fault = BookError::NotUtf8 { line };
            if is_position(bytes.trim_ascii_start()) {
                return self.begin(Err(fault));
            }
            return self.tolerate(fault).map(|()| None);
        };
        let text = text.trim_ascii_start();
        // The line is read further in lenient mode: without a header, the first line may be a
        // position.
        if line == 1 && text.trim_ascii_end() != HEADER {
            let first = text.split_ascii_whitespace().next().unwrap_or_default();
            let first = if first.is_empty() { text } else { first };
            let fault = part_of(text, first, line).error("the header `#YANEURAOU-DB2016 1.00`");
            self.tolerate(fault)?;
        }
        match text.as_bytes() {
            [] => Ok(None),
            [b'#', ..] if line == 1 => {
                self.header.read_count(text);
                Ok(None)
            }
            [b'#', comment @ ..] | [b'/', b'/', comment @ ..] => {
                let comment = &text[text.len() - comment.len()..];
                self.read_comment(text, comment, line).or_else(|fault| self.tolerate(fault))?;
                Ok(None)
            }
            _ if is_position(text.as_bytes()) => self.read_position(text.trim_ascii_end(), line),
            _ => {
                self.read_move(text, line).or_else(|fault| self.tolerate(fault))?;
                Ok(None)
            }
        }
    }

    /// The last record, at the end of the book or of a block of whole records.
    pub(super) fn finish(&mut self) -> Option<Numbered> {
        match std::mem::replace(&mut self.current, Current::Between) {
            Current::Record(reading) => Some((reading.line, reading.record)),
            _ => None,
        }
    }

    /// The fault that was held back until the record before it was returned.
    pub(super) fn take_pending(&mut self) -> Option<BookError> {
        self.pending.take()
    }

    /// Counts a fault, or returns it if the reader must stop there.
    pub(super) fn tolerate(&mut self, fault: BookError) -> Result<(), BookError> {
        if let BookError::IllegalMove { place, .. } = &fault
            && let Some(line) = place.line()
        {
            self.findings.illegal.add(line);
        }
        self.faults.tolerate(fault)
    }

    fn read_position(&mut self, text: &str, line: u64) -> Result<Option<Numbered>, BookError> {
        let position = Position::from_sfen(text);
        self.begin(match position {
            Ok(position) => Ok(Reading {
                record: BookRecord { ply: stated_ply(text), ..BookRecord::new(position) },
                line,
                comment_bytes: 0,
                has_comment: false,
                is_faulty: false,
            }),
            Err(error) => {
                Err(BookError::Sfen { place: FaultPlace::Column { line, column: 1 }, error })
            }
        })
    }

    /// Starts a position, or counts the fault that prevents that. Returns the previous record.
    fn begin(
        &mut self,
        reading: Result<Reading, BookError>,
    ) -> Result<Option<Numbered>, BookError> {
        let previous = self.finish();
        self.found += 1;
        let fault = match reading {
            Ok(reading) => {
                self.current = Current::Record(reading);
                return Ok(previous);
            }
            Err(fault) => fault,
        };
        // The moves that follow must not be added to the previous position.
        self.current = Current::Faulty;
        let tolerated = self.tolerate(fault);
        match previous {
            None => tolerated.map(|()| None),
            Some(_) => {
                // The previous record is returned first; the error follows with the next call.
                self.pending = tolerated.err();
                Ok(previous)
            }
        }
    }

    fn read_move(&mut self, text: &str, line: u64) -> Result<(), BookError> {
        let text = MoveLine { text, line };
        let first = text.first_word();
        let reading = match &mut self.current {
            Current::Record(reading) => reading,
            Current::Header { .. } | Current::Between => {
                return Err(text.error(first, "a position, `sfen …`, before its moves"));
            }
            Current::Faulty => {
                self.faults.skipped.add_consequence();
                return Ok(());
            }
        };
        // Set until the line has been read without a fault, so that every early return leaves it
        // set.
        let was_faulty = std::mem::replace(&mut reading.is_faulty, true);
        let Some(ReadMove { listed, is_clamped }) = text.read(&mut reading.record.position)? else {
            reading.is_faulty = was_faulty;
            self.findings.no_moves.add(line);
            return Ok(());
        };
        if reading.record.moves.iter().any(|known| known.m == listed.m) {
            let place = text.place(first);
            return Err(BookError::DuplicateMove { place, m: listed.m });
        }
        reading.take_room(listed.comment.len() + usize::from(!listed.comment.is_empty()), line)?;
        (reading.is_faulty, reading.has_comment) = (false, !listed.comment.is_empty());
        reading.record.moves.push(listed);
        if is_clamped {
            self.findings.clamped.add(line);
        }
        Ok(())
    }

    fn read_comment(&mut self, text: &str, comment: &str, line: u64) -> Result<(), BookError> {
        match &mut self.current {
            Current::Header { .. } if self.header.read_count(text) => Ok(()),
            Current::Header { has_comment } => {
                check_room(self.header.comment.len() + comment.len() + 1, line)?;
                append_line(&mut self.header.comment, comment, has_comment);
                Ok(())
            }
            Current::Record(reading) if reading.is_faulty => {
                self.faults.skipped.add_consequence();
                Ok(())
            }
            Current::Record(reading) => {
                reading.take_room(comment.len() + 1, line)?;
                let record = &mut reading.record;
                let place = record.moves.last_mut().map_or(&mut record.comment, |m| &mut m.comment);
                append_line(place, comment, &mut reading.has_comment);
                Ok(())
            }
            Current::Faulty | Current::Between => Ok(()),
        }
    }
}

impl Reading {
    fn take_room(&mut self, bytes: usize, line: u64) -> Result<(), BookError> {
        check_room(self.comment_bytes + bytes, line)?;
        self.comment_bytes += bytes;
        Ok(())
    }
}

fn check_room(bytes: usize, line: u64) -> Result<(), BookError> {
    if bytes > MAX_COMMENT_BYTES {
        return Err(BookError::CommentTooLong { line, limit: MAX_COMMENT_BYTES });
    }
    Ok(())
}

/// Adds a line to a comment, which may consist of empty lines only.
fn append_line(comment: &mut String, line: &str, has_comment: &mut bool) {
    if std::mem::replace(has_comment, true) {
        comment.push('\n');
    }
    comment.push_str(line);
}

fn is_position(line: &[u8]) -> bool {
    line.strip_prefix(POSITION_WORD.as_bytes())
        .is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

/// The move number in the line of a valid position: the last word, if it is a number. A board, side
/// or hand is never a number.
fn stated_ply(text: &str) -> Option<u32> {
    text.split_ascii_whitespace().next_back()?.parse().ok()
}

/// The content of a `.db` book before its first position.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct DbHeader {
    /// The announced number of positions (`# NOE:`).
    pub positions: Option<u64>,
    /// The rest of the line of that number, such as `AUTHOR:someone`; usually empty.
    pub more: String,
    /// The other comments, lines separated by `\n`; usually empty.
    pub comment: String,
}

impl DbHeader {
    /// Reads the line that announces the number of positions. Returns false if `line` is another
    /// one.
    pub(super) fn read_count(&mut self, line: &str) -> bool {
        let Some(pairs) = line.strip_prefix(COUNT_PREFIX) else { return false };
        let (count, more) = pairs.split_once(',').unwrap_or((pairs, ""));
        let Ok(count) = count.trim_ascii().parse() else { return false };
        // A second announcement is an ordinary comment, so that writing keeps it.
        if self.positions.is_some() {
            return false;
        }
        self.positions = Some(count);
        self.more = more.trim_ascii().to_owned();
        true
    }
}
