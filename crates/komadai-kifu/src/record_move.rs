//! A move of a game record.

use std::time::Duration;

use komadai_core::Move;

use crate::comment::Comment;

/// A move of a game with its time and comments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RecordMove {
    /// The move.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub m: Move,
    /// The time the player took for it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub time: Option<Duration>,
    /// Comments on the position after it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub comments: Vec<Comment>,
    /// The bookmark (しおり) of the position after it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub bookmark: Option<String>,
}

impl RecordMove {
    /// Creates a move without time and comments.
    pub fn new(m: Move) -> Self {
        Self { m, time: None, comments: Vec::new(), bookmark: None }
    }
}
