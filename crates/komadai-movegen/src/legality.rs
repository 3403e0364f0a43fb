//! The legality of an arbitrary move, and the reason why it is illegal.
//!
//! [`fault`] finds the broken rule. [`IllegalMove`] describes it in a separate step, which only
//! callers that need the reason pay for.

use komadai_core::{Move, Position};

use crate::fault::fault;
use crate::illegal_move::IllegalMove;

/// Returns whether `m`, which may be an arbitrary move, is legal.
///
/// Suited to the hash and killer moves of a search, because no moves are generated.
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
#[inline]
pub fn is_legal(position: &Position, m: Move) -> bool {
    fault(position, m).is_none()
}

/// Checks whether `m`, which may be an arbitrary move, is legal, and finds the rule that it breaks.
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
/// Returns the first reason that applies, in the order in which [`IllegalMove`] lists them.
pub fn check_legality(position: &Position, m: Move) -> Result<(), IllegalMove> {
    match fault(position, m) {
        None => Ok(()),
        Some(fault) => Err(IllegalMove::explain(position, m, fault)),
    }
}
