//! LineNumbers of faults in files.

use std::fmt;

/// The place of a fault in a file.
///
/// Lines, columns and records count from 1, columns in characters, bytes from 0.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::FaultPlace;
///
/// let place = FaultPlace::Column { line: 12, column: 3 };
/// assert_eq!((place.line(), place.column()), (Some(12), Some(3)));
/// assert_eq!(place.to_string(), "line 12, column 3");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum FaultPlace {
    /// A line of a text.
    Line {
        /// The line.
        line: u64,
    },
    /// A column of a line of a text.
    Column {
        /// The line.
        line: u64,
        /// The column.
        column: usize,
    },
    /// A byte of a binary file, outside its records or in an unknown one.
    Byte {
        /// The offset of the byte.
        at: u64,
    },
    /// A byte of a record of a binary file.
    Record {
        /// The record.
        record: u64,
        /// The offset of the byte in the file.
        at: u64,
    },
}

impl FaultPlace {
    /// The line, in a text.
    #[must_use]
    pub fn line(self) -> Option<u64> {
        match self {
            Self::Line { line } | Self::Column { line, .. } => Some(line),
            Self::Byte { .. } | Self::Record { .. } => None,
        }
    }

    /// The column, where it is known.
    #[must_use]
    pub fn column(self) -> Option<usize> {
        match self {
            Self::Column { column, .. } => Some(column),
            _ => None,
        }
    }

    /// The record, where it is known.
    #[must_use]
    pub fn record(self) -> Option<u64> {
        match self {
            Self::Record { record, .. } => Some(record),
            _ => None,
        }
    }

    /// The offset in bytes, in a binary file.
    #[must_use]
    pub fn at(self) -> Option<u64> {
        match self {
            Self::Byte { at } | Self::Record { at, .. } => Some(at),
            Self::Line { .. } | Self::Column { .. } => None,
        }
    }
}

impl fmt::Display for FaultPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { line } => write!(f, "line {line}"),
            Self::Column { line, column } => write!(f, "line {line}, column {column}"),
            Self::Byte { at } => write!(f, "byte {at}"),
            Self::Record { record, at } => write!(f, "record {record}, byte {at}"),
        }
    }
}
