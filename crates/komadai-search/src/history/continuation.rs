//! Continuation history: the success of a quiet move after an earlier move of the same line.

use super::gravity::Numbers;
use super::piece_to::{PieceTo, PieceToRow};

/// `[earlier piece and square][piece and square]`.
#[derive(Debug)]
pub(crate) struct ContinuationHistory(
    // 5.1 million numbers of 16 bits: 10 MiB.
    Numbers<{ Self::MAX }, { PieceTo::COUNT * PieceTo::COUNT }>,
);

impl ContinuationHistory {
    /// The largest number.
    pub(crate) const MAX: i32 = 16_384;

    pub(crate) fn new() -> Self {
        Self(Numbers::new())
    }

    /// Asks for huge pages.
    pub(crate) fn prefer_huge_pages(&self) {
        self.0.prefer_huge_pages();
    }

    /// Gets the memory from the system.
    pub(crate) fn populate(&self) {
        self.0.populate();
    }

    /// Resets all numbers to zero.
    pub(crate) fn clear(&self) {
        self.0.clear();
    }

    /// Returns the row of an earlier move. Without an earlier move the row is empty: all zeros.
    #[inline]
    pub(crate) fn row(&self, earlier: Option<PieceTo>) -> PieceToRow<'_> {
        earlier.map_or(PieceToRow::ZEROS, |earlier| PieceToRow(self.0.row(earlier.index())))
    }

    #[inline]
    pub(crate) fn update(&self, earlier: PieceTo, piece_to: PieceTo, bonus: i32) {
        self.0.update(earlier.index() * PieceTo::COUNT + piece_to.index(), bonus);
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::{Color, PieceKind, Square};

    use super::*;

    #[test]
    fn each_earlier_move_has_its_own_row() {
        let continuation = ContinuationHistory::new();
        let pawn = PieceTo::new(Color::Black, PieceKind::Pawn, Square::S76);
        let other = PieceTo::new(Color::Black, PieceKind::Pawn, Square::S26);
        let reply = PieceTo::new(Color::White, PieceKind::Dragon, Square::S99);
        continuation.update(pawn, reply, 500);
        assert_eq!(continuation.row(Some(pawn)).get(reply), 500);
        assert_eq!(continuation.row(Some(other)).get(reply), 0);
        assert_eq!(continuation.row(None).get(reply), 0);
        assert!(reply.index() < PieceTo::COUNT);
    }
}
