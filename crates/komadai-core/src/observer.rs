//! The interface for observing every change of the board.

use crate::color::Color;
use crate::hand::Hand;
use crate::piece::Piece;
use crate::square::Square;

/// A receiver of each piece change while a move is done or undone.
///
/// An incrementally updated evaluation implements this and is passed to
/// [`Position::do_move_with`](crate::Position::do_move_with). With [`NoObserver`] the calls compile
/// to nothing. The order of calls within one move is: captured piece removed, moving piece removed
/// (or the hand changed), piece put, hand changed by the capture.
///
/// # Examples
///
/// An observer that counts the pieces on the board:
///
/// ```
/// use komadai_core::{BoardObserver, Color, Hand, Piece, Position, Square};
///
/// struct PieceCount(i32);
///
/// impl BoardObserver for PieceCount {
///     fn removed(&mut self, _: Piece, _: Square) {
///         self.0 -= 1;
///     }
///
///     fn put(&mut self, _: Piece, _: Square) {
///         self.0 += 1;
///     }
///
///     fn hand_changed(&mut self, _: Color, _: Hand) {}
/// }
///
/// let mut position = Position::hirate();
/// let mut count = PieceCount(40);
/// for m in ["7g7f", "3c3d", "8h2b+"] {
///     position.do_move_with(m.parse()?, &mut count);
/// }
/// assert_eq!(count.0, 39); // one piece was captured
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
pub trait BoardObserver {
    /// Reports that `piece` has left `square`.
    fn removed(&mut self, piece: Piece, square: Square);

    /// Reports that `piece` now stands on `square`.
    fn put(&mut self, piece: Piece, square: Square);

    /// Reports that `color` now holds `hand`.
    fn hand_changed(&mut self, color: Color, hand: Hand);
}

/// An observer that ignores every change, at no cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoObserver;

impl BoardObserver for NoObserver {
    #[inline]
    fn removed(&mut self, _: Piece, _: Square) {}

    #[inline]
    fn put(&mut self, _: Piece, _: Square) {}

    #[inline]
    fn hand_changed(&mut self, _: Color, _: Hand) {}
}
