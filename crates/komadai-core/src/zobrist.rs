//! Position keys.
//!
//! The board's key is the exclusive or of one random number for each piece on its square
//! (A. Zobrist, "A New Hashing Method with Application for Game Playing", 1970). The hands need no
//! table: both fit in 64 bits, and a bijective mixer turns them into a key without collisions.

use crate::hand::Hands;
use crate::piece::Piece;
use crate::random::SplitMix64;
use crate::square::Square;

/// The number of each piece on each square, computed at compile time from a fixed seed.
///
/// Indexed `[piece][square]`; the rows between the two colours' kinds are unused.
static PIECE_ON_SQUARE: [[u64; Square::COUNT]; 32] = {
    let mut random = SplitMix64::new(0x6b6f_6d61_6461_6921);
    let mut table = [[0; Square::COUNT]; 32];
    let mut piece = 0;
    while piece < 32 {
        let mut square = 0;
        while square < Square::COUNT {
            // Bit 0 is the side to move.
            table[piece][square] = random.next_u64() & !1;
            square += 1;
        }
        piece += 1;
    }
    table
};

/// The difference of the keys of the two sides to move.
pub(crate) const SIDE: u64 = 1;

/// The number for `piece` on `square`; bit 0 is always clear.
#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    PIECE_ON_SQUARE[piece as usize & 31][square]
}

/// The key of both hands: 0 if both are empty, and distinct for distinct hands except for bit 0.
#[inline]
pub(crate) fn hands(hands: Hands) -> u64 {
    // Bit 0 belongs to the side to move.
    SplitMix64::mix(hands.to_bits()) & !1
}
