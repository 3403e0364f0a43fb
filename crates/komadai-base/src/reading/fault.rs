//! Faults of a text that do not depend on its format.

use std::error::Error;
use std::fmt;
use std::io;

use crate::text;

/// A fault of a text that is read line by line: the place, and the kind of fault.
///
/// All readers of text formats share this type. The error of one format wraps it and adds the
/// faults that only this format has.
///
/// # Examples
///
/// ```
/// use komadai_base::reading::{TextFault, TextFaultKind};
///
/// let fault = TextFault::syntax(3, 7, "7g7x", "a move such as 7g7f");
/// assert_eq!(
///     fault.to_string(),
///     "line 3, column 7: found \"7g7x\", expected a move such as 7g7f",
/// );
/// assert!(matches!(fault.kind, TextFaultKind::Syntax { .. }));
/// ```
#[derive(Debug)]
pub struct TextFault {
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1, for a fault that has one.
    pub column: Option<usize>,
    /// The kind of fault.
    pub kind: TextFaultKind,
}

/// The kinds of faults that a text of any format can have.
#[derive(Debug)]
#[non_exhaustive]
pub enum TextFaultKind {
    /// The source failed while the line was read.
    Io(io::Error),
    /// The line is longer than the format allows.
    LineTooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// Bytes of the line are no text in an expected encoding. A lenient reading replaces them with
    /// U+FFFD.
    Encoding {
        /// The encodings expected.
        expected: &'static str,
    },
    /// The line is text in another encoding than that of the lines around it. A lenient reading
    /// reads it in that.
    OtherEncoding {
        /// The encoding of the text.
        expected: &'static str,
        /// The encoding of the line.
        found: &'static str,
    },
    /// The text at this place is not what the format requires there.
    Syntax {
        /// The text found, cut after 40 characters.
        found: String,
        /// The text expected.
        expected: &'static str,
    },
}

impl TextFault {
    /// Creates a fault of a whole line.
    pub fn in_line(line: u64, kind: TextFaultKind) -> Self {
        Self { line, column: None, kind }
    }

    /// Creates a syntax fault. Of `found` the first 40 characters are kept.
    pub fn syntax(line: u64, column: usize, found: &str, expected: &'static str) -> Self {
        let found = text::shorten(found, 40);
        Self { line, column: Some(column), kind: TextFaultKind::Syntax { found, expected } }
    }

    /// Returns true if the source failed, so that nothing more can be read from it.
    pub fn is_final(&self) -> bool {
        matches!(self.kind, TextFaultKind::Io(_))
    }
}

impl fmt::Display for TextFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(column) = self.column {
            write!(f, ", column {column}")?;
        }
        write!(f, ": {}", self.kind)
    }
}

impl fmt::Display for TextFaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(_) => f.write_str("cannot read on"),
            Self::LineTooLong { limit } => write!(f, "longer than {limit} bytes"),
            Self::Encoding { expected } => write!(f, "not {expected}"),
            Self::OtherEncoding { expected, found } => {
                write!(f, "the line is {found}, the text around it {expected}")
            }
            Self::Syntax { found, expected } => {
                // The blank of Japanese text is no character to escape.
                let found = format!("{found:?}").replace("\\u{3000}", "\u{3000}");
                write!(f, "found {found}, expected {expected}")
            }
        }
    }
}

// By hand, so that the source is the I/O error itself: a chain of sources printed in full would
// otherwise contain the kind twice.
impl Error for TextFault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.kind {
            TextFaultKind::Io(error) => Some(error),
            _ => None,
        }
    }
}
