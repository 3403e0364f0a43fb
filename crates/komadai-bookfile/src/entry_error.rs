//! Errors of positions and moves that a book cannot hold.

use komadai_core::{Move, PackedError, Position};
use komadai_movegen::{IllegalMove, check_legality};

/// The reason why a position or a move cannot be part of a book.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::{EntryError, check_move};
/// use komadai_core::Position;
///
/// let error = check_move(&Position::hirate(), "7g7e".parse()?).unwrap_err();
/// assert!(matches!(error, EntryError::IllegalMove { .. }));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EntryError {
    /// The move is illegal.
    #[error("{m} is illegal in {position}: {reason}")]
    IllegalMove {
        /// The move.
        m: Move,
        /// The position as SFEN.
        position: String,
        /// The rule that the move breaks.
        #[source]
        reason: IllegalMove,
    },
    /// The position does not fit into the 32 bytes of a packed position, as some positions with
    /// only one king, or no game reaches it.
    #[error("a book cannot hold {position}: {reason}")]
    Position {
        /// The position as SFEN.
        position: String,
        /// The reason.
        #[source]
        reason: PackedError,
    },
    /// The book has as many positions or analysts as it can number.
    #[error("the book cannot hold more than {limit} {what}")]
    Full {
        /// The kind of item: positions or analysts.
        what: &'static str,
        /// The maximum number of items.
        limit: u64,
    },
}

/// Checks that a move is legal.
///
/// # Errors
///
/// If it is not.
pub fn check_move(position: &Position, m: Move) -> Result<(), EntryError> {
    check_legality(position, m).map_err(|reason| EntryError::IllegalMove {
        m,
        position: position.to_string(),
        reason,
    })
}
