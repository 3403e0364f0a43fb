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
    use crate::classical::groups::Group;
    use crate::classical::parameters::Parameters;

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

    /// The castle term of an army, early, in the unit of the weights.
    fn term(army: &[(PieceKind, Square)]) -> i32 {
        let parameters = Parameters::default();
        let (_, king) = army.iter().find(|(kind, _)| *kind == PieceKind::King).unwrap();
        let sum = |castle: &Castle| -> i32 {
            army.iter().map(|&(kind, square)| castle.fall(*king, kind, square)).sum()
        };
        let weight = |i| i32::from(parameters.get(Group::Castle.index(&[i])).early);
        CASTLES.iter().enumerate().map(|(i, castle)| weight(i) * sum(castle)).sum()
    }

    #[test]
    fn the_term_never_falls_on_the_way_into_a_castle() {
        for (name, moves) in [
            ("mino", "5i4h 4h3h 3h2h 3i3h 6i5h"),
            ("yagura", "7i6h 6h7g 6i7h 4i5h 5h6g 5i6i 6i7i 7i8h"),
            ("anaguma", "5i6h 6h7h 4i5h 7h8h 8h9i 7i8h 6i7i 5h6h 6h7h"),
            ("boat", "5i6h 6h7h 4i5h"),
            ("crab", "7i6h 6i7h 4i5h 5i6i"),
            ("middle", "4i3h 6i7h 5i5h"),
        ] {
            let mut army = [
                (PieceKind::King, Square::S59),
                (PieceKind::Gold, Square::S49),
                (PieceKind::Gold, Square::S69),
                (PieceKind::Silver, Square::S39),
                (PieceKind::Silver, Square::S79),
            ];
            let mut terms = vec![term(&army)];
            for m in moves.split(' ') {
                let [from, to] = [&m[..2], &m[2..]].map(|square| square.parse().unwrap());
                army.iter_mut().find(|(_, square)| *square == from).unwrap().1 = to;
                terms.push(term(&army));
            }
            assert!(terms.is_sorted(), "{name}: {terms:?}");
            assert!(terms[0] < *terms.last().unwrap(), "{name}: {terms:?}");
        }
    }
}
