//! Capture history: the success of a capture or promotion anywhere in the tree.

use komadai_core::PieceKind;

use super::gravity::Numbers;
use super::piece_to::PieceTo;

/// Number of captured kinds, and none.
const CAPTURED: usize = PieceKind::COUNT + 1;

/// `[piece][to][captured kind or none]`: the success of a capture or promotion anywhere in the
/// tree.
#[derive(Debug)]
pub(crate) struct CaptureHistory(Numbers<{ Self::MAX }, { PieceTo::COUNT * CAPTURED }>);

impl CaptureHistory {
    /// The largest number.
    pub(crate) const MAX: i32 = 10_240;

    pub(crate) fn new() -> Self {
        Self(Numbers::new())
    }

    /// Resets all numbers to zero.
    pub(crate) fn clear(&self) {
        self.0.clear();
    }

    #[inline]
    pub(crate) fn get(&self, piece_to: PieceTo, captured: Option<PieceKind>) -> i32 {
        self.0.get(index(piece_to, captured))
    }

    #[inline]
    pub(crate) fn update(&self, piece_to: PieceTo, captured: Option<PieceKind>, bonus: i32) {
        self.0.update(index(piece_to, captured), bonus);
    }
}

#[inline]
fn index(piece_to: PieceTo, captured: Option<PieceKind>) -> usize {
    piece_to.index() * CAPTURED + captured.map_or(PieceKind::COUNT, |kind| kind as usize)
}
