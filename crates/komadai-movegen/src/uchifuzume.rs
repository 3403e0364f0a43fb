//! Mate by a dropped pawn (打ち歩詰め, uchifuzume), which is illegal.

use komadai_core::{Color, PieceKind, Position, Square, attacks};

use crate::king_danger::danger_of;

/// Returns whether a pawn of the side to move, dropped on `square`, would give mate.
///
/// Only a drop directly in front of the opponent's king can. The caller guarantees that the drop is
/// otherwise legal: the square is empty, a pawn is held, and the own king is not in check after it.
/// A pawn drop that leaves the opponent without a move but not in check is not a mate.
pub(crate) fn is_pawn_drop_mate(position: &Position, square: Square) -> bool {
    let us = position.side();
    let Some(king) = position.king_square(!us) else { return false };
    if !attacks::pawn(us, square).contains(king) {
        return false;
    }
    // Nearly always the king has an escape, at least by capturing the pawn, so that this is tested
    // first.
    let occupied = (position.occupied() | square.into()) - king.into();
    let danger = danger_of(!us, position, king, occupied);
    let escapes = attacks::king(king) - position.color(!us) - danger;
    escapes.is_empty() && !can_be_taken(position, us, king, square)
}

/// Returns whether a piece other than the king may capture on `square`.
fn can_be_taken(position: &Position, us: Color, king: Square, square: Square) -> bool {
    let defenders =
        position.attackers_to(!us, square, position.occupied()) - position.kind(PieceKind::King);
    if defenders.is_empty() {
        return false;
    }
    let pinned = position.blockers(us, king);
    defenders.iter().any(|defender| {
        !pinned.contains(defender) || attacks::line_through(king, defender).contains(square)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pawn_drop_mates_unless_the_king_has_an_escape() {
        // The knight blocks the king's escape and cannot take the pawn.
        let mate = Position::from_sfen("7nk/9/8G/9/9/9/9/9/4K4 b P 1").unwrap();
        assert!(is_pawn_drop_mate(&mate, Square::S12));
        let escape = Position::from_sfen("8k/9/8G/9/9/9/9/9/4K4 b P 1").unwrap();
        assert!(!is_pawn_drop_mate(&escape, Square::S12));
    }
}
