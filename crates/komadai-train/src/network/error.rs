//! The errors of a training.

use std::io;
use std::path::PathBuf;

use komadai_core::{PackedError, PositionError};
use komadai_nnue::CompactWeightsError;

/// An error in a training, or in its data.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// The source of records failed.
    #[error("record {record}: cannot read on")]
    Read {
        /// The first record that could not be read, from 1.
        record: u64,
        /// The reason.
        #[source]
        error: io::Error,
    },
    /// The source of records ends within a record.
    #[error("record {record}: found {found} bytes at the end, expected 40")]
    Truncated {
        /// The last record, from 1.
        record: u64,
        /// The bytes of the last record.
        found: usize,
    },
    /// A record is no position of a game.
    #[error("record {record}: {fault}")]
    Record {
        /// The record, from 1.
        record: u64,
        /// The fault.
        fault: RecordFault,
    },
    /// There is nothing to learn from, or nothing to measure the loss with.
    #[error(
        "found {training} positions to train with and {held_out} held out, expected some of both"
    )]
    TooFew {
        /// The positions to train with.
        training: usize,
        /// The positions held out.
        held_out: usize,
    },
    /// An option is out of its range.
    #[error("found {found} as {option}, expected {expected}")]
    Option {
        /// The option.
        option: &'static str,
        /// Its value.
        found: String,
        /// The values that it can have.
        expected: &'static str,
    },
    /// A file of an interrupted training cannot be read or written.
    #[error("cannot use the file {}", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// The reason.
        #[source]
        error: io::Error,
    },
    /// A file is no interrupted training, or not one of these options and data.
    #[error("{}: found {found}, expected {expected}", path.display())]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// The value found.
        found: String,
        /// The values expected.
        expected: String,
    },
    /// The trained weights are no network.
    #[error("the trained weights are no network")]
    Weights(#[from] CompactWeightsError),
}

/// A reason why a record is no position of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordFault {
    /// The bytes are no position.
    #[error(transparent)]
    Packed(#[from] PackedError),
    /// The position breaks a rule.
    #[error(transparent)]
    Position(#[from] PositionError),
}
