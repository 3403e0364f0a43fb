//! Pieces as inputs of networks.

use komadai_core::{Color, Piece, PieceKind, Square};

use crate::bona_piece::{FE_END, Term, View};
use crate::features::zone;

/// A piece as one side sees it: the number of an input within a zone of that side's king.
///
/// A position has 38 of them for each side, one for every piece but the kings. A trainer needs
/// them; an evaluator finds them itself.
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Piece, PieceKind, Square};
/// use komadai_nnue::{FeatureSet, PieceTerm};
///
/// let own = PieceTerm::on_board(Color::Black, Piece::BlackPawn, Square::S77).expect("no king");
/// let same = PieceTerm::on_board(Color::White, Piece::WhitePawn, Square::S33).expect("no king");
/// assert_eq!(own, same);
/// assert_eq!(PieceTerm::on_board(Color::Black, Piece::BlackKing, Square::S59), None);
/// let third_pawn = PieceTerm::in_hand(Color::Black, Color::Black, PieceKind::Pawn, 3);
/// assert_ne!(third_pawn, PieceTerm::in_hand(Color::Black, Color::Black, PieceKind::Pawn, 4));
/// assert_eq!(FeatureSet::ZoneKp.inputs(), PieceTerm::ZONES * PieceTerm::COUNT);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PieceTerm(u16);

impl PieceTerm {
    /// The number of terms, those that no piece has included.
    pub const COUNT: usize = FE_END;

    /// The number of zones of a king.
    pub const ZONES: usize = 9;

    /// The number of terms of a position, for each side.
    pub const PIECES: usize = crate::compact::PIECES;

    /// The term of a piece that is not in the game, as in handicap games.
    pub const MISSING: Self = Self(0);

    /// Returns the term of a piece on the board; `None` for a king.
    pub fn on_board(viewer: Color, piece: Piece, square: Square) -> Option<Self> {
        if piece.kind() == PieceKind::King {
            return None;
        }
        Some(Self::of(viewer, Term::Board(piece, square)))
    }

    /// Returns the term of the n-th piece of a kind in a hand, counted from 1; `None` if there is
    /// no such piece.
    pub fn in_hand(viewer: Color, owner: Color, kind: PieceKind, nth: u32) -> Option<Self> {
        let is_piece = kind.is_hand_kind() && nth >= 1 && nth <= PieceKind::TOTALS[kind.index()];
        is_piece.then(|| Self::of(viewer, Term::Hand(owner, kind, nth)))
    }

    /// Returns the zone of a side's own king, from 0 to 8.
    pub fn zone(viewer: Color, king: Square) -> usize {
        zone(View { color: viewer, is_mirrored: false }.square(king))
    }

    /// Returns the square of a side's own king as this side sees it: 0 for 1a, then by rank, then
    /// by file.
    ///
    /// The feature of a term in a network with [`HalfKp`](crate::FeatureSet::HalfKp) is this number
    /// times [`COUNT`](Self::COUNT), plus the number of the term.
    pub fn king_square(viewer: Color, king: Square) -> usize {
        View { color: viewer, is_mirrored: false }.square(king)
    }

    /// The number of the term, less than [`COUNT`](Self::COUNT).
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    fn of(viewer: Color, term: Term) -> Self {
        Self(View { color: viewer, is_mirrored: false }.number(term) as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature_set::FeatureSet;
    use crate::features::Features;

    #[test]
    fn terms_and_zones_are_the_inputs_of_compact_networks() {
        for viewer in Color::ALL {
            for king in Square::ALL {
                let half_kp = Features::new(FeatureSet::HalfKp, viewer, king);
                let first = PieceTerm::king_square(viewer, king) * PieceTerm::COUNT;
                assert_eq!(half_kp.missing(), first + PieceTerm::MISSING.index());
                let features = Features::new(FeatureSet::ZoneKp, viewer, king);
                let first = PieceTerm::zone(viewer, king) * PieceTerm::COUNT;
                assert_eq!(features.missing(), first + PieceTerm::MISSING.index());
                for kind in PieceKind::ALL {
                    let piece = Piece::new(Color::White, kind);
                    let term = PieceTerm::on_board(viewer, piece, Square::S34);
                    let index = features.index(Term::Board(piece, Square::S34));
                    assert_eq!(term.map(|term| first + term.index()), index);
                }
                let term = PieceTerm::in_hand(viewer, Color::White, PieceKind::Silver, 2);
                let index = features.index(Term::Hand(Color::White, PieceKind::Silver, 2));
                assert_eq!(term.map(|term| first + term.index()), index);
            }
        }
        for (kind, nth) in [(PieceKind::Rook, 3), (PieceKind::Pawn, 0), (PieceKind::King, 1)] {
            assert_eq!(PieceTerm::in_hand(Color::Black, Color::Black, kind, nth), None);
        }
    }
}
