//! Binary search in `.ybb` books.

use komadai_base::reading::Tolerance;
use komadai_core::{PackedSfen, Position};

use super::{HEADER_BYTES, Header, INDEX_BYTES, IndexEntry};
use crate::book_bytes::{BookBytes, exactly};
use crate::error::BookError;
use crate::probe::{BookProbe, lower_bound, sample};
use crate::record::BookRecord;
use crate::tolerance_state::{RecordPlace, ToleranceState};

/// A `.ybb` book that is searched by binary search, without being loaded.
///
/// A search makes about log₂(number of positions) comparisons of 32 bytes, and reads one record.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::{BookProbe, BookRecord, RecordMove};
/// use komadai_bookfile::ybb::{YbbProbe, YbbWriter};
/// use komadai_core::Position;
/// use komadai_bookfile::Tolerance;
///
/// let mut start = BookRecord::new(Position::hirate());
/// start.moves.push(RecordMove::new("7g7f".parse()?));
/// let mut writer = YbbWriter::default();
/// writer.push(&start)?;
/// let mut file = Vec::new();
/// writer.finish(&mut file)?;
///
/// let book = YbbProbe::new(file, Tolerance::Strict)?;
/// let found = book.probe(&Position::hirate())?.expect("it is in the book");
/// assert_eq!(found.moves[0].m, start.moves[0].m);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct YbbProbe<B> {
    bytes: B,
    header: Header,
    tolerance: Tolerance,
}

impl<B: BookBytes> YbbProbe<B> {
    /// Takes the bytes of a book. A faulty move is an error of the search that finds it; if
    /// `tolerance` is lenient, it is skipped.
    ///
    /// # Errors
    ///
    /// If the header is not that of a `.ybb` book, has unknown flags or states more positions than
    /// the file has room for, or if the sample of neighbouring positions that is checked is not
    /// sorted.
    pub fn new(bytes: B, tolerance: Tolerance) -> Result<Self, BookError> {
        let header = Header::new(&bytes.bytes_at(0, HEADER_BYTES)?, bytes.size())?;
        let book = Self { bytes, header, tolerance };
        let mut before = None;
        for first in sample(header.records.saturating_sub(1)) {
            for index in [first, first + 1] {
                let packed = book.entry(index)?.packed;
                if before.is_some_and(|(other, bytes)| other < index && bytes >= packed) {
                    return Err(book.place(index).unsorted());
                }
                before = Some((index, packed));
            }
        }
        Ok(book)
    }

    /// The number of positions.
    pub fn records(&self) -> u64 {
        self.header.records
    }

    fn place(&self, index: u64) -> RecordPlace {
        RecordPlace { record: index + 1, at: self.header.index_at(index) }
    }

    fn entry(&self, index: u64) -> Result<IndexEntry, BookError> {
        // `Header::new` has checked the number of records against the size of the file.
        let bytes = exactly(&self.bytes, self.header.index_at(index), INDEX_BYTES)?;
        Ok(IndexEntry::new(&bytes))
    }

    fn find(&self, position: &Position) -> Result<Option<BookRecord>, BookError> {
        let Ok(packed) = PackedSfen::from_setup(&position.to_setup()) else { return Ok(None) };
        let index = lower_bound(self.header.records, |index| {
            Ok::<_, BookError>(self.entry(index)?.packed < packed)
        })?;
        if index == self.header.records {
            return Ok(None);
        }
        let entry = self.entry(index)?;
        let place = self.place(index);
        if entry.packed != packed {
            return Ok(None);
        }
        let (at, len) = self.header.moves_of(&entry, place)?;
        let moves = exactly(&self.bytes, at, len)?;
        let mut faults = ToleranceState::new(self.tolerance);
        Ok(Some(self.header.record(&entry, place, &moves, at, &mut faults)?))
    }
}

impl<B: BookBytes + std::fmt::Debug + Send + Sync> BookProbe for YbbProbe<B> {
    fn probe_same_orientation(&self, position: &Position) -> Result<Option<BookRecord>, BookError> {
        let found = self.find(position);
        self.bytes.check_unchanged()?;
        found
    }
}
