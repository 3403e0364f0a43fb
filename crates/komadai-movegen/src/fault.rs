//! The test of a move against every rule.
//!
//! [`fault`] is the only place that decides legality of a single move. It examines only the squares
//! that the move affects.

use komadai_core::{Color, Move, Piece, PieceKind, Position, Square, attacks};

use crate::uchifuzume::is_pawn_drop_mate;

/// The rule that a move breaks, without the squares and pieces concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    NoPiece,
    NotYourPiece,
    OwnPieceOnTarget,
    CannotReach,
    CannotPromote,
    OutsidePromotionZone,
    MustPromote,
    KingIntoCheck,
    Pinned,
    NotInHand,
    Occupied,
    DeadDrop,
    Nifu,
    LeavesKingInCheck,
    PawnDropMate,
}

/// The first rule that `m` breaks, if any.
#[inline]
pub(crate) fn fault(position: &Position, m: Move) -> Option<Fault> {
    match (m.from(), m.dropped()) {
        (Some(from), _) => board_move_fault(position, from, m),
        (None, Some(kind)) => drop_fault(position, kind, m.to()),
        (None, None) => unreachable!("a move is a board move or a drop"),
    }
}

fn board_move_fault(position: &Position, from: Square, m: Move) -> Option<Fault> {
    let us = position.side();
    let to = m.to();
    let Some(piece) = position.piece_on(from) else { return Some(Fault::NoPiece) };
    let kind = piece.kind();
    if piece.color() != us {
        return Some(Fault::NotYourPiece);
    }
    if position.color(us).contains(to) {
        return Some(Fault::OwnPieceOnTarget);
    }
    if !attacks::of(us, kind, from, position.occupied()).contains(to) {
        return Some(Fault::CannotReach);
    }
    promotion_fault(piece, from, m).or_else(|| king_fault(position, kind, from, to))
}

#[inline]
fn promotion_fault(piece: Piece, from: Square, m: Move) -> Option<Fault> {
    let color = piece.color();
    let kind = piece.kind();
    if !m.is_promotion() {
        return is_dead(color, kind, m.to()).then_some(Fault::MustPromote);
    }
    if !kind.can_promote() {
        return Some(Fault::CannotPromote);
    }
    let in_zone = from.is_promotion_zone(color) || m.to().is_promotion_zone(color);
    (!in_zone).then_some(Fault::OutsidePromotionZone)
}

/// The fault if the own king could be captured after the piece of `kind` moved from `from` to `to`.
#[inline]
fn king_fault(position: &Position, kind: PieceKind, from: Square, to: Square) -> Option<Fault> {
    let us = position.side();
    if kind == PieceKind::King {
        // The king itself does not shield the squares behind it.
        let occupied = position.occupied() - from.into();
        let attacked = !position.attackers_to(!us, to, occupied).is_empty();
        return attacked.then_some(Fault::KingIntoCheck);
    }
    let king = position.king_square(us)?;
    if !parries(position, king, to) {
        return Some(Fault::LeavesKingInCheck);
    }
    // Most pieces do not share a line with the king and an enemy slider, so that the cheapest test
    // comes first.
    let pinned = !attacks::ray(king, from).is_disjoint(position.sliders() & position.color(!us))
        && !attacks::line_through(king, from).contains(to)
        && position.blockers(!us, king).contains(from);
    pinned.then_some(Fault::Pinned)
}

#[inline]
fn drop_fault(position: &Position, kind: PieceKind, to: Square) -> Option<Fault> {
    let us = position.side();
    if !position.hand(us).has(kind) {
        return Some(Fault::NotInHand);
    }
    if position.occupied().contains(to) {
        return Some(Fault::Occupied);
    }
    if is_dead(us, kind, to) {
        return Some(Fault::DeadDrop);
    }
    if kind == PieceKind::Pawn && own_pawn_on_file(position, to).is_some() {
        return Some(Fault::Nifu);
    }
    if position.king_square(us).is_some_and(|king| !parries(position, king, to)) {
        return Some(Fault::LeavesKingInCheck);
    }
    (kind == PieceKind::Pawn && is_pawn_drop_mate(position, to)).then_some(Fault::PawnDropMate)
}

/// Returns whether `king` is not in check after a piece other than the king has moved to `to`: it
/// was not in check before, or the piece captures the only checker or blocks its line.
#[inline]
fn parries(position: &Position, king: Square, to: Square) -> bool {
    let checkers = position.checkers();
    match checkers.first() {
        None => true,
        Some(checker) => {
            !checkers.has_many() && (checkers | attacks::between(king, checker)).contains(to)
        }
    }
}

/// Returns whether a piece of `kind` on `square` could never move again (行き所のない駒).
#[inline]
fn is_dead(color: Color, kind: PieceKind, square: Square) -> bool {
    let far = square.rank().from_far_side(color);
    match kind {
        PieceKind::Pawn | PieceKind::Lance => far == 0,
        PieceKind::Knight => far < 2,
        _ => false,
    }
}

/// The unpromoted pawn that the side to move has on the file of `square`.
pub(crate) fn own_pawn_on_file(position: &Position, square: Square) -> Option<Square> {
    let pawns = position.pieces(position.side(), PieceKind::Pawn);
    (pawns & komadai_core::Bitboard::file(square.file())).first()
}
