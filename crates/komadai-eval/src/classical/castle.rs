//! Paths into castles (囲い): piece-square tables of the pitfall type.
//!
//! A piece gains value with every step towards its place in a castle, most when it is there: it
//! falls into the castle as into a pit. The value of the king depends on its distance alone. The
//! value of a general also depends on the distance of the king, so that no general moves to a
//! castle that the king does not enter.
//!
//! Source of the idea: "pitfall" (落とし穴) piece-square tables of shogi programs of the 1990s.

use komadai_core::{PieceKind, Square};

/// A castle of Black on the right side. The same castle on the left counts alike.
pub(crate) struct Castle {
    king: Square,
    generals: &'static [(PieceKind, Square)],
}

/// Number of castles.
pub(crate) const CASTLE_COUNT: usize = 6;

/// The castles, in the order of their weights.
pub(crate) static CASTLES: [Castle; CASTLE_COUNT] = [
    // Mino (美濃): against and with the ranging rook.
    Castle {
        king: Square::S28,
        generals: &[
            (PieceKind::Silver, Square::S38),
            (PieceKind::Gold, Square::S49),
            (PieceKind::Gold, Square::S58),
        ],
    },
    // Yagura (矢倉), mirrored to the right.
    Castle {
        king: Square::S28,
        generals: &[
            (PieceKind::Silver, Square::S37),
            (PieceKind::Gold, Square::S38),
            (PieceKind::Gold, Square::S47),
        ],
    },
    // Anaguma (穴熊).
    Castle {
        king: Square::S19,
        generals: &[
            (PieceKind::Silver, Square::S28),
            (PieceKind::Gold, Square::S39),
            (PieceKind::Gold, Square::S38),
        ],
    },
    // Boat (舟囲い) and left Mino (左美濃), mirrored to the right.
    Castle {
        king: Square::S38,
        generals: &[(PieceKind::Gold, Square::S49), (PieceKind::Gold, Square::S58)],
    },
    // Crab (カニ囲い) and Kikusui (菊水), mirrored to the right.
    Castle {
        king: Square::S48,
        generals: &[(PieceKind::Gold, Square::S38), (PieceKind::Gold, Square::S58)],
    },
    // The middle: a king between two golds (中住まい).
    Castle {
        king: Square::S58,
        generals: &[(PieceKind::Gold, Square::S38), (PieceKind::Gold, Square::S78)],
    },
];

/// Largest distance, in king's steps, at which a place in a castle has an effect, plus one.
const REACH: i32 = 4;

/// The value of [`Castle::fall`] for a piece at its place.
pub(crate) const FALLEN: i32 = REACH * REACH;

impl Castle {
    /// Returns the progress of a piece into the castle, from 0 to [`FALLEN`]. Both squares are from
    /// the point of view of the owner; a castle on the left counts as one on the right.
    pub(crate) fn fall(&self, king: Square, kind: PieceKind, square: Square) -> i32 {
        let right = self.fall_right(king, kind, square);
        right.max(self.fall_right(king.mirrored(), kind, square.mirrored()))
    }

    fn fall_right(&self, king: Square, kind: PieceKind, square: Square) -> i32 {
        let pull = nearness(king, self.king);
        // Most kings are too far from a castle for its other places to count.
        if kind == PieceKind::King || pull == 0 {
            return pull * REACH;
        }
        let places = self.generals.iter().filter(|&&(general, _)| general == kind);
        places.map(|&(_, place)| nearness(square, place)).max().unwrap_or(0) * pull
    }
}

/// Returns [`REACH`] on the place itself and one less for each step away, at least 0.
fn nearness(square: Square, place: Square) -> i32 {
    (REACH - i32::from(square.distance(place))).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_towards_a_castle_gains() {
        let mino = &CASTLES[0];
        let path = [Square::S59, Square::S48, Square::S38, Square::S28];
        let falls = path.map(|king| mino.fall(king, PieceKind::King, king));
        assert!(falls.is_sorted_by(|a, b| a < b), "{falls:?}");
        assert_eq!(falls[3], FALLEN);
        let gold = [Square::S69, Square::S58].map(|s| mino.fall(Square::S28, PieceKind::Gold, s));
        assert!(gold[0] < gold[1] && gold[1] == FALLEN);
    }

    #[test]
    fn mirrored_castles_count_alike() {
        for castle in &CASTLES {
            for king in Square::ALL {
                for square in [Square::S38, Square::S49, Square::S77] {
                    for kind in [PieceKind::King, PieceKind::Gold, PieceKind::Silver] {
                        let here = castle.fall(king, kind, square);
                        assert_eq!(here, castle.fall(king.mirrored(), kind, square.mirrored()));
                    }
                }
            }
        }
    }
}
