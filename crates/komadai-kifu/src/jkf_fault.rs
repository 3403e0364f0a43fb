//! Faults of JKF.

use komadai_core::{Color, PositionError, Square};
use komadai_movegen::IllegalMove;

use crate::notation::names;
use crate::text::shorten;

/// A fault of a JKF text: the place, and the kind of fault.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{KifuError, Tolerance, parse_jkf};
///
/// let text = r#"{"header":{},"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":10}}}]}"#;
/// let Err(KifuError::Jkf(fault)) = parse_jkf(text, Tolerance::Strict) else { panic!() };
/// assert_eq!(fault.path, "moves[1].move.to.y");
/// assert_eq!(fault.to_string(), "moves[1].move.to.y: found 10, expected a number from 1 to 9");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{kind}", self.place())]
pub struct JkfFault {
    /// The path to the value, such as `moves[12].move.to`; empty for a fault of the JSON itself.
    pub path: String,
    /// The line, from 1, for a fault of the JSON itself.
    pub line: Option<u64>,
    /// The column in bytes, from 1, for a fault of the JSON itself.
    pub column: Option<usize>,
    /// The kind of fault.
    pub kind: JkfFaultKind,
}

/// The kinds of faults that a JKF text can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JkfFaultKind {
    /// The text is not JSON, or its values are nested too deeply.
    #[error("{message}")]
    Json {
        /// The fault in the words of the JSON reader.
        message: String,
    },
    /// The text is longer than the limit of a reader.
    #[error("longer than {limit} bytes")]
    TooLong {
        /// The limit in bytes.
        limit: u64,
    },
    /// A value is not what JKF requires there.
    #[error("found {found}, expected {expected}")]
    Unexpected {
        /// The value found as JSON, cut after 40 characters.
        found: String,
        /// The value expected.
        expected: &'static str,
    },
    /// The start position breaks a rule.
    #[error("the start position is not possible: {0}")]
    StartPosition(PositionError),
    /// A move has the colour of the side that is not to move.
    #[error("ply {ply} is a move of {:?}, but {expected:?} is to move", !*.expected)]
    WrongSide {
        /// The number of the move, from 1.
        ply: usize,
        /// The side to move.
        expected: Color,
    },
    /// A move without origin can be made by several pieces.
    #[error(
        "ply {ply} has no origin, and pieces on several squares can make it: {}",
        names(candidates, " ")
    )]
    Ambiguous {
        /// The number of the move, from 1.
        ply: usize,
        /// The squares of these pieces.
        candidates: Vec<Square>,
    },
    /// A move is illegal.
    #[error("ply {ply} is illegal: {reason}")]
    IllegalMove {
        /// The number of the move, from 1.
        ply: usize,
        /// The rule it breaks.
        reason: IllegalMove,
    },
}

impl JkfFault {
    /// Returns the start of the message.
    fn place(&self) -> String {
        match (self.line, self.column) {
            (Some(line), Some(column)) => format!("line {line}, column {column}: "),
            _ if self.path.is_empty() => String::new(),
            _ => format!("{}: ", self.path),
        }
    }

    /// Creates a fault of a value whose path is added by the callers.
    pub(crate) fn new(kind: JkfFaultKind) -> Self {
        Self { path: String::new(), line: None, column: None, kind }
    }

    /// Creates a fault of a value that is not the one expected.
    pub(crate) fn unexpected(found: &serde_json::Value, expected: &'static str) -> Self {
        let found = match found {
            // A value of any size is not printed only to be cut.
            serde_json::Value::Array(_) => "an array".to_owned(),
            serde_json::Value::Object(_) => "an object".to_owned(),
            value => shorten(&value.to_string()),
        };
        Self::new(JkfFaultKind::Unexpected { found, expected })
    }

    /// Creates a fault of a value that is missing.
    pub(crate) fn missing(expected: &'static str) -> Self {
        Self::new(JkfFaultKind::Unexpected { found: "nothing".to_owned(), expected })
    }

    /// Prepends a key, or an index such as `[3]`, to the path.
    #[must_use]
    pub(crate) fn within(mut self, step: &str) -> Self {
        if !step.is_empty() {
            let separator =
                if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
            self.path = format!("{step}{separator}{}", self.path);
        }
        self
    }

    /// Prepends an index to the path.
    #[must_use]
    pub(crate) fn at(self, index: usize) -> Self {
        self.within(&format!("[{index}]"))
    }
}

impl From<serde_json::Error> for JkfFault {
    fn from(error: serde_json::Error) -> Self {
        let (line, column) = (error.line() as u64, error.column());
        // The place stands in fields of its own.
        let place = format!(" at line {line} column {column}");
        let message = error.to_string();
        let message = message.strip_suffix(&place).unwrap_or(&message).to_owned();
        Self {
            path: String::new(),
            line: Some(line.max(1)),
            column: Some(column.max(1)),
            kind: JkfFaultKind::Json { message },
        }
    }
}
