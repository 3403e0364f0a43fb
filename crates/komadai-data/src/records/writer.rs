//! Writing of training records.

use std::io::{self, BufWriter, Write};
use std::marker::PhantomData;

use super::hcpe::Hcpe;
use super::psv::PackedSfenValue;
use super::record::TrainingRecord;

/// Writes records of YaneuraOu (PSV).
pub type PsvWriter<W> = TrainingWriter<W, PackedSfenValue>;

/// Writes records of Apery, cshogi and dlshogi (HCPE).
pub type HcpeWriter<W> = TrainingWriter<W, Hcpe>;

/// Writes records one after the other, through a buffer. [`finish`](Self::finish) writes the rest
/// of the buffer; a writer that is dropped does so, too, but cannot report an error.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_data::records::{Hcpe, HcpeWriter, RecordResult};
///
/// let mut file = HcpeWriter::new(Vec::new());
/// file.write(&Hcpe::new(&Position::hirate(), 0, None, RecordResult::Draw)?)?;
/// assert_eq!(file.number(), 1);
/// assert_eq!(file.finish()?.len(), 38);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TrainingWriter<W: Write, T> {
    destination: BufWriter<W>,
    records: u64,
    record: PhantomData<T>,
}

impl<W: Write, T: TrainingRecord> TrainingWriter<W, T> {
    /// Creates a writer. The destination needs no buffer of its own.
    pub fn new(destination: W) -> Self {
        let destination = BufWriter::with_capacity(1 << 16, destination);
        Self { destination, records: 0, record: PhantomData }
    }

    /// Writes a record.
    ///
    /// # Errors
    ///
    /// Returns the error of the destination.
    pub fn write(&mut self, record: &T) -> io::Result<()> {
        record.write_to(&mut self.destination)?;
        self.records += 1;
        Ok(())
    }

    /// Returns the number of records written.
    pub fn number(&self) -> u64 {
        self.records
    }

    /// Writes the rest of the buffer and returns the destination.
    ///
    /// # Errors
    ///
    /// Returns the error of the destination.
    pub fn finish(mut self) -> io::Result<W> {
        self.destination.flush()?;
        self.destination.into_inner().map_err(io::IntoInnerError::into_error)
    }
}
