//! The errors of reading training records.

use std::io;

use super::format::TrainingFormat;
use super::record_fault::RecordFault;

/// An error of reading a file of training records, with its place: the number of the record, from
/// 1, and the offset of the first byte of the record, from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// The source failed.
    #[error("record {record} at byte {offset}: cannot read on")]
    Io {
        /// The first record that could not be read.
        record: u64,
        /// Its first byte.
        offset: u64,
        /// The reason.
        #[source]
        error: io::Error,
    },
    /// The file is of another format.
    #[error("the file is of the format {found}, expected {expected}")]
    WrongFormat {
        /// The format of the file.
        found: TrainingFormat,
        /// The format of the reader.
        expected: TrainingFormat,
    },
    /// A record is damaged.
    #[error("record {record} at byte {offset}: {fault}")]
    Damaged {
        /// The record.
        record: u64,
        /// Its first byte.
        offset: u64,
        /// The fault.
        fault: RecordFault,
    },
    /// The file ends in the middle of a record.
    #[error("record {record} at byte {offset}: the file ends after {found} of {expected} bytes")]
    Truncated {
        /// The last record.
        record: u64,
        /// Its first byte.
        offset: u64,
        /// The number of bytes that the file has of it.
        found: usize,
        /// The number of bytes of a record.
        expected: usize,
    },
}

impl TrainingError {
    /// Returns true if nothing can be read after this error, not even leniently.
    pub(super) fn is_final(&self) -> bool {
        matches!(self, Self::Io { .. } | Self::WrongFormat { .. })
    }
}
