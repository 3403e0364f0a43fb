//! The pieces of each kind that one side has more than the other.

use komadai_core::{Color, Hand, Piece, PieceKind, Position};

/// The kinds of pieces with a value: all but the king.
pub(super) const PIECE_VALUES: usize = PieceKind::COUNT - 1;

/// The pieces of each kind that one side has more than the other, on the board and in hand. Kings do
/// not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Surplus([i8; PIECE_VALUES]);

/// The number of a kind among those with a value; `None` for the king.
#[inline]
pub(super) fn value_number(kind: PieceKind) -> Option<usize> {
    const KING: usize = PieceKind::King as usize;
    match kind.index() {
        KING => None,
        index if index < KING => Some(index),
        index => Some(index - 1),
    }
}

impl Surplus {
    const NONE: Self = Self([0; PIECE_VALUES]);

    /// Returns the surplus of Black.
    pub(super) fn of(position: &Position) -> Self {
        let mut surplus = Self::NONE;
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let count = position.pieces(color, kind).len() as i8;
                surplus.add(color, kind, count);
            }
            surplus.change_hand(color, Hand::EMPTY, position.hand(color));
        }
        surplus
    }

    /// Counts a piece of Black's surplus that comes to the board.
    #[inline]
    pub(super) fn put(&mut self, piece: Piece) {
        self.add(piece.color(), piece.kind(), 1);
    }

    /// Counts one that leaves the board.
    #[inline]
    pub(super) fn removed(&mut self, piece: Piece) {
        self.add(piece.color(), piece.kind(), -1);
    }

    /// Counts the change of a hand.
    pub(super) fn change_hand(&mut self, color: Color, before: Hand, after: Hand) {
        for kind in PieceKind::HAND {
            self.add(color, kind, after.count(kind) as i8 - before.count(kind) as i8);
        }
    }

    #[inline]
    fn add(&mut self, color: Color, kind: PieceKind, count: i8) {
        if let Some(number) = value_number(kind) {
            self.0[number] += if color == Color::Black { count } else { -count };
        }
    }

    /// Returns the surplus of the other side.
    #[inline]
    pub(super) fn flipped(self) -> Self {
        Self(self.0.map(|count| -count))
    }

    /// Returns the pieces beyond those of another surplus.
    pub(super) fn beyond(self, base: Self) -> Self {
        Self(core::array::from_fn(|number| self.0[number] - base.0[number]))
    }

    /// The number of each kind with a value and its surplus, those of 0 included.
    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = (usize, i8)> {
        (0..).zip(self.0)
    }
}
