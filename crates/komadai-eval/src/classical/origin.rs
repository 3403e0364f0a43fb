//! The owner, piece and squares that a term of the evaluation is about.

use komadai_core::{Color, PieceKind, Square};

/// The owner of a term, and the piece and the squares that it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    /// The side whose weight it is: that of the piece, or that of the king without a piece.
    pub(crate) owner: Color,
    pub(crate) kind: Option<PieceKind>,
    pub(crate) square: Option<Square>,
    /// The king to which the place is relative, for terms that depend on it.
    pub(crate) king: Option<Square>,
}

impl Origin {
    /// The origin of a term about a side as a whole.
    pub(crate) const fn side(owner: Color) -> Self {
        Self { owner, kind: None, square: None, king: None }
    }

    /// The origin of a term about a square near a king.
    pub(crate) const fn near(owner: Color, king: Square, square: Option<Square>) -> Self {
        Self { owner, kind: None, square, king: Some(king) }
    }

    /// The origin of a term about pieces in hand.
    pub(crate) const fn held(owner: Color, kind: PieceKind, king: Option<Square>) -> Self {
        Self { owner, kind: Some(kind), square: None, king }
    }

    /// The origin of a term about a piece on the board.
    pub(crate) const fn piece(
        owner: Color,
        kind: PieceKind,
        square: Square,
        king: Option<Square>,
    ) -> Self {
        Self { owner, kind: Some(kind), square: Some(square), king }
    }
}
