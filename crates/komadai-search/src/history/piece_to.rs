//! The index of a move by the moved piece and its destination.

use core::sync::atomic::AtomicI16;

use komadai_core::{Color, Move, PieceKind, Position, Square};

use super::gravity::number;

/// A piece and the square it has moved to: the index of a move in the piece-to tables.
///
/// The piece is the one that stands on the destination afterwards, promoted if the move promotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    /// Number of indices: `[color][kind][square]`.
    pub(crate) const COUNT: usize = 2 * PieceKind::COUNT * Square::COUNT;

    /// Returns the piece that `m` leaves on its destination; `m` is legal and not yet done.
    #[inline]
    pub(crate) fn of(position: &Position, m: Move) -> Self {
        let kind = match m.from() {
            None => m.dropped(),
            Some(from) => position.piece_on(from).map(|piece| {
                let kind = piece.kind();
                if m.is_promotion() { kind.promoted().unwrap_or(kind) } else { kind }
            }),
        };
        Self::new(position.side(), kind.unwrap_or(PieceKind::King), m.to())
    }

    #[inline]
    pub(crate) fn new(color: Color, kind: PieceKind, to: Square) -> Self {
        let piece = color as usize * PieceKind::COUNT + kind as usize;
        Self((piece * Square::COUNT + to as usize) as u16)
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A row of numbers by [`PieceTo`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct PieceToRow<'a>(pub(super) &'a [AtomicI16; PieceTo::COUNT]);

impl PieceToRow<'_> {
    /// The row of a table that is not used.
    pub(crate) const ZEROS: Self = {
        static ZEROS: [AtomicI16; PieceTo::COUNT] = [const { AtomicI16::new(0) }; PieceTo::COUNT];
        Self(&ZEROS)
    };

    #[inline]
    pub(crate) fn get(&self, piece_to: PieceTo) -> i32 {
        number(&self.0[piece_to.index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_piece_is_the_one_after_the_move() {
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
        let promoted = PieceTo::of(&position, "5c5b+".parse().unwrap());
        assert_eq!(promoted, PieceTo::new(Color::Black, PieceKind::ProPawn, Square::S52));
        let dropped = PieceTo::of(&position, "G*5b".parse().unwrap());
        assert_eq!(dropped, PieceTo::new(Color::Black, PieceKind::Gold, Square::S52));
    }
}
