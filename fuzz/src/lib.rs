//! What the fuzz targets share: positions and moves out of bytes.

#![forbid(unsafe_code)]

use komadai_core::{Move, PackedSfen, Position};
use komadai_movegen::MoveGen;

/// A position and the bytes left for its moves.
///
/// The first 32 bytes are a packed position. Where they hold none, the game starts as usual, and
/// all bytes are moves.
pub fn start(data: &[u8]) -> (Position, &[u8]) {
    if let Some((packed, rest)) = data.split_first_chunk()
        && let Ok(setup) = PackedSfen::from_bytes(*packed).to_setup()
        && let Ok(position) = Position::from_setup(&setup)
    {
        return (position, rest);
    }
    (Position::hirate(), data)
}

/// The legal move that `choice` picks, if there is any.
pub fn choose(position: &Position, choice: u16) -> Option<Move> {
    let moves = position.legal_moves();
    let index = usize::from(choice).checked_rem(moves.len())?;
    moves.get(index).copied()
}

/// The bytes as numbers, two each.
pub fn pairs(data: &[u8]) -> impl Iterator<Item = u16> {
    data.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
}
