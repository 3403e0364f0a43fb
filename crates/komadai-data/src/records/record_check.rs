//! The checks of a training record that need its position.

use komadai_core::{Move, PackedError, Position};
use komadai_movegen::{IllegalMove, check_legality};

use super::error::RecordFault;

/// The parts of a record that a reader checks. Each level includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum RecordCheck {
    /// The bits of the move and the result; the position stays packed.
    #[default]
    Fields,
    /// The position obeys the rules, and the move is made with a piece that the side to move has,
    /// to a square that is free for it.
    Position,
    /// The move is legal.
    Legality,
}

/// The position, if it is valid and the move possible in the sense of [`RecordCheck::Position`].
pub(super) fn unpacked(
    position: Result<Position, PackedError>,
    best_move: Option<Move>,
) -> Result<Position, RecordFault> {
    let position = position?;
    match best_move.and_then(|m| Some((m, obstacle(&position, m)?))) {
        None => Ok(position),
        Some((m, reason)) => Err(RecordFault::IllegalMove { m, reason }),
    }
}

/// The position, if it is valid and the move legal.
pub(super) fn checked(
    position: Result<Position, PackedError>,
    best_move: Option<Move>,
) -> Result<Position, RecordFault> {
    let position = position?;
    if let Some(m) = best_move {
        check_legality(&position, m).map_err(|reason| RecordFault::IllegalMove { m, reason })?;
    }
    Ok(position)
}

/// The reason why `m` cannot be carried out by putting pieces on squares and taking them away.
fn obstacle(position: &Position, m: Move) -> Option<IllegalMove> {
    let (color, to) = (position.side(), m.to());
    let target = position.piece_on(to);
    if let Some(kind) = m.dropped()
        && !position.hand(color).has(kind)
    {
        return Some(IllegalMove::NotInHand { color, kind });
    }
    let Some(from) = m.from() else {
        return target.map(|piece| IllegalMove::Occupied { piece, square: to });
    };
    match position.piece_on(from) {
        None => Some(IllegalMove::NoPiece { square: from }),
        Some(piece) if piece.color() != color => {
            Some(IllegalMove::NotYourPiece { piece, square: from })
        }
        Some(_) => target
            .filter(|piece| piece.color() == color)
            .map(|piece| IllegalMove::OwnPieceOnTarget { piece, square: to }),
    }
}
