//! Searches in Apery books.

use std::ops::Range;

use komadai_base::reading::Tolerance;
use komadai_core::{Position, Setup};

use super::{AperyEntry, ENTRY_BYTES, apery_key};
use crate::book_bytes::{BookBytes, exactly};
use crate::error::BookError;
use crate::probe::{BookProbe, lower_bound, sample};
use crate::record::BookRecord;
use crate::tolerance_state::{RecordPlace, ToleranceState};

/// An Apery book (`book.bin`) that is searched by binary search, without being loaded.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::{BookProbe, BookRecord, RecordMove};
/// use komadai_bookfile::apery::{AperyBook, AperyWriter, Follow};
/// use komadai_core::Position;
/// use komadai_bookfile::Tolerance;
///
/// let mut start = BookRecord::new(Position::hirate());
/// start.moves.push(RecordMove { count: Some(12), ..RecordMove::new("7g7f".parse()?) });
/// let mut writer = AperyWriter::default();
/// writer.push(&start)?;
/// let mut file = Vec::new();
/// writer.finish(&mut file)?;
///
/// let book = AperyBook::new(file, Tolerance::Strict)?;
/// let found = book.probe(&Position::hirate())?.expect("it is in the book");
/// assert_eq!(found.moves[0].count, Some(12));
/// let mut walk = book.into_walk([Position::hirate()], Follow::Listed);
/// assert_eq!(walk.by_ref().count(), 1);
/// assert_eq!(walk.unreached(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AperyBook<B> {
    bytes: B,
    pub(super) tolerance: Tolerance,
}

impl<B: BookBytes> AperyBook<B> {
    /// Takes the bytes of a book. A faulty move is an error of the search or walk that reaches it;
    /// if `tolerance` is lenient, it is skipped. The same holds for bytes after the last whole
    /// entry.
    ///
    /// # Errors
    ///
    /// If the sample of neighbouring entries that is checked is not sorted by key; if the tolerance
    /// is strict, also if the file ends within an entry.
    pub fn new(bytes: B, tolerance: Tolerance) -> Result<Self, BookError> {
        let book = Self { bytes, tolerance };
        if let (Some(fault), Tolerance::Strict) = (book.cut_off(), tolerance) {
            return Err(fault);
        }
        let mut before = 0;
        // Both entries of a pair are compared, and each pair with the one before it.
        for first in sample(book.entries().saturating_sub(1)) {
            for index in [first, first + 1] {
                let key = book.entry(index)?.key;
                if key < before {
                    return Err(BookError::NotApery { place: place(index).into() });
                }
                before = key;
            }
        }
        Ok(book)
    }

    /// The number of entries, each a move of a position.
    pub fn entries(&self) -> u64 {
        self.bytes.size() / ENTRY_BYTES as u64
    }

    /// Checks that all entries are sorted by key, in time proportional to the size of the book.
    ///
    /// # Errors
    ///
    /// If they are not: then searches miss positions.
    pub fn check_order(&self) -> Result<(), BookError> {
        let mut before = 0;
        for index in 0..self.entries() {
            let key = self.entry(index)?.key;
            if key < before {
                return Err(place(index).unsorted());
            }
            before = key;
        }
        Ok(())
    }

    /// The fault that the file ends within an entry.
    pub(super) fn cut_off(&self) -> Option<BookError> {
        let at = self.bytes.size();
        let is_whole = at.is_multiple_of(ENTRY_BYTES as u64);
        (!is_whole).then_some(BookError::Truncated { at, within: "an entry" })
    }

    fn entry(&self, index: u64) -> Result<AperyEntry, BookError> {
        let bytes = exactly(&self.bytes, index * ENTRY_BYTES as u64, ENTRY_BYTES)?;
        Ok(AperyEntry::from_bytes(*bytes.first_chunk().expect("16 bytes")))
    }

    /// The entries with this key.
    pub(super) fn range(&self, key: u64) -> Result<Range<u64>, BookError> {
        let entries = self.entries();
        let start = lower_bound(entries, |index| Ok::<_, BookError>(self.entry(index)?.key < key))?;
        let mut end = start;
        while end < entries && self.entry(end)?.key == key {
            end += 1;
        }
        Ok(start..end)
    }

    /// The record of a position with these entries.
    pub(super) fn record(
        &self,
        position: Position,
        range: Range<u64>,
        faults: &mut ToleranceState,
    ) -> Result<BookRecord, BookError> {
        let mut record = BookRecord { ply: None, ..BookRecord::new(position) };
        for index in range {
            match self.entry(index)?.read(&record, place(index)) {
                Ok(listed) => record.moves.push(listed),
                Err(fault) => faults.tolerate(fault)?,
            }
        }
        Ok(record)
    }

    fn find(&self, position: &Position) -> Result<Option<BookRecord>, BookError> {
        let range = self.range(apery_key(position))?;
        if range.is_empty() {
            return Ok(None);
        }
        let setup = Setup { ply: 1, ..position.to_setup() };
        let position = Position::from_setup_leniently(&setup).expect("it was a position before");
        Ok(Some(self.record(position, range, &mut ToleranceState::new(self.tolerance))?))
    }
}

impl<B: BookBytes + std::fmt::Debug + Send + Sync> BookProbe for AperyBook<B> {
    fn probe_same_orientation(&self, position: &Position) -> Result<Option<BookRecord>, BookError> {
        let found = self.find(position);
        self.bytes.check_unchanged()?;
        found
    }
}

fn place(index: u64) -> RecordPlace {
    RecordPlace { record: index + 1, at: index * ENTRY_BYTES as u64 }
}
