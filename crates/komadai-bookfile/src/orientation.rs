//! One record for both orientations of a position.
//!
//! Turning the board by 180 degrees and exchanging the colours gives a position that plays the
//! same. A book keeps one record for both: that with Black to move. A position with White to move
//! is turned on its way in and out, and its moves with it.

use komadai_core::{Color, PackedError, PackedSfen, Position, Setup};

/// The packed position in the orientation with Black to move: the same for both orientations of a
/// position and for all move numbers.
///
/// # Errors
///
/// If the position does not fit into 32 bytes.
pub fn pack(position: &Position) -> Result<PackedSfen, PackedError> {
    match position.side() {
        Color::Black => PackedSfen::of(position),
        Color::White => PackedSfen::of_flipped(position),
    }
}

/// The position that [`pack`] packed, with `side` to move and the move number `ply`.
///
/// # Panics
///
/// If the bytes are not those of a position with Black to move.
pub fn unpack(packed: &PackedSfen, side: Color, ply: u32) -> Position {
    let setup = packed.to_setup().expect("a packed position unpacks");
    let setup = match side {
        Color::Black => setup,
        Color::White => setup.flipped(),
    };
    Position::from_setup(&Setup { ply, ..setup }).expect("a position packs to a position")
}

/// The 64-bit key of the orientation with White to move.
///
/// After a move from an orientation with Black to move, White is to move: so this is the key under
/// which a successor is looked up.
pub fn turned_key(position: &Position) -> u64 {
    match position.side() {
        Color::White => position.key(),
        Color::Black => position.flipped_key(),
    }
}

pub use crate::position_key::turn;
