//! Moves: numbers of 16 bits.

use std::ffi::c_char;

use komadai::core::Move;

use crate::pointers::{give, give_text, text};
use crate::status::{Fault, Status, call, out_of_range};

/// The number that is no move.
pub const NO_MOVE: u16 = 0;

/// The move of a number, which need not be legal anywhere.
pub fn of_number(number: u16) -> Result<Move, Fault> {
    Move::from_bits(number).ok_or_else(|| out_of_range("move", number, "the number of a move"))
}

/// The number of a move, or `NO_MOVE`.
pub fn number(m: Option<Move>) -> u16 {
    m.map_or(NO_MOVE, Move::to_bits)
}

/// Reads a move in USI notation: "7g7f", "8h2b+", "P*5e". It need not be legal anywhere.
///
/// The number of a move: bits 0 to 6 are the destination, 7 to 13 the origin, or for a drop the
/// piece (1 to 7: pawn, lance, knight, silver, bishop, rook, gold), bit 14 is a drop, bit 15 a
/// promotion. Squares are (file - 1) * 9 + (rank - 1).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_move_parse(usi: *const c_char, out: *mut u16) -> Status {
    call(|| {
        // SAFETY: the caller's promise.
        let m: Move =
            unsafe { text(usi, "the move") }?.parse().map_err(Fault::of(Status::BadText))?;
        // SAFETY: the caller's promise.
        unsafe { give(out, m.to_bits()) }
    })
}

/// Writes a move in USI notation. The caller frees the text with `komadai_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn komadai_move_usi(m: u16, out: *mut *mut c_char) -> Status {
    // SAFETY: the caller's promise.
    call(|| unsafe { give_text(out, of_number(m)?.to_string()) })
}
