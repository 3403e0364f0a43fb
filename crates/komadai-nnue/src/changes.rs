//! The pieces that a move takes away and puts.

use komadai_core::{Move, Piece, PieceKind, Position, Square};

use crate::bona_piece::{Term, View};

/// The changes of one move, by the numbers that pieces have in the view of Black: one or two
/// disappear, and as many appear.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Changes {
    removed: [u16; 2],
    added: [u16; 2],
    is_capture: bool,
    /// The squares from which and to which the side that moves moves its king.
    king: Option<[Square; 2]>,
}

impl Changes {
    /// Collects the changes of a legal move that has not been done yet.
    #[inline]
    pub(crate) fn of(position: &Position, m: Move) -> Self {
        let us = position.side();
        let to = m.to();
        let number = |term| View::BLACK.number(term) as u16;
        let on_board = |piece, square| number(Term::Board(piece, square));
        let Some(from) = m.from() else {
            let kind = m.dropped().expect("a move without an origin drops a piece");
            let held = Term::Hand(us, kind, position.hand(us).count(kind).max(1));
            return Self {
                removed: [number(held), 0],
                added: [on_board(Piece::new(us, kind), to), 0],
                is_capture: false,
                king: None,
            };
        };
        let moved = position.piece_on(from).expect("a legal move moves a piece");
        let kind = if m.is_promotion() { moved.kind().promoted() } else { None };
        let arrived = Piece::new(us, kind.unwrap_or(moved.kind()));
        let (captured, held) = position.piece_on(to).map_or((0, 0), |piece| {
            let kind = piece.kind().unpromoted();
            let held = Term::Hand(us, kind, position.hand(us).count(kind) + 1);
            (on_board(piece, to), number(held))
        });
        Self {
            removed: [on_board(moved, from), captured],
            added: [on_board(arrived, to), held],
            is_capture: position.piece_on(to).is_some(),
            king: (moved.kind() == PieceKind::King).then_some([from, to]),
        }
    }

    #[inline]
    pub(crate) fn removed(&self) -> &[u16] {
        &self.removed[..1 + usize::from(self.is_capture)]
    }

    #[inline]
    pub(crate) fn added(&self) -> &[u16] {
        &self.added[..1 + usize::from(self.is_capture)]
    }

    /// The squares from which and to which the king moves.
    #[inline]
    pub(crate) fn king(&self) -> Option<[Square; 2]> {
        self.king
    }
}
