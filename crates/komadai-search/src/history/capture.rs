//! Capture history: the success of a capture or promotion anywhere in the tree.

use komadai_core::PieceKind;

use super::gravity::Gravity;
use super::piece_to::PieceTo;
use super::zeroed::zeroed_rows;

/// `[piece][to][captured kind or none]`: the success of a capture or promotion anywhere in the tree.
#[derive(Debug)]
pub(crate) struct CaptureHistory(
    Box<[[Gravity<{ Self::MAX }>; PieceKind::COUNT + 1]; PieceTo::COUNT]>,
);

impl CaptureHistory {
    /// The largest number.
    pub(crate) const MAX: i32 = 10_240;

    pub(crate) fn new() -> Self {
        Self(zeroed_rows())
    }

    #[inline]
    pub(crate) fn get(&self, piece_to: PieceTo, captured: Option<PieceKind>) -> i32 {
        self.0[piece_to.index()][kind_index(captured)].get()
    }

    #[inline]
    pub(crate) fn update(&self, piece_to: PieceTo, captured: Option<PieceKind>, bonus: i32) {
        self.0[piece_to.index()][kind_index(captured)].update(bonus);
    }
}

#[inline]
fn kind_index(captured: Option<PieceKind>) -> usize {
    captured.map_or(PieceKind::COUNT, |kind| kind as usize)
}
