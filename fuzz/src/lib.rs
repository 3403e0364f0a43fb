//! Shared code of the fuzz targets: positions and moves from bytes.

#![forbid(unsafe_code)]

pub mod kifu;

use komadai_core::{Move, PackedSfen, Position};
use komadai_movegen::MoveGen;

/// Returns a position and the remaining bytes for its moves.
///
/// The first 32 bytes are a packed position. If they are not a valid one, the position is the start
/// position and all bytes are moves.
pub fn start(data: &[u8]) -> (Position, &[u8]) {
    if let Some((packed, rest)) = data.split_first_chunk()
        && let Ok(setup) = PackedSfen::from_bytes(*packed).to_setup()
        && let Ok(position) = Position::from_setup(&setup)
    {
        return (position, rest);
    }
    (Position::hirate(), data)
}

/// Returns the legal move that `choice` selects, if there is a legal move.
pub fn choose(position: &Position, choice: u16) -> Option<Move> {
    let moves = position.legal_moves();
    let index = usize::from(choice).checked_rem(moves.len())?;
    moves.get(index).copied()
}

/// Returns the bytes as 16-bit numbers.
pub fn pairs(data: &[u8]) -> impl Iterator<Item = u16> {
    data.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
}

/// Bytes that are taken one after another; after the last one, zeros.
#[derive(Debug)]
pub struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    /// Returns these bytes.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Returns whether all bytes have been taken.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes `N` bytes.
    pub fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.0.split_at(self.0.len().min(N));
        self.0 = rest;
        let mut bytes = [0; N];
        bytes[..taken.len()].copy_from_slice(taken);
        bytes
    }

    /// Takes a number of one byte.
    pub fn u8(&mut self) -> u8 {
        u8::from_le_bytes(self.take())
    }

    /// Takes a number of two bytes.
    pub fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    /// Takes a number of eight bytes.
    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }
}
