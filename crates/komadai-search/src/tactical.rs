//! Captures and promotions: their recognition and their material gain.

use komadai_core::{Move, Position};
use komadai_movegen::exchange::{capture_value, exchange_value};

/// Checks whether a move captures or promotes.
#[inline]
pub(crate) fn is_tactical(position: &Position, m: Move) -> bool {
    m.is_promotion() || (!m.is_drop() && position.piece_on(m.to()).is_some())
}

/// Returns the material that a capture or promotion gains, in centipawns, if nothing is taken back.
#[inline]
pub(crate) fn material_gain(position: &Position, m: Move) -> i32 {
    let captured = position.piece_on(m.to()).map_or(0, |piece| capture_value(piece.kind()));
    captured + promotion_gain(position, m)
}

#[inline]
fn promotion_gain(position: &Position, m: Move) -> i32 {
    if !m.is_promotion() {
        return 0;
    }
    let kind = m.from().and_then(|from| position.piece_on(from)).map(|piece| piece.kind());
    kind.map_or(0, |kind| {
        kind.promoted().map_or(0, |promoted| exchange_value(promoted) - exchange_value(kind))
    })
}

/// Returns the order of captures and promotions: most valuable victim, then least valuable attacker
/// (MVV-LVA). Never negative.
pub(crate) fn mvv_lva(position: &Position, m: Move) -> i32 {
    let attacker = m.from().and_then(|from| position.piece_on(from));
    // A sixteenth, with the king capped at 2,000, keeps the attacker a tie-breaker: 125 at most.
    let cost = attacker.map_or(0, |piece| exchange_value(piece.kind()).min(2_000) / 16);
    (material_gain(position, m) - cost).max(0)
}
