//! Reading `.ybb` books.

use std::io::{Read, Seek, SeekFrom};

use komadai_base::reading::{Skipped, Tolerance};
use komadai_core::PackedSfen;

use super::window::{Coverage, Window};
use super::{HEADER_BYTES, Header, INDEX_BYTES, IndexEntry};
use crate::error::BookError;
use crate::fault_place::FaultPlace;
use crate::record::BookRecord;
use crate::tolerance_state::{RecordPlace, ToleranceState};

/// Reads a `.ybb` book position by position, in bounded memory.
///
/// The source may be a file, or bytes in a [`Cursor`](std::io::Cursor). A strict reader refuses
/// invalid and unsorted positions, and moves that lie outside the file, belong to two positions,
/// are illegal or repeated. A lenient reader counts these faults and continues: it skips a faulty
/// move, and a position that is invalid or whose moves cannot be located; it reads a position that
/// only a search would miss, because of its order or its packing. A faulty header ends both kinds
/// of reading.
///
/// # Examples
///
/// ```
/// use std::io::Cursor;
///
/// use komadai_bookfile::{BookRecord, RecordMove};
/// use komadai_bookfile::ybb::{YbbReader, YbbWriter};
/// use komadai_core::{Position, Score};
/// use komadai_bookfile::Tolerance;
///
/// let mut start = BookRecord::new(Position::hirate());
/// start.moves.push(RecordMove {
///     score: Some(Score::cp(35)),
///     depth: Some(18),
///     ..RecordMove::new("7g7f".parse()?)
/// });
/// let mut writer = YbbWriter::default();
/// writer.push(&start)?;
/// let mut file = Vec::new();
/// assert!(writer.finish(&mut file)?.is_empty());
///
/// let mut book = YbbReader::new(Cursor::new(file), Tolerance::Strict)?;
/// assert_eq!(book.next().transpose()?, Some(start));
/// assert!(book.next().is_none());
/// assert!(book.has_depths() && book.unused_bytes() == 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct YbbReader<R> {
    source: R,
    header: Header,
    /// The index of the next record, from 0.
    next: u64,
    before: Option<[u8; 32]>,
    index: Window,
    moves: Window,
    used: Coverage,
    faults: ToleranceState,
    is_over: bool,
}

impl<R: Read + Seek> YbbReader<R> {
    /// Reads the header of a book.
    ///
    /// # Errors
    ///
    /// If the source fails, or the header is not that of a `.ybb` book, has unknown flags, or
    /// states more positions than the file has room for.
    pub fn new(mut source: R, tolerance: Tolerance) -> Result<Self, BookError> {
        let io = |error| BookError::Io { place: FaultPlace::Byte { at: 0 }, error };
        let size = source.seek(SeekFrom::End(0)).map_err(io)?;
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        source.rewind().map_err(io)?;
        source.by_ref().take(HEADER_BYTES as u64).read_to_end(&mut bytes).map_err(io)?;
        let header = Header::new(&bytes, size)?;
        Ok(Self {
            source,
            header,
            next: 0,
            before: None,
            index: Window::default(),
            moves: Window::default(),
            used: Coverage::default(),
            faults: ToleranceState::new(tolerance),
            is_over: false,
        })
    }

    /// The number of positions that the header states.
    pub fn records(&self) -> u64 {
        self.header.records
    }

    /// Returns true if the moves have depths.
    pub fn has_depths(&self) -> bool {
        self.header.has_depths
    }

    /// The faults skipped so far; none in strict reading.
    pub fn skipped(&self) -> &Skipped<BookError> {
        self.faults.skipped()
    }

    /// The number of bytes after the index that are not moves of a position read so far.
    pub fn unused_bytes(&self) -> u64 {
        self.header.size - self.header.moves_at() - self.used.len()
    }

    /// The next position, or `None` after the last.
    fn next_record(&mut self) -> Result<Option<BookRecord>, BookError> {
        while self.next < self.header.records {
            let place = RecordPlace { record: self.next + 1, at: self.header.index_at(self.next) };
            self.next += 1;
            match self.read_record(place) {
                Ok(record) => return Ok(Some(record)),
                // After these, the source cannot be trusted to return the next record.
                Err(fault @ (BookError::Io { .. } | BookError::Truncated { .. })) => {
                    return Err(fault);
                }
                Err(fault) => self.faults.tolerate(fault)?,
            }
        }
        Ok(None)
    }

    fn read_record(&mut self, place: RecordPlace) -> Result<BookRecord, BookError> {
        let at = place.at;
        let header = self.header;
        let source = &mut self.source;
        let entry = IndexEntry::new(self.index.get(source, header.size, at, INDEX_BYTES)?);
        let bytes = *entry.packed.as_bytes();
        if self.before.replace(bytes).is_some_and(|before| before >= bytes) {
            self.faults.tolerate(place.unsorted())?;
        }
        let (moves_at, len) = header.moves_of(&entry, place)?;
        if !self.used.add(entry.start, entry.start + len as u64) {
            return Err(BookError::MovesShared { place: place.into() });
        }
        let moves = self.moves.get(source, header.size, moves_at, len)?;
        let record_read = header.record(&entry, place, moves, moves_at, &mut self.faults)?;
        // The same position can be packed with its pieces in another order; searches compare bytes.
        if PackedSfen::from_setup(&record_read.position.to_setup()) != Ok(entry.packed) {
            self.faults.tolerate(BookError::OtherPacking { place: place.into() })?;
        }
        Ok(record_read)
    }
}

impl<R: Read + Seek> Iterator for YbbReader<R> {
    type Item = Result<BookRecord, BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let record = self.next_record();
        self.is_over = !matches!(record, Ok(Some(_)));
        record.transpose()
    }
}
