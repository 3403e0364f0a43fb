//! Captures and promotions: their recognition and their material gain.

use komadai_core::{Move, Piece, PieceKind, Position};
use komadai_movegen::exchange::{capture_value, exchange_value};

use crate::history::piece_to::PieceTo;

/// `[kind]`: the material that its promotion gains, in centipawns.
pub(crate) const PROMOTION_GAIN: [i32; PieceKind::COUNT] = {
    let mut gain = [0; PieceKind::COUNT];
    let mut i = 0;
    while i < PieceKind::COUNT {
        let kind = PieceKind::ALL[i];
        if let Some(promoted) = kind.promoted() {
            gain[i] = exchange_value(promoted) - exchange_value(kind);
        }
        i += 1;
    }
    gain
};

/// `[kind]`: its part as an attacker in the order of captures. A sixteenth of its value, with the
/// king capped at 2,000, keeps it a tie-breaker: 125 at most.
pub(crate) const ATTACKER_COST: [i32; PieceKind::COUNT] = {
    let mut cost = [0; PieceKind::COUNT];
    let mut i = 0;
    while i < PieceKind::COUNT {
        let value = exchange_value(PieceKind::ALL[i]);
        cost[i] = if value > 2_000 { 2_000 } else { value } / 16;
        i += 1;
    }
    cost
};

/// Checks whether a move captures or promotes.
#[inline]
pub(crate) fn is_tactical(position: &Position, m: Move) -> bool {
    m.is_promotion() || (!m.is_drop() && position.piece_on(m.to()).is_some())
}

/// Checks whether a move captures.
#[inline]
pub(crate) fn is_capture(position: &Position, m: Move) -> bool {
    !m.is_drop() && position.piece_on(m.to()).is_some()
}

/// A move, with what the board tells about it: looked up once for all rules.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PieceMove {
    pub(crate) m: Move,
    /// The kind that the move leaves on its destination.
    pub(crate) kind: PieceKind,
    pub(crate) piece_to: PieceTo,
    pub(crate) captured: Option<PieceKind>,
}

impl PieceMove {
    /// Looks up a legal move that is not yet done.
    #[inline(always)]
    pub(crate) fn of(position: &Position, m: Move) -> Self {
        let mut captured = None;
        let kind = match m.from() {
            None => m.dropped(),
            Some(from) => {
                captured = position.piece_on(m.to()).map(Piece::kind);
                let kind = position.piece_on(from).map(Piece::kind);
                if m.is_promotion() { kind.and_then(PieceKind::promoted) } else { kind }
            }
        };
        let kind = kind.unwrap_or(PieceKind::King);
        Self { m, kind, piece_to: PieceTo::new(position.side(), kind, m.to()), captured }
    }

    /// Returns whether the move captures.
    #[inline]
    pub(crate) fn is_capture(&self) -> bool {
        self.captured.is_some()
    }

    /// Returns the material that a capture gains, in centipawns, if nothing is taken back.
    #[inline]
    pub(crate) fn gain(&self) -> i32 {
        self.captured.map_or(0, capture_value)
    }
}

/// Returns the order of captures and promotions: most valuable victim, then least valuable attacker
/// (MVV-LVA). Never negative.
#[inline]
pub(crate) fn mvv_lva(position: &Position, m: Move) -> i32 {
    let Some(attacker) = m.from().and_then(|from| position.piece_on(from)) else { return 0 };
    let kind = attacker.kind();
    let captured = position.piece_on(m.to()).map_or(0, |piece| capture_value(piece.kind()));
    let promotion = if m.is_promotion() { PROMOTION_GAIN[kind] } else { 0 };
    (captured + promotion - ATTACKER_COST[kind]).max(0)
}
