//! Binary search in `.db` books.
//!
//! Such a file is sorted by the bytes of its positions' texts, with the move numbers. A byte in the
//! middle of the file is usually not the start of a line: the search continues from there to the
//! next line that states a position.

use std::borrow::Cow;
use std::io::{BufReader, Read};

use komadai_base::reading::Tolerance;
use komadai_core::Position;

use super::{BookProbe, sample};
use crate::book_bytes::{BookBytes, PartReader};
use crate::db::DbReader;
use crate::error::BookError;
use crate::fault_place::FaultPlace;
use crate::record::BookRecord;

/// The role of move numbers in a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum PlyMatch {
    /// Move numbers do not matter (`IgnoreBookPly` on in YaneuraOu). Of several records of a
    /// position, the one with the requested number is found, or else the first.
    #[default]
    Ignored,
    /// Only a record with the requested move number is found, or one without a number
    /// (`IgnoreBookPly` off).
    Compared,
}

/// A `.db` book that is searched by binary search, without being loaded.
///
/// A search reads about log₂(number of bytes) lines. It finds positions whose text is written as
/// this library writes it, with the pieces in hand in the order RBGSNLP.
///
/// # Examples
///
/// See [`BookProbe`].
#[derive(Debug)]
pub struct DbProbe<B> {
    bytes: B,
    /// The offset of the first line, behind a byte order mark.
    first: u64,
    plies: PlyMatch,
    tolerance: Tolerance,
}

/// A line that states a position.
#[derive(Debug, Clone)]
struct SfenLine<'b> {
    /// The offset of its start.
    at: u64,
    /// The text after the word `sfen`, with blanks around it.
    rest: Cow<'b, [u8]>,
}

impl SfenLine<'_> {
    fn text(&self) -> &[u8] {
        self.rest.trim_ascii()
    }

    /// The offset behind its first word, from which the next line is searched.
    fn behind(&self) -> u64 {
        self.at + WORD.len() as u64
    }
}

/// The start of a line that states a position, with the end of the line before.
const BREAK_AND_WORD: &[u8] = b"\nsfen ";

const WORD: &[u8] = BREAK_AND_WORD.split_at(1).1;

/// The number of bytes of a line that are compared. No text of a position is longer.
const LONGEST_TEXT: usize = 1 << 12;

/// The number of bytes in which the next line is searched first: most records are shorter.
const FIRST_BLOCK: usize = 1 << 10;

/// The number of bytes that are read at once at most.
const LARGEST_BLOCK: usize = 1 << 16;

/// A byte order mark.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// The header that a reader expects before the records.
const HEADER_LINE: &[u8] = b"#YANEURAOU-DB2016 1.00\n";

/// The length of its first word.
const HEADER_WORD: usize = "#YANEURAOU-DB2016".len();

impl<B: BookBytes> DbProbe<B> {
    /// Takes the bytes of a book. A faulty line is an error of the search that finds it; if
    /// `tolerance` is lenient, it is skipped.
    ///
    /// # Errors
    ///
    /// If the text is not that of a book, or the sample of neighbouring positions that is checked
    /// is not sorted. Only validation checks all positions; a search that finds two in the wrong
    /// order reports that as well.
    pub fn new(bytes: B, plies: PlyMatch, tolerance: Tolerance) -> Result<Self, BookError> {
        let has_mark = *bytes.bytes_at(0, MARK.len())? == *MARK;
        let first = if has_mark { MARK.len() as u64 } else { 0 };
        let book = Self { bytes, first, plies, tolerance };
        book.check_kind()?;
        let mut before: Option<SfenLine<'_>> = None;
        for from in sample(book.bytes.size()) {
            // The line found last lies behind this sample, with no other between: without this
            // check a book of one very long line would be read once for each sample.
            if before.as_ref().is_some_and(|other| from <= other.at) {
                continue;
            }
            let Some(first) = book.line_from(from)? else { break };
            let second = book.line_from(first.behind())?;
            for line in [Some(first), second].into_iter().flatten() {
                let other = before.as_ref();
                if other.is_some_and(|other| other.at < line.at && other.text() > line.text()) {
                    return Err(BookError::UnsortedText { at: line.at });
                }
                before = before.filter(|other| other.at > line.at).or(Some(line));
            }
        }
        drop(before);
        Ok(book)
    }

    /// Refuses a text without a line that states a position, unless it has the header of a book.
    fn check_kind(&self) -> Result<(), BookError> {
        let text = self.bytes.bytes_at(self.first, LONGEST_TEXT)?;
        let is_book = text.is_empty() || text.starts_with(&HEADER_LINE[..HEADER_WORD]);
        if is_book || self.line_from(0)?.is_some() {
            return Ok(());
        }
        let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let first = String::from_utf8_lossy(first);
        let found = crate::fields::shorten(&first);
        let expected = "a book, or the header of one";
        let place = FaultPlace::Line { line: 1 };
        Err(record_error(0, BookError::Header { place, found, expected }))
    }

    /// The first line that starts at `from` or later and states a position.
    fn line_from(&self, from: u64) -> Result<Option<SfenLine<'_>>, BookError> {
        self.line_within(from, self.bytes.size())
    }

    /// The first line that starts at `from` or later, but before `to`, and states a position.
    fn line_within(&self, from: u64, to: u64) -> Result<Option<SfenLine<'_>>, BookError> {
        let from = from.max(self.first);
        if from >= to {
            return Ok(None);
        }
        // The first line follows no line break.
        if from == self.first && *self.bytes.bytes_at(from, WORD.len())? == *WORD {
            return Ok(Some(SfenLine { at: from, rest: self.rest_of_line(from)? }));
        }
        let mut at = from.saturating_sub(1);
        let mut len = FIRST_BLOCK;
        while at + 1 < to {
            let block = self.bytes.bytes_at(at, len)?;
            if let Some(index) = find_line(&block) {
                let at = at + index as u64 + 1;
                let start = index + BREAK_AND_WORD.len();
                return (at < to)
                    .then(|| match find(&block[start..], b'\n') {
                        Some(end) if end <= LONGEST_TEXT => {
                            Ok(SfenLine { at, rest: part(block, start, end) })
                        }
                        _ => Ok(SfenLine { at, rest: self.rest_of_line(at)? }),
                    })
                    .transpose();
            }
            if block.len() < len {
                return Ok(None);
            }
            // The word may have begun in this block.
            at += (len - (BREAK_AND_WORD.len() - 1)) as u64;
            len = (2 * len).min(LARGEST_BLOCK);
        }
        Ok(None)
    }

    /// The text after the first word of the line that starts at `at`.
    fn rest_of_line(&self, at: u64) -> Result<Cow<'_, [u8]>, BookError> {
        let block = self.bytes.bytes_at(at + WORD.len() as u64, LONGEST_TEXT)?;
        let end = find(&block, b'\n').unwrap_or(block.len());
        Ok(part(block, 0, end))
    }

    /// The first line whose text is not less than `text`.
    fn lower_bound(&self, text: &[u8]) -> Result<Option<SfenLine<'_>>, BookError> {
        let mut low = 0;
        let mut high = self.bytes.size();
        let mut below: Option<SfenLine<'_>> = None;
        let mut found: Option<SfenLine<'_>> = None;
        while low < high {
            let middle = low + (high - low) / 2;
            let Some(line) = self.line_within(middle, high)? else {
                high = middle;
                continue;
            };
            let is_sorted = below.as_ref().is_none_or(|other| other.text() <= line.text())
                && found.as_ref().is_none_or(|other| line.text() <= other.text());
            if !is_sorted {
                return Err(BookError::UnsortedText { at: line.at });
            }
            if line.text() < text {
                low = line.behind();
                below = Some(line);
            } else {
                found = Some(line);
                high = middle;
            }
        }
        Ok(found)
    }

    /// Reads the record that starts with this line.
    fn read(&self, line: &SfenLine<'_>) -> Result<Option<BookRecord>, BookError> {
        let end = self.line_from(line.behind())?.map_or(self.bytes.size(), |next| next.at);
        let part = PartReader::new(&self.bytes, line.at..end);
        let text = HEADER_LINE.chain(BufReader::with_capacity(FIRST_BLOCK, part));
        let mut reader = DbReader::new(text, self.tolerance);
        let record = reader.next().transpose();
        record.map_err(|error| record_error(line.at, error))
    }

    fn find(&self, position: &Position) -> Result<Option<BookRecord>, BookError> {
        let with_ply = position.to_string();
        let (without, ply) = with_ply.rsplit_once(' ').expect("a position's text has four words");
        let mut line = self.lower_bound(without.as_bytes())?;
        let mut found: Option<SfenLine<'_>> = None;
        while let Some(candidate) = line {
            let Some(stated) = candidate.text().strip_prefix(without.as_bytes()) else { break };
            let stated = match stated {
                [] => None,
                [b' ' | b'\t', number @ ..] => Some(number.trim_ascii()),
                _ => break,
            };
            if stated == Some(ply.as_bytes()) {
                found = Some(candidate);
                break;
            }
            let is_any = self.plies == PlyMatch::Ignored || stated.is_none();
            line = self.line_from(candidate.behind())?;
            if is_any {
                found = found.or(Some(candidate));
            }
        }
        found.map_or(Ok(None), |line| self.read(&line))
    }
}

impl<B: BookBytes + std::fmt::Debug + Send + Sync> BookProbe for DbProbe<B> {
    fn probe_same_orientation(&self, position: &Position) -> Result<Option<BookRecord>, BookError> {
        let found = self.find(position);
        self.bytes.check_unchanged()?;
        found
    }
}

/// An error of the record that starts at byte `at`.
fn record_error(at: u64, error: BookError) -> BookError {
    BookError::FoundRecord { at, error: Box::new(error) }
}

fn find(bytes: &[u8], byte: u8) -> Option<usize> {
    bytes.iter().position(|&other| other == byte)
}

/// The index of the first [`BREAK_AND_WORD`].
fn find_line(bytes: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + find(&bytes[from..], b'\n')?;
        if bytes[at..].starts_with(BREAK_AND_WORD) {
            return Some(at);
        }
        from = at + 1;
    }
}

/// The `len` bytes of a block from `start` on.
fn part(block: Cow<'_, [u8]>, start: usize, len: usize) -> Cow<'_, [u8]> {
    match block {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[start..start + len]),
        Cow::Owned(mut bytes) => {
            bytes.truncate(start + len);
            bytes.drain(..start);
            Cow::Owned(bytes)
        }
    }
}
