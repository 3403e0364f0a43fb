//! Whether any move at all, wherever it comes from, is legal, and why not.
//!
//! [`fault`] judges; the words for what it finds are put together apart, in [`IllegalMove`], for
//! those who ask.

use komadai_core::{Move, Position};

use crate::fault::fault;
use crate::illegal_move::IllegalMove;

/// Whether `m`, which may be any move at all, is legal.
///
/// Made for the hash and killer moves of a search: nothing is generated.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::is_legal;
///
/// let position = Position::hirate();
/// assert!(is_legal(&position, "7g7f".parse()?));
/// assert!(!is_legal(&position, "7g7e".parse()?));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[must_use]
#[inline]
pub fn is_legal(position: &Position, m: Move) -> bool {
    fault(position, m).is_none()
}

/// Whether `m`, which may be any move at all, is legal, and if not, which rule it breaks.
///
/// # Examples
///
/// ```
/// use komadai_core::{Position, Square};
/// use komadai_movegen::{IllegalMove, check_legality};
///
/// let position = Position::from_sfen("4k4/9/9/9/9/9/4P4/9/4K4 b P 1")?;
/// let nifu = check_legality(&position, "P*5e".parse()?);
/// assert_eq!(nifu, Err(IllegalMove::Nifu { square: Square::S55, pawn: Square::S57 }));
/// assert_eq!(nifu.unwrap_err().to_string(), "5e is on a file that has an own unpromoted pawn on 5g");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The reason, the first that applies in the order in which [`IllegalMove`] lists them.
pub fn check_legality(position: &Position, m: Move) -> Result<(), IllegalMove> {
    match fault(position, m) {
        None => Ok(()),
        Some(fault) => Err(IllegalMove::explain(position, m, fault)),
    }
}
