//! Position keys.
//!
//! The board's key is the exclusive or of one random number for each piece on its square
//! (A. Zobrist, "A New Hashing Method with Application for Game Playing", 1970). The hands need no
//! table: both fit in 64 bits, and a bijective mixer turns them into a key without collisions.

use core::ops::BitXor;

use crate::color::Color;
use crate::hand::Hands;
use crate::part_keys::{self, PartKeys};
use crate::piece::{Piece, PieceKind};
use crate::random::SplitMix64;
use crate::square::Square;

/// The key of a board with the side to move, and the keys of its parts.
// Two lanes like those of a `Bitboard`, changed by one instruction. The side to move is bit 0 of
// both, though the parts do not need it: where the lanes are not treated alike, the compiler takes
// them apart, and perft with every leaf made takes 6 % longer (measured).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(16))]
pub(crate) struct Keys([u64; 2]);

impl Keys {
    /// The keys of an empty board with Black to move.
    pub(crate) const NONE: Self = Self([0; 2]);

    /// The difference of the keys of the two sides to move.
    pub(crate) const SIDE: Self = Self([SIDE; 2]);

    /// The key of the board and the side to move.
    #[inline]
    pub(crate) const fn board(self) -> u64 {
        self.0[0]
    }

    /// The keys of the parts of the board.
    #[inline]
    pub(crate) const fn parts(self) -> PartKeys {
        PartKeys::from_bits(self.0[1] & !SIDE)
    }
}

impl BitXor for Keys {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self([self.0[0] ^ other.0[0], self.0[1] ^ other.0[1]])
    }
}

/// The numbers of each piece in the key of the board and in that of its part, computed at compile
/// time from a fixed seed.
///
/// The rows between the two colours' kinds are empty.
static ROWS: [[Keys; Square::COUNT]; 32] = {
    let mut random = SplitMix64::new(0x6b6f_6d61_6461_6921);
    let mut rows = [[Keys::NONE; Square::COUNT]; 32];
    let mut piece = 0;
    while piece < 32 {
        let mut square = 0;
        while square < Square::COUNT {
            // Bit 0 is the side to move.
            let number = random.next_u64() & !SIDE;
            let kind = piece & 15;
            if kind < PieceKind::COUNT {
                let part = part_keys::bits(PieceKind::ALL[kind], Color::ALL[piece >> 4]);
                rows[piece][square] = Keys([number, number & part]);
            }
            square += 1;
        }
        piece += 1;
    }
    rows
};

/// The difference of the keys of a board with the two sides to move.
pub(crate) const SIDE: u64 = 1;

/// The number for `piece` on `square`; bit 0 is always clear.
#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    keys(piece, square).board()
}

/// The keys of a board with nothing but `piece` on `square`.
#[inline]
pub(crate) fn keys(piece: Piece, square: Square) -> Keys {
    ROWS[piece as usize & 31][square]
}

/// The key of both hands: 0 if both are empty, and distinct for distinct hands except for bit 0.
#[inline]
pub(crate) fn hands(hands: Hands) -> u64 {
    // Bit 0 belongs to the side to move.
    SplitMix64::mix(hands.to_bits()) & !1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_changes_the_key_of_its_part_alone() {
        let mut seen = [(); 4].map(|()| std::collections::HashSet::new());
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let piece = Piece::new(color, kind);
                let part = match kind {
                    PieceKind::Pawn => 0,
                    PieceKind::Gold | PieceKind::Silver => 1,
                    _ => 2 + color as usize,
                };
                for square in Square::ALL {
                    let keys = keys(piece, square).parts();
                    let [black, white] = Color::ALL.map(|color| keys.others(color));
                    let mut found = [keys.pawns(), keys.generals(), black, white];
                    seen[part].insert(core::mem::take(&mut found[part]));
                    assert_eq!(found, [0; 4], "{piece:?} {square}");
                }
            }
        }
        // Of 162, 324 and 891 random numbers of 15 bits, about 0, 2 and 12 are others again.
        let distinct = seen.map(|keys| keys.len());
        assert!(distinct[0] >= 160 && distinct[1] >= 318, "{distinct:?}");
        assert!(distinct[2..].iter().all(|&count| count >= 870), "{distinct:?}");
    }
}
