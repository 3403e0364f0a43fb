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

/// The numbers of a piece.
#[derive(Clone, Copy)]
struct Row {
    on_square: [u64; Square::COUNT],
    /// The bits of its part of the board. They are found at the address that a move computes anyway.
    part: u64,
}

/// The numbers of each piece, computed at compile time from a fixed seed.
///
/// The rows between the two colours' kinds are unused.
static ROWS: [Row; 32] = {
    let mut random = SplitMix64::new(0x6b6f_6d61_6461_6921);
    let mut rows = [Row { on_square: [0; Square::COUNT], part: 0 }; 32];
    let mut piece = 0;
    while piece < 32 {
        let mut square = 0;
        while square < Square::COUNT {
            // Bit 0 is the side to move.
            rows[piece].on_square[square] = random.next_u64() & !1;
            square += 1;
        }
        piece += 1;
    }
    let mut kind = 0;
    while kind < PieceKind::COUNT {
        let mut color = 0;
        while color < 2 {
            let piece = Piece::new(Color::ALL[color], PieceKind::ALL[kind]);
            rows[piece as usize].part = part_keys::bits(piece.kind(), piece.color());
            color += 1;
        }
        kind += 1;
    }
    rows
};

/// The key of a board with the side to move, and the keys of its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Keys {
    pub(crate) board: u64,
    pub(crate) parts: PartKeys,
}

impl Keys {
    /// The keys of an empty board with Black to move.
    pub(crate) const NONE: Self = Self { board: 0, parts: PartKeys::NONE };
}

impl BitXor for Keys {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self { board: self.board ^ other.board, parts: self.parts ^ other.parts }
    }
}

/// The difference of the keys of the two sides to move.
pub(crate) const SIDE: u64 = 1;

/// The difference of the keys of the two sides to move, with those of the parts.
pub(crate) const SIDES: Keys = Keys { board: SIDE, ..Keys::NONE };

/// The number for `piece` on `square`; bit 0 is always clear.
#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    ROWS[piece as usize & 31].on_square[square]
}

/// The keys of a board with nothing but `piece` on `square`.
#[inline]
pub(crate) fn keys(piece: Piece, square: Square) -> Keys {
    let row = &ROWS[piece as usize & 31];
    let board = row.on_square[square];
    Keys { board, parts: PartKeys::from_bits(board & row.part) }
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
                    let keys = keys(piece, square).parts;
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
