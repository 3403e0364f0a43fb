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
