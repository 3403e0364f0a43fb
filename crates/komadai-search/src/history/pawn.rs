//! Pawn history: the success of a quiet move with a pawn structure.

use super::gravity::Gravity;
use super::piece_to::PieceTo;
use super::zeroed::zeroed_rows;

/// `[pawn structure][piece][to]`: the success of a quiet move with these pawns on the board.
#[derive(Debug)]
pub(crate) struct PawnHistory(Box<[[Gravity<{ Self::MAX }>; PieceTo::COUNT]; Self::STRUCTURES]>);

impl PawnHistory {
    /// Number of pawn structures with a row of their own; others share a row by their key.
    ///
    /// The tree below one root holds few pawn structures, and a row takes 4.5 KiB.
    const STRUCTURES: usize = 512;

    /// The largest number.
    pub(crate) const MAX: i32 = 8_192;

    pub(crate) fn new() -> Self {
        Self(zeroed_rows())
    }

    #[inline]
    pub(crate) fn get(&self, pawn_key: u64, piece_to: PieceTo) -> i32 {
        self.0[pawn_key as usize % Self::STRUCTURES][piece_to.index()].get()
    }

    #[inline]
    pub(crate) fn update(&self, pawn_key: u64, piece_to: PieceTo, bonus: i32) {
        self.0[pawn_key as usize % Self::STRUCTURES][piece_to.index()].update(bonus);
    }
}
