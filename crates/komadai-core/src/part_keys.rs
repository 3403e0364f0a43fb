//! Keys of parts of the board.

use crate::color::Color;
use crate::piece::PieceKind;

/// Hash keys of four parts of the board (部分ハッシュ): the pawns, the golds and silvers, and the
/// other pieces of each side.
///
/// Positions that differ elsewhere share such a key. A search remembers by it what it has learnt
/// about a structure: the usual error of the evaluation, or the moves that were good. The keys are
/// short, since they select entries of small tables and are not compared.
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Move, Position, Square};
///
/// let mut position = Position::hirate();
/// let before = position.part_keys();
/// position.do_move(Move::new(Square::S77, Square::S76));
/// let after = position.part_keys();
/// assert_ne!(after.pawns(), before.pawns());
/// assert_eq!(after.generals(), before.generals());
/// assert_eq!(after.others(Color::Black), before.others(Color::Black));
/// ```
// Four numbers of 16 bits. A piece changes the bits of its part by the same bits of its number in
// the key of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PartKeys(u64);

/// The bits of the part of a piece.
pub(crate) const fn bits(kind: PieceKind, color: Color) -> u64 {
    let part = match kind {
        PieceKind::Pawn => 0,
        PieceKind::Gold | PieceKind::Silver => 1,
        _ => 2 + color as u32,
    };
    0xffff << (16 * part)
}

impl PartKeys {
    /// Number of bits of a key.
    pub const BITS: u32 = 15;

    /// The keys with these bits, those of numbers in the key of the board.
    #[inline]
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The key of the pawns of both sides.
    #[inline]
    pub const fn pawns(self) -> u16 {
        self.part(0)
    }

    /// The key of the golds and silvers of both sides.
    #[inline]
    pub const fn generals(self) -> u16 {
        self.part(1)
    }

    /// The key of the pieces of `color` that are no pawns, golds or silvers.
    #[inline]
    pub const fn others(self, color: Color) -> u16 {
        self.part(2 + color as u32)
    }

    #[inline]
    const fn part(self, part: u32) -> u16 {
        // The lowest bit of the key of the board is the side to move.
        (self.0 >> (16 * part + 1)) as u16 & ((1 << Self::BITS) - 1)
    }
}
