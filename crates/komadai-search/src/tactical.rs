//! Captures and promotions: their recognition and their material gain.

use komadai_core::{Move, Piece, PieceKind, Position};
use komadai_movegen::exchange::{capture_value, exchange_value};

use crate::history::piece_to::PieceTo;

/// Checks whether a move captures or promotes.
#[inline]
pub(crate) fn is_tactical(position: &Position, m: Move) -> bool {
    m.is_promotion() || (!m.is_drop() && position.piece_on(m.to()).is_some())
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

    /// Returns whether the move captures or promotes.
    #[inline]
    pub(crate) fn is_tactical(&self) -> bool {
        self.captured.is_some() || self.m.is_promotion()
    }
    /// Returns the material that a capture or promotion gains, in centipawns, if nothing is taken
    /// back.
    #[inline]
    pub(crate) fn gain(&self) -> i32 {
        let promotion = if self.m.is_promotion() {
            exchange_value(self.kind) - exchange_value(self.kind.unpromoted())
        } else {
            0
        };
        self.captured.map_or(0, capture_value) + promotion
    }
}

/// Returns the order of captures and promotions: most valuable victim, then least valuable attacker
/// (MVV-LVA). Never negative.
pub(crate) fn mvv_lva(position: &Position, m: Move) -> i32 {
    let attacker = m.from().and_then(|from| position.piece_on(from));
    // A sixteenth, with the king capped at 2,000, keeps the attacker a tie-breaker: 125 at most.
    let cost = attacker.map_or(0, |piece| exchange_value(piece.kind()).min(2_000) / 16);
    (PieceMove::of(position, m).gain() - cost).max(0)
}
