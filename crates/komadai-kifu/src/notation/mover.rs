//! The piece of a move, and what the notations ask about it.

use komadai_core::{Move, Piece, PieceKind, Position};
use komadai_movegen::is_legal;

/// Returns the kind that moves, before a promotion.
pub(super) fn mover(position: &Position, m: Move) -> PieceKind {
    let on_board = m.from().and_then(|from| position.piece_on(from)).map(Piece::kind);
    m.dropped().or(on_board).unwrap_or(PieceKind::Pawn)
}

/// Returns true if the same move with a promotion would be legal.
pub(super) fn may_promote(position: &Position, m: Move) -> bool {
    m.from().is_some_and(|from| is_legal(position, Move::promotion(from, m.to())))
}
