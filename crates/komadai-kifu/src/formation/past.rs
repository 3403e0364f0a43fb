//! The history of a game that shapes need.

use komadai_core::{Bitboard, Color, Move, PieceKind, Position};

/// The squares on which pieces have stood, and the pieces that were dropped.
#[derive(Debug, Clone)]
pub(super) struct Past {
    /// `[color][kind]`: the squares on which a piece of the kind has stood.
    stood: [[Bitboard; PieceKind::COUNT]; 2],
    /// The squares of pieces that were dropped.
    dropped: Bitboard,
    /// The side that made the first move.
    pub(super) first: Color,
}

impl Past {
    /// The history of a game that begins with a position.
    pub(super) fn new(position: &Position) -> Self {
        let stood = Color::ALL.map(|color| {
            let mut stood = [Bitboard::EMPTY; PieceKind::COUNT];
            for kind in PieceKind::ALL {
                stood[kind.index()] = position.pieces(color, kind);
            }
            stood
        });
        Self { stood, dropped: Bitboard::EMPTY, first: position.side() }
    }

    /// Adds a legal move, before it is made in `position`.
    pub(super) fn add(&mut self, position: &Position, m: Move) {
        let to = Bitboard::from_square(m.to());
        let kind = match m.from() {
            None => {
                self.dropped |= to;
                m.dropped()
            }
            Some(from) => {
                let was_dropped = self.dropped.contains(from);
                self.dropped = self.dropped - Bitboard::from_square(from) - to;
                if was_dropped {
                    self.dropped |= to;
                }
                let kind = position.piece_on(from).map(|piece| piece.kind());
                if m.is_promotion() { kind.and_then(PieceKind::promoted) } else { kind }
            }
        };
        if let Some(kind) = kind {
            let stood = &mut self.stood[position.side().index()][kind.index()];
            *stood |= to;
        }
    }

    pub(super) fn stood(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.stood[color.index()][kind.index()]
    }

    pub(super) fn dropped(&self) -> Bitboard {
        self.dropped
    }
}
