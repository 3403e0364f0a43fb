//! The value of standing pat in a selective quiescence search.

/// The value of standing pat of a [`QuiescencePolicy`](crate::QuiescencePolicy).
///
/// The corrections are in centipawns of exchanges, in which a pawn has 100. They come from programs
/// that did not search captures, or not far, and evaluated what could be captured instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum StandPat {
    /// The static evaluation.
    #[default]
    Static,
    /// The static evaluation less the cost of the opponent's threats to capture: a sixth of the
    /// largest, or half of the second largest if that is more (all of it at the first node). In
    /// check there is no correction.
    Threats,
    /// The static evaluation; at nodes without remaining plies, plus the gain of the best capture
    /// by exchange.
    BestExchange,
    /// The static evaluation; at nodes without remaining plies, plus three quarters of the value of
    /// the most valuable piece that can be captured.
    BestPiece,
}
