//! The interface of a record to readers and writers.

use std::io::{self, Write};

use super::error::RecordFault;
use super::format::TrainingFormat;
use super::record_check::RecordCheck;

/// A training record of a fixed length: [`PackedSfenValue`](super::PackedSfenValue) or
/// [`Hcpe`](super::Hcpe). Other types cannot implement it.
///
/// # Examples
///
/// A program that counts the decided games of a file of either format.
///
/// ```
/// use std::io::Read;
///
/// use komadai_kifu::Tolerance;
/// use komadai_data::records::{TrainingError, TrainingReader, TrainingRecord};
///
/// fn count<T: TrainingRecord>(source: impl Read) -> Result<usize, TrainingError> {
///     TrainingReader::<_, T>::new(source, Tolerance::Strict).try_fold(0, |n, r| r.map(|_| n + 1))
/// }
/// # assert_eq!(count::<komadai_data::records::Hcpe>(&[][..])?, 0);
/// # Ok::<(), TrainingError>(())
/// ```
pub trait TrainingRecord: sealed::Sealed + Copy {
    /// The format of the record.
    const FORMAT: TrainingFormat;

    /// Reads a record.
    ///
    /// # Errors
    ///
    /// Returns an error if the slice has not the length of a record, or if the bits of the move or
    /// the result are no such value. The position is not unpacked.
    fn from_slice(bytes: &[u8]) -> Result<Self, RecordFault>;

    /// Writes the bytes of the record.
    ///
    /// # Errors
    ///
    /// Returns the error of `destination`.
    fn write_to<W: Write>(&self, destination: &mut W) -> io::Result<()>;

    /// Checks the parts of the record that `check` names.
    ///
    /// # Errors
    ///
    /// Returns the first fault.
    fn validate(&self, check: RecordCheck) -> Result<(), RecordFault>;
}

pub(super) mod sealed {
    /// Prevents implementations outside of this crate.
    #[expect(unnameable_types, reason = "that is its purpose")]
    pub trait Sealed {}
}

/// Implements [`TrainingRecord`] for a record by its own methods.
macro_rules! fixed_record {
    ($record:ident, $format:expr) => {
        impl $crate::records::record::sealed::Sealed for $record {}

        impl $crate::records::record::TrainingRecord for $record {
            const FORMAT: TrainingFormat = $format;

            fn from_slice(bytes: &[u8]) -> Result<Self, RecordFault> {
                let (found, expected) = (bytes.len(), Self::BYTES);
                let bytes =
                    bytes.try_into().map_err(|_| RecordFault::Length { found, expected })?;
                Self::from_bytes(bytes)
            }

            fn write_to<W: std::io::Write>(&self, destination: &mut W) -> std::io::Result<()> {
                destination.write_all(&self.to_bytes())
            }

            fn validate(&self, check: $crate::records::RecordCheck) -> Result<(), RecordFault> {
                match check {
                    $crate::records::RecordCheck::Fields => Ok(()),
                    $crate::records::RecordCheck::Position => self.unpack().map(drop),
                    $crate::records::RecordCheck::Legality => self.check().map(drop),
                }
            }
        }
    };
}

pub(super) use fixed_record;
