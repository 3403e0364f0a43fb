//! Position keys.
//!
//! The board's key is the exclusive or of one random number for each piece on its square
//! (A. Zobrist, "A New Hashing Method with Application for Game Playing", 1970). The hands need no
//! table: both fit in 64 bits, and a bijective mixer turns them into a key without collisions.

use crate::{Piece, Square, hand::Hands};

/// The numbers for each piece on each square; filled once, at compile time, from a fixed seed.
///
/// Indexed `[piece][square]`; the rows between the two colours' kinds are unused.
static PIECE_ON_SQUARE: [[u64; Square::COUNT]; 32] = {
    let mut state = 0x6b6f_6d61_6461_6921;
    let mut table = [[0; Square::COUNT]; 32];
    let mut piece = 0;
    while piece < 32 {
        let mut square = 0;
        while square < Square::COUNT {
            state = split_mix_step(state);
            // Bit 0 is the side to move.
            table[piece][square] = split_mix_value(state) & !1;
            square += 1;
        }
        piece += 1;
    }
    table
};

/// What changes in the key when the side to move changes.
pub(crate) const SIDE: u64 = 1;

/// SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014).
const fn split_mix_step(state: u64) -> u64 {
    state.wrapping_add(0x9e37_79b9_7f4a_7c15)
}

const fn split_mix_value(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The number for `piece` on `square`; bit 0 is always clear.
#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    PIECE_ON_SQUARE[piece as usize & 31][square]
}

/// The key of both hands: 0 when both are empty, different for different hands up to bit 0.
#[inline]
pub(crate) fn hands(hands: Hands) -> u64 {
    split_mix_value(hands.to_bits()) & !1
}
