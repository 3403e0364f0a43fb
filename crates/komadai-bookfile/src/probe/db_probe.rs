//! Binary search in `.db` books.
//!
//! Such a file is sorted by the bytes of its positions' texts, with the move numbers. A byte in the
//! middle of the file is usually not the start of a line: the search continues from there to the
//! next line that states a position.

use std::io::Read;

use komadai_core::Position;
use komadai_kifu::Tolerance;

use super::{BookProbe, sample};
use crate::db::DbReader;
use crate::error::BookError;
use crate::fault_place::FaultPlace;
use crate::record::BookRecord;

/// The role of move numbers in a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
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
    plies: PlyMatch,
    tolerance: Tolerance,
}

/// A line that states a position.
#[derive(Debug, Clone, Copy)]
struct SfenLine<'b> {
    /// The offset of its start.
    at: usize,
    /// The text after the word `sfen`.
    text: &'b [u8],
}

const WORD: &[u8] = b"sfen ";

/// The number of bytes of a line that are compared. No text of a position is longer.
const LONGEST_TEXT: usize = 1 << 12;

/// A byte order mark.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// The header that a reader expects before the records.
const HEADER_LINE: &[u8] = b"#YANEURAOU-DB2016 1.00\n";

/// The length of its first word.
const HEADER_WORD: usize = "#YANEURAOU-DB2016".len();

impl<B: AsRef<[u8]>> DbProbe<B> {
    /// Takes the bytes of a book. A faulty line is an error of the search that finds it; if
    /// `tolerance` is lenient, it is skipped.
    ///
    /// # Errors
    ///
    /// If the text is not that of a book, or the sample of neighbouring positions that is checked
    /// is not sorted. Only validation checks all positions; a search that finds two in the wrong
    /// order reports that as well.
    pub fn new(bytes: B, plies: PlyMatch, tolerance: Tolerance) -> Result<Self, BookError> {
        let book = Self { bytes, plies, tolerance };
        book.check_kind()?;
        let mut before: Option<SfenLine<'_>> = None;
        for from in sample(book.all().len() as u64) {
            // The line found last lies behind this sample, with no other between: without this
            // check a book of one very long line would be read once for each sample.
            if before.is_some_and(|other| from <= other.at as u64) {
                continue;
            }
            let Some(first) = book.line_from(from as usize) else { break };
            for line in [Some(first), book.line_after(first)].into_iter().flatten() {
                if before.is_some_and(|other| other.at < line.at && other.text > line.text) {
                    return Err(BookError::UnsortedText { at: line.at as u64 });
                }
                before = before.filter(|other| other.at > line.at).or(Some(line));
            }
        }
        Ok(book)
    }

    /// Refuses a text without a line that states a position, unless it has the header of a book.
    fn check_kind(&self) -> Result<(), BookError> {
        let bytes = self.all();
        let text = bytes.strip_prefix(MARK).unwrap_or(bytes);
        let is_book = text.is_empty() || text.starts_with(&HEADER_LINE[..HEADER_WORD]);
        if is_book || self.line_from(0).is_some() {
            return Ok(());
        }
        let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let first = String::from_utf8_lossy(&first[..first.len().min(LONGEST_TEXT)]);
        let (found, expected) = (crate::fields::shorten(&first), "a book, or the header of one");
        let place = FaultPlace::Line { line: 1 };
        Err(record_error(0, BookError::Header { place, found, expected }))
    }

    fn all(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// The first line that starts at `from` or later and states a position.
    fn line_from(&self, from: usize) -> Option<SfenLine<'_>> {
        self.line_within(from, self.all().len())
    }

    /// The first line that starts at `from` or later, but before `to`, and states a position.
    fn line_within(&self, from: usize, to: usize) -> Option<SfenLine<'_>> {
        let bytes = self.all();
        // A byte order mark may precede the first line.
        let first = if bytes.starts_with(MARK) { MARK.len() } else { 0 };
        let is_start = |at: usize| at == first || bytes[at - 1] == b'\n';
        let mut at = from.max(first);
        while !(is_start(at) && bytes.get(at..)?.starts_with(WORD)) {
            at += find(bytes.get(at..to)?, b'\n')? + 1;
        }
        let start = at + WORD.len();
        let longest = bytes.len().min(start + LONGEST_TEXT);
        let end = find(&bytes[start..longest], b'\n').map_or(longest, |len| start + len);
        (at < to).then(|| SfenLine { at, text: bytes[start..end].trim_ascii() })
    }

    fn line_after(&self, line: SfenLine<'_>) -> Option<SfenLine<'_>> {
        self.line_from(line.at + WORD.len())
    }

    /// The first line whose text is not less than `text`.
    fn lower_bound(&self, text: &[u8]) -> Result<Option<SfenLine<'_>>, BookError> {
        let (mut low, mut high) = (0, self.all().len());
        let mut below: Option<SfenLine<'_>> = None;
        let mut found: Option<SfenLine<'_>> = None;
        while low < high {
            let middle = low + (high - low) / 2;
            let Some(line) = self.line_within(middle, high) else {
                high = middle;
                continue;
            };
            let is_sorted = below.is_none_or(|other| other.text <= line.text)
                && found.is_none_or(|other| line.text <= other.text);
            if !is_sorted {
                return Err(BookError::UnsortedText { at: line.at as u64 });
            }
            if line.text < text {
                below = Some(line);
                low = line.at + WORD.len();
            } else {
                found = Some(line);
                high = middle;
            }
        }
        Ok(found)
    }

    /// Reads the record that starts with this line.
    fn read(&self, line: SfenLine<'_>) -> Result<Option<BookRecord>, BookError> {
        let end = self.line_after(line).map_or(self.all().len(), |next| next.at);
        let text = HEADER_LINE.chain(&self.all()[line.at..end]);
        let mut reader = DbReader::new(text, self.tolerance);
        let record = reader.next().transpose();
        record.map_err(|error| record_error(line.at as u64, error))
    }
}

impl<B: AsRef<[u8]> + std::fmt::Debug + Send + Sync> BookProbe for DbProbe<B> {
    fn probe_same_orientation(&self, position: &Position) -> Result<Option<BookRecord>, BookError> {
        let with_ply = position.to_string();
        let (without, ply) = with_ply.rsplit_once(' ').expect("a position's text has four words");
        let mut line = self.lower_bound(without.as_bytes())?;
        let mut found: Option<SfenLine<'_>> = None;
        while let Some(candidate) = line {
            let Some(stated) = candidate.text.strip_prefix(without.as_bytes()) else { break };
            let stated = match stated {
                [] => None,
                [b' ' | b'\t', number @ ..] => Some(number.trim_ascii()),
                _ => break,
            };
            if stated == Some(ply.as_bytes()) {
                found = Some(candidate);
                break;
            }
            if self.plies == PlyMatch::Ignored || stated.is_none() {
                found = found.or(Some(candidate));
            }
            line = self.line_after(candidate);
        }
        found.map_or(Ok(None), |line| self.read(line))
    }
}

/// An error of the record that starts at byte `at`.
fn record_error(at: u64, error: BookError) -> BookError {
    BookError::FoundRecord { at, error: Box::new(error) }
}

fn find(bytes: &[u8], byte: u8) -> Option<usize> {
    bytes.iter().position(|&other| other == byte)
}
