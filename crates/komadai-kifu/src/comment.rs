//! Comments of a game record.

/// One line of comment.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Comment {
    /// A comment on the game, for the reader who replays it (`'*` in CSA). Programs write their
    /// evaluations in this form: the text of `'** 30 -3334FU` is `* 30 -3334FU`.
    Note(String),
    /// A comment on the file, for the reader of the file itself (`'` in CSA).
    Remark(String),
}

impl Comment {
    /// Returns the text.
    pub fn text(&self) -> &str {
        match self {
            Self::Note(text) | Self::Remark(text) => text,
        }
    }
}
