//! The pieces that a move takes away and puts.

use komadai_core::{Move, Piece, PieceKind, Position, Square};

use crate::bona_piece::Term;

/// The changes of one move: at most two pieces disappear and two appear.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Changes {
    removed: [Option<Term>; 2],
    added: [Option<Term>; 2],
    /// The squares from which and to which the side that moves moves its king.
    king: Option<[Square; 2]>,
}

impl Changes {
    /// Collects the changes of a legal move that has not been done yet.
    pub(crate) fn of(position: &Position, m: Move) -> Self {
        let us = position.side();
        let to = m.to();
        let Some(from) = m.from() else {
            let kind = m.dropped().expect("a move without an origin drops a piece");
            let held = Term::Hand(us, kind, position.hand(us).count(kind).max(1));
            let dropped = Term::Board(Piece::new(us, kind), to);
            return Self { removed: [Some(held), None], added: [Some(dropped), None], king: None };
        };
        let moved = position.piece_on(from).expect("a legal move moves a piece");
        let kind = if m.is_promotion() { moved.kind().promoted() } else { None };
        let arrived = Piece::new(us, kind.unwrap_or(moved.kind()));
        let captured = position.piece_on(to);
        let held = captured.map(|piece| {
            let kind = piece.kind().unpromoted();
            Term::Hand(us, kind, position.hand(us).count(kind) + 1)
        });
        Self {
            removed: [Some(Term::Board(moved, from)), captured.map(|piece| Term::Board(piece, to))],
            added: [Some(Term::Board(arrived, to)), held],
            king: (moved.kind() == PieceKind::King).then_some([from, to]),
        }
    }

    pub(crate) fn removed(&self) -> impl Iterator<Item = Term> {
        self.removed.into_iter().flatten()
    }

    pub(crate) fn added(&self) -> impl Iterator<Item = Term> {
        self.added.into_iter().flatten()
    }

    /// The squares from which and to which the king moves.
    pub(crate) fn king(&self) -> Option<[Square; 2]> {
        self.king
    }
}
