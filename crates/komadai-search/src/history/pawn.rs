//! Pawn history: the success of a quiet move with a pawn structure.

use super::gravity::Numbers;
use super::piece_to::{PieceTo, PieceToRow};

/// `[pawn structure][piece][to]`: the success of a quiet move with these pawns on the board.
#[derive(Debug)]
pub(crate) struct PawnHistory(Numbers<{ Self::MAX }, { Self::STRUCTURES * PieceTo::COUNT }>);

impl PawnHistory {
    /// Number of pawn structures with a row of their own; others share a row by their key.
    ///
    /// The tree below one root holds few pawn structures, and a row takes 4.5 KiB.
    const STRUCTURES: usize = 512;

    /// The largest number.
    pub(crate) const MAX: i32 = 8_192;

    pub(crate) fn new() -> Self {
        Self(Numbers::new())
    }

    /// Resets all numbers to zero.
    pub(crate) fn clear(&self) {
        self.0.clear();
    }

    /// Returns the row of a pawn structure.
    #[inline]
    pub(crate) fn row(&self, pawn_key: u64) -> PieceToRow<'_> {
        PieceToRow(self.0.row(Self::structure(pawn_key)))
    }

    #[inline]
    pub(crate) fn update(&self, pawn_key: u64, piece_to: PieceTo, bonus: i32) {
        self.0.update(Self::index(pawn_key, piece_to), bonus);
    }

    #[inline]
    fn index(pawn_key: u64, piece_to: PieceTo) -> usize {
        Self::structure(pawn_key) * PieceTo::COUNT + piece_to.index()
    }

    #[inline]
    fn structure(pawn_key: u64) -> usize {
        pawn_key as usize % Self::STRUCTURES
    }
}
