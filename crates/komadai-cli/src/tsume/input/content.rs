//! The contents of a source of problems: positions, or lines that state them.

use komadai::{Move, Position};

/// The position of a problem.
#[derive(Debug)]
pub(in crate::tsume) enum Content {
    /// A position with the moves of its record, which may be the solution that the author intends.
    Position(Box<Position>, Vec<Move>),
    /// A line that states a position, and its place. It is parsed by the thread that solves it.
    Text { text: String, place: String },
}

/// A problem without its number: the id, and the position or the reason why there is none.
pub(super) type Found = (String, Result<Content, String>);
