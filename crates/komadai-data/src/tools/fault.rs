//! Damage in training data: its reason and its place.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::records::{GameDamage, PackedSfenValue, RecordFault, TrainingFormat};
use serde::{Deserialize, Serialize};

/// Number of bytes of a record of YaneuraOu (PSV), which all tools work on.
pub(super) const BYTES: usize = PackedSfenValue::BYTES;

/// The reason why a record or a file is damaged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// A part of a record contradicts the format or another part.
    #[error(transparent)]
    Record(#[from] RecordFault),
    /// A game is damaged.
    #[error(transparent)]
    Game(Box<GameDamage>),
    /// A score that no program writes.
    #[error("the score {found}, expected -{most} to {most}")]
    Score {
        /// The score.
        found: i16,
        /// The largest score.
        most: i16,
    },
    /// The file ends in the middle of a record.
    #[error("the file ends after {found} of {expected} bytes of a record")]
    Truncated {
        /// The number of bytes that the file has of the record.
        found: u64,
        /// The number of bytes of a record.
        expected: usize,
    },
    /// The file has another number of records than its manifest states.
    #[error("found {found} records, expected {expected} as stated")]
    Length {
        /// The number of whole records in the file.
        found: u64,
        /// The number in the manifest.
        expected: u64,
    },
    /// The file has another content than its manifest states.
    #[error("found SHA-256 {found}, expected {expected} as stated")]
    Hash {
        /// The SHA-256 of the file.
        found: String,
        /// The SHA-256 in the manifest.
        expected: String,
    },
    /// The manifest names a file that does not exist.
    #[error("the manifest names this file, and it does not exist")]
    Missing,
    /// The file has a format that is not read.
    #[error("the file is of the format {found}, which is not read")]
    Format {
        /// The format of the file.
        found: TrainingFormat,
    },
    /// The file cannot be read on.
    #[error("cannot read on: {reason}")]
    Unreadable {
        /// The error of the system.
        reason: String,
    },
}

/// Boxes the damage, because it is large and errors are returned by value.
impl From<GameDamage> for Fault {
    fn from(damage: GameDamage) -> Self {
        Self::Game(Box::new(damage))
    }
}

/// The kinds of [`Fault`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FaultKind {
    /// A file that does not exist.
    Missing,
    /// A file of a format that is not read.
    Format,
    /// Another number of records than stated.
    Length,
    /// Another content than stated.
    Hash,
    /// A file that cannot be read on.
    Unreadable,
    /// A record that is cut off.
    Truncated,
    /// A result that the format does not know.
    Result,
    /// Bits that represent no move.
    MoveBits,
    /// Bytes that represent no legal position.
    Position,
    /// A move that the position does not allow.
    IllegalMove,
    /// A score out of range.
    Score,
    /// Bytes that are no game.
    Frame,
}

impl Fault {
    /// Returns whether the fault has the place of its game.
    pub(super) fn is_of_game(&self) -> bool {
        matches!(self, Self::Game(_))
    }

    /// Returns whether nothing after the fault can be read.
    pub(super) fn ends_file(&self) -> bool {
        matches!(self, Self::Game(damage) if damage.is_final)
    }

    /// Returns the kind.
    pub fn kind(&self) -> FaultKind {
        match self {
            Self::Record(fault) => FaultKind::of(fault),
            Self::Game(damage) => FaultKind::of(&damage.fault),
            Self::Truncated { .. } => FaultKind::Truncated,
            Self::Score { .. } => FaultKind::Score,
            Self::Length { .. } => FaultKind::Length,
            Self::Hash { .. } => FaultKind::Hash,
            Self::Missing => FaultKind::Missing,
            Self::Format { .. } => FaultKind::Format,
            Self::Unreadable { .. } => FaultKind::Unreadable,
        }
    }
}

impl FaultKind {
    fn of(fault: &RecordFault) -> Self {
        match fault {
            RecordFault::Move { .. } | RecordFault::MoveIndex { .. } => Self::MoveBits,
            RecordFault::Result { .. } | RecordFault::End { .. } => Self::Result,
            RecordFault::IllegalMove { .. } => Self::IllegalMove,
            RecordFault::Length { .. } | RecordFault::Cut { .. } => Self::Truncated,
            RecordFault::Position(_) => Self::Position,
            // Faults of later versions concern the frame of games as well.
            _ => Self::Frame,
        }
    }
}

/// The kind in words, as in "3 illegal moves".
impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "missing files",
            Self::Format => "files of other formats",
            Self::Length => "files of wrong length",
            Self::Hash => "files of wrong content",
            Self::Unreadable => "unreadable files",
            Self::Truncated => "records cut off",
            Self::Result => "impossible results",
            Self::MoveBits => "impossible moves",
            Self::Position => "broken positions",
            Self::IllegalMove => "illegal moves",
            Self::Score => "scores out of range",
            Self::Frame => "broken games",
        })
    }
}

/// A damaged file or record: its place and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Damaged {
    /// The file.
    pub path: PathBuf,
    /// The number of the record, from 1; `None` if the file as a whole is damaged.
    pub record: Option<u64>,
    offset: Option<u64>,
    /// The reason.
    pub fault: Fault,
}

/// The place of a record in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The number of the record, from 1.
    pub(super) record: u64,
    /// Its first byte, if its format has records of a fixed length.
    pub(super) offset: Option<u64>,
}

impl Damaged {
    pub(super) fn new(path: &Path, place: Option<Place>, fault: Fault) -> Self {
        let (record, offset) =
            (place.map(|place| place.record), place.and_then(|place| place.offset));
        Self { path: path.to_owned(), record, offset, fault }
    }

    /// Returns the byte of the fault in its file.
    pub fn offset(&self) -> Option<u64> {
        match &self.fault {
            Fault::Game(damage) => Some(damage.at),
            _ => self.offset,
        }
    }
}

/// The file, the record with its offset, and the reason.
impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match (self.record, self.offset) {
            (Some(record), Some(offset)) => write!(f, "record {record} at byte {offset}: ")?,
            (Some(record), None) => write!(f, "record {record}: ")?,
            (None, _) => {}
        }
        self.fault.fmt(f)
    }
}

impl std::error::Error for Damaged {}
