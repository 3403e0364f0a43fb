//! Positions as keys of tables.

use komadai_core::{Color, PackedSfen, Position, Setup};

use crate::entry_error::EntryError;
use crate::orientation::pack;

/// A position in the orientation with Black to move, packed: the same for both orientations.
pub type PositionKey = [u8; 32];

/// A position as a key.
pub fn key_of(position: &Position) -> Result<PositionKey, EntryError> {
    match pack(position) {
        Ok(packed) => Ok(*packed.as_bytes()),
        Err(reason) => Err(EntryError::Position { position: position.to_string(), reason }),
    }
}

/// The position of a key, with this side to move and this number; what is wrong if there is none.
pub fn position_of(key: &PositionKey, side: Color, ply: u32) -> Result<Position, String> {
    let setup = PackedSfen::from_bytes(*key).to_setup().map_err(|error| error.to_string())?;
    let setup = match side {
        Color::Black => setup,
        Color::White => setup.flipped(),
    };
    Position::from_setup(&Setup { ply, ..setup }).map_err(|error| error.to_string())
}
