//! The file of the weights of [`SoftmaxMoves`](super::softmax::SoftmaxMoves).

use super::tables::{COUNT, TABLES};

/// The first line.
const FORMAT: &str = "komadai move probabilities 1, unit 1/32";

/// A file that is no table of move probabilities.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveTableError {
    /// A line of the text is another one: the file has another format, or its tables differ.
    #[error("line {line}: found {found:?}, expected {expected:?}")]
    Line {
        /// Line number, from 1.
        line: usize,
        /// The line found, at most 80 characters of it.
        found: String,
        /// The line expected.
        expected: String,
    },
    /// The number of weights is not that of the tables.
    #[error("found {found} weights, expected {expected}")]
    Length {
        /// The bytes after the text.
        found: usize,
        /// The number of weights of all tables.
        expected: usize,
    },
    /// A line has no counts of a class.
    #[error(
        "line {line}: found {found:?}, expected a class, offered and played, at most as often as offered"
    )]
    Counts {
        /// Line number, from 1.
        line: usize,
        /// The line found, at most 80 characters of it.
        found: String,
    },
    /// A weight is −128, which no writer writes.
    #[error("weight {index}: found -128, expected -127 to 127")]
    Weight {
        /// The number of the weight, from 0.
        index: usize,
    },
}

impl MoveTableError {
    /// Compares a line with the expected one.
    pub(super) fn compare_line(line: usize, found: &str, expected: &str) -> Result<(), Self> {
        if found == expected {
            return Ok(());
        }
        Err(Self::Line { line, found: cut(found), expected: expected.to_owned() })
    }

    pub(super) fn counts(line: usize, found: &str) -> Self {
        Self::Counts { line, found: cut(found) }
    }
}

fn cut(line: &str) -> String {
    line.chars().take(80).collect()
}

/// Returns the lines before the weights; the last one is empty.
fn header() -> impl Iterator<Item = String> {
    let tables = TABLES.iter().map(|(name, length)| format!("{length} {name}"));
    [FORMAT.to_owned()].into_iter().chain(tables).chain([String::new()])
}

/// Returns the weights of a file as bytes.
pub(super) fn read(bytes: &[u8]) -> Result<&[u8], MoveTableError> {
    let mut rest = bytes;
    for (index, expected) in header().enumerate() {
        let end = rest.iter().position(|&byte| byte == b'\n');
        let line = &rest[..end.unwrap_or(rest.len())];
        if line != expected.as_bytes() || end.is_none() {
            let found = cut(&String::from_utf8_lossy(line));
            return Err(MoveTableError::Line { line: index + 1, found, expected });
        }
        rest = &rest[line.len() + 1..];
    }
    if rest.len() != COUNT {
        return Err(MoveTableError::Length { found: rest.len(), expected: COUNT });
    }
    match rest.iter().position(|&byte| byte == i8::MIN.cast_unsigned()) {
        Some(index) => Err(MoveTableError::Weight { index }),
        None => Ok(rest),
    }
}

/// Returns the bytes of a file.
pub(super) fn write(weights: &[i8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(weights.len() + 2_048);
    for line in header() {
        bytes.extend(line.bytes());
        bytes.push(b'\n');
    }
    bytes.extend(weights.iter().map(|weight| weight.cast_unsigned()));
    bytes
}
