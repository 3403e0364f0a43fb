//! Where a piece stands well: a small bonus for each piece on each square.

use komadai_core::{BoardObserver, Color, Hand, Piece, PieceKind, Position, Square};

use crate::material::owned;

/// The placement of all pieces of one position, followed move by move: centipawns, Black's minus
/// White's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Placement(i32);

impl Placement {
    /// Looks at every piece of a position.
    pub(crate) fn of(position: &Position) -> Self {
        let mut placement = Self::default();
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                placement.put(piece, square);
            }
        }
        placement
    }

    /// Black's minus White's, in centipawns.
    #[inline]
    pub(crate) const fn black(self) -> i32 {
        self.0
    }
}

impl BoardObserver for Placement {
    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.0 -= bonus(piece, square);
    }

    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.0 += bonus(piece, square);
    }

    #[inline]
    fn hand_changed(&mut self, _: Color, _: Hand) {}
}

/// The bonus as Black counts it.
#[inline]
fn bonus(piece: Piece, square: Square) -> i32 {
    let seen = match piece.color() {
        Color::Black => square,
        Color::White => square.flipped(),
    };
    owned(piece.color(), i32::from(TABLE[piece.kind()][seen]))
}

/// `[kind][square]`, centipawns, for Black.
static TABLE: [[i8; Square::COUNT]; PieceKind::COUNT] = {
    let mut table = [[0; Square::COUNT]; PieceKind::COUNT];
    let mut kind = 0;
    while kind < PieceKind::COUNT {
        let mut square = 0;
        while square < Square::COUNT {
            table[kind][square] = placed(PieceKind::ALL[kind], Square::ALL[square]);
            square += 1;
        }
        kind += 1;
    }
    table
};

/// What Black gains by having a piece there.
const fn placed(kind: PieceKind, square: Square) -> i8 {
    let rank = square.rank().index();
    let from_centre = square.file().index().abs_diff(4);
    match kind {
        // Castles stand two files from the centre or further out, on the last two ranks; a king
        // on the way to the other side is in the most danger in the middle.
        PieceKind::King => {
            const RANK: [i8; 9] = [40, 30, 0, -50, -70, -60, -40, 10, 15];
            const FILE: [i8; 5] = [-15, -10, 0, 10, 5];
            RANK[rank] + if rank >= 6 { FILE[from_centre] } else { 0 }
        }
        // Generals that are left on the last rank do little; those that run ahead leave the king.
        PieceKind::Gold => [0, 5, 5, 0, -5, -10, -5, 5, 0][rank],
        PieceKind::Silver => [-10, 0, 5, 5, 8, 8, 5, 3, -8][rank],
        PieceKind::Knight => [0, 0, 10, 5, 0, -5, 5, 0, 0][rank],
        PieceKind::Pawn => [0, 5, 10, 12, 10, 8, 0, 0, 0][rank],
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_the_board_is_no_place_for_a_king() {
        let castled = bonus(Piece::BlackKing, Square::S88);
        let at_home = bonus(Piece::BlackKing, Square::S59);
        let adrift = bonus(Piece::BlackKing, Square::S55);
        assert!(castled > at_home && at_home > adrift);
    }

    #[test]
    fn white_sees_the_board_from_the_other_side() {
        for kind in PieceKind::ALL {
            for square in Square::ALL {
                let black = bonus(Piece::new(Color::Black, kind), square);
                let white = bonus(Piece::new(Color::White, kind), square.flipped());
                assert_eq!(black, -white);
            }
        }
    }
}
