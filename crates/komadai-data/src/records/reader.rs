//! Reading of training records from a source of any length.

use std::fs::File;
use std::io::{self, Read};
use std::marker::PhantomData;
use std::path::Path;

use komadai_base::file::open_regular;

use super::error::TrainingError;
use super::format::TrainingFormat;
use super::hcpe::Hcpe;
use super::psv::PackedSfenValue;
use super::record::TrainingRecord;
use super::record_check::RecordCheck;
use komadai_kifu::{Skipped, Tolerance};

/// Reads records of YaneuraOu (PSV) one by one.
pub type PsvReader<R> = TrainingReader<R, PackedSfenValue>;

/// Reads records of Apery, cshogi and dlshogi (HCPE) one by one.
pub type HcpeReader<R> = TrainingReader<R, Hcpe>;

/// Reads the records of a file one by one, in bounded memory. After an error the iterator has
/// ended.
///
/// The first records decide whether the file is of the reader's format (see
/// [`TrainingFormat::detect`]); a file of another one is refused by its name. A strict reader stops
/// at the first damaged record. A lenient one skips and counts damaged records, and a last record
/// that is cut off.
///
/// The source needs no buffer of its own.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_kifu::Tolerance;
/// use komadai_data::records::{Hcpe, HcpeReader, RecordCheck, RecordResult};
///
/// let record = Hcpe::new(&Position::hirate(), 0, None, RecordResult::Draw)?;
/// let mut file = [record.to_bytes(); 3].concat();
/// file[38] ^= 0b1000_0010; // both kings of the second record
/// let mut records = HcpeReader::new(&file[..], Tolerance::Lenient).checking(RecordCheck::Position);
/// assert_eq!(records.by_ref().flatten().count(), 2);
/// assert_eq!(
///     records.skipped().to_string(),
///     "record 2 at byte 38: Black's king on square number 109, expected 0 to 80, or 81 for no king\n",
/// );
/// # Ok::<(), komadai_core::PackedError>(())
/// ```
#[derive(Debug)]
pub struct TrainingReader<R, T> {
    source: Blocks<R>,
    tolerance: Tolerance,
    check: RecordCheck,
    skipped: Skipped<TrainingError>,
    /// The number of records taken from the source.
    records: u64,
    /// The length of the source in bytes, if it is known.
    length: Option<u64>,
    is_over: bool,
    record: PhantomData<T>,
}

impl<T: TrainingRecord> TrainingReader<File, T> {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened. A file of another format is reported when the
    /// first record is read.
    pub fn open(path: impl AsRef<Path>, tolerance: Tolerance) -> Result<Self, TrainingError> {
        let failure = |error| TrainingError::Io { record: 1, offset: 0, error };
        let file = open_regular(path).map_err(failure)?;
        let length = file.metadata().map_err(failure)?.len();
        Ok(Self { length: Some(length), ..Self::new(file, tolerance) })
    }
}

impl<R: Read, T: TrainingRecord> TrainingReader<R, T> {
    /// Creates a reader of the records in `source`.
    pub fn new(source: R, tolerance: Tolerance) -> Self {
        Self {
            source: Blocks::new(source, record_bytes::<T>()),
            tolerance,
            check: RecordCheck::Fields,
            skipped: Skipped::default(),
            records: 0,
            length: None,
            is_over: false,
            record: PhantomData,
        }
    }

    /// The same reader, checking these parts of each record; without this call
    /// [`RecordCheck::Fields`].
    #[must_use]
    pub fn checking(self, check: RecordCheck) -> Self {
        Self { check, ..self }
    }

    /// Returns the faults skipped so far; none if the reading is strict.
    pub fn skipped(&self) -> &Skipped<TrainingError> {
        &self.skipped
    }

    /// Returns the number of the record read last, from 1, skipped ones included; 0 before the
    /// first.
    pub fn number(&self) -> u64 {
        self.records
    }

    fn read(&mut self) -> Result<Option<T>, TrainingError> {
        let expected = record_bytes::<T>();
        if self.records == 0 {
            self.refuse_other_format()?;
        }
        let (record, offset) = (self.records + 1, self.records * expected as u64);
        let bytes = match self.source.next_record() {
            Ok([]) => return Ok(None),
            Ok(bytes) => bytes,
            Err(error) => return Err(TrainingError::Io { record, offset, error }),
        };
        self.records = record;
        if bytes.len() < expected {
            let found = bytes.len();
            return Err(TrainingError::Truncated { record, offset, found, expected });
        }
        let sound = T::from_slice(bytes)
            .and_then(|read| read.validate(self.check).map(|()| read))
            .map_err(|fault| TrainingError::Damaged { record, offset, fault })?;
        Ok(Some(sound))
    }

    fn refuse_other_format(&mut self) -> Result<(), TrainingError> {
        self.source.fill(usize::MAX);
        let start = self.source.unread();
        let length = self.length.or(self.source.is_at_end().then_some(start.len() as u64));
        let expected = T::FORMAT;
        match TrainingFormat::detect(start, length) {
            Some(found) if found != expected => Err(TrainingError::WrongFormat { found, expected }),
            _ => Ok(()),
        }
    }
}

impl<R: Read, T: TrainingRecord> Iterator for TrainingReader<R, T> {
    type Item = Result<T, TrainingError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            match self.read() {
                Ok(Some(record)) => return Some(Ok(record)),
                Ok(None) => self.is_over = true,
                Err(fault) if self.tolerance == Tolerance::Lenient && !fault.is_final() => {
                    self.skipped.add(fault);
                }
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

/// The number of records that are read at once.
const BLOCK_RECORDS: usize = 2_048;

/// A source that is read in blocks and returned record by record.
#[derive(Debug)]
struct Blocks<R> {
    source: R,
    record_bytes: usize,
    block: Box<[u8]>,
    /// The bytes of the block before this one have been returned.
    start: usize,
    /// The bytes of the block from this one on have not been read.
    end: usize,
    /// The reason why nothing more can be read.
    stop: Option<Stop>,
}

#[derive(Debug)]
enum Stop {
    End,
    /// A failure, which is returned after the whole records before it.
    Failed(io::Error),
}

impl<R: Read> Blocks<R> {
    fn new(source: R, record_bytes: usize) -> Self {
        let block = vec![0; record_bytes * BLOCK_RECORDS].into();
        Self { source, record_bytes, block, start: 0, end: 0, stop: None }
    }

    /// The bytes that have been read, but not returned.
    fn unread(&self) -> &[u8] {
        &self.block[self.start..self.end]
    }

    fn is_at_end(&self) -> bool {
        matches!(self.stop, Some(Stop::End))
    }

    /// The next record; fewer bytes at the end of the source, and none after it.
    fn next_record(&mut self) -> io::Result<&[u8]> {
        if self.unread().len() < self.record_bytes {
            self.fill(self.record_bytes);
            if let Some(Stop::Failed(_)) = self.stop
                && let Some(Stop::Failed(error)) = self.stop.replace(Stop::End)
            {
                return Err(error);
            }
        }
        let start = self.start;
        self.start = self.end.min(start + self.record_bytes);
        Ok(&self.block[start..self.start])
    }

    /// Reads until there are at least `least` unread bytes, the block is full, or the source ends.
    fn fill(&mut self, least: usize) {
        self.block.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        while self.stop.is_none() && self.end < least.min(self.block.len()) {
            match self.source.read(&mut self.block[self.end..]) {
                Ok(0) => self.stop = Some(Stop::End),
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => self.stop = Some(Stop::Failed(error)),
            }
        }
    }
}

/// Returns the number of bytes of a record.
fn record_bytes<T: TrainingRecord>() -> usize {
    T::FORMAT.record_bytes().expect("a training record has a fixed length")
}
