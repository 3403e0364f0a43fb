//! A move in sixteen bits.

use core::num::NonZero;

use crate::piece::PieceKind;
use crate::square::Square;

/// A move: a board move with or without promotion, or a drop.
///
/// Sixteen bits, laid out as in YaneuraOu's book and training files: bits 0–6 the destination,
/// bits 7–13 the origin (for a drop: the kind, Pawn 1, Lance 2, Knight 3, Silver 4, Bishop 5,
/// Rook 6, Gold 7), bit 14 a drop, bit 15 a promotion. No move is zero, so `Option<Move>` takes
/// two bytes as well. The moving piece is not stored: a move has a meaning only in a position.
///
/// **Invariant:** the bits are always those of some move, in the sense of
/// [`from_bits`](Self::from_bits). A number may be transmuted to a move only if this holds for it.
///
/// # Examples
///
/// ```
/// use komadai_core::{Move, PieceKind, Square};
///
/// let push = Move::new(Square::S77, Square::S76);
/// let promotion = Move::promotion(Square::S88, Square::S22);
/// let drop = Move::drop(PieceKind::Pawn, Square::S55);
/// assert_eq!(push.to_string(), "7g7f");
/// assert_eq!(promotion.to_string(), "8h2b+");
/// assert_eq!(drop.to_string(), "P*5e");
/// assert_eq!("P*5e".parse(), Ok(drop));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Move(NonZero<u16>);

impl Move {
    const DROP: u16 = 1 << 14;
    const PROMOTION: u16 = 1 << 15;

    /// The maximum number of legal moves of a position, reached by `R8/2K1S1SSk/4B4/9/…` (the
    /// position is due to Hidetchi, 2005).
    pub const MAX_LEGAL: usize = 593;

    /// Makes a board move without promotion.
    ///
    /// # Panics
    ///
    /// Panics if `from` equals `to`.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Self {
        assert!(from as u8 != to as u8, "a move changes its square");
        Self::from_set_bits((from as u16) << 7 | to as u16)
    }

    /// Makes a board move with promotion.
    ///
    /// # Panics
    ///
    /// Panics if `from` equals `to`.
    #[inline]
    pub const fn promotion(from: Square, to: Square) -> Self {
        assert!(from as u8 != to as u8, "a move changes its square");
        Self::from_set_bits(Self::PROMOTION | (from as u16) << 7 | to as u16)
    }

    /// Makes a drop from the hand.
    ///
    /// # Panics
    ///
    /// Panics if `kind` cannot be held (a king or a promoted piece).
    #[doc(alias = "駒打ち")]
    #[inline]
    #[doc(alias("打つ", "uchi"))]
    pub const fn drop(kind: PieceKind, to: Square) -> Self {
        assert!(kind.is_hand_kind(), "a king or a promoted piece cannot be dropped");
        Self::from_set_bits(Self::DROP | (kind as u16 + 1) << 7 | to as u16)
    }

    #[inline]
    const fn from_set_bits(bits: u16) -> Self {
        Self(NonZero::new(bits).expect("every move has a set bit"))
    }

    /// The move with these bits, or `None` if they do not represent a move.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Move, Square};
    ///
    /// let m = Move::new(Square::S27, Square::S26);
    /// assert_eq!(Move::from_bits(m.to_bits()), Some(m));
    /// assert_eq!(Move::from_bits(0), None);
    /// assert_eq!(Move::from_bits(127), None);
    /// ```
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let to = bits & 127;
        let from = bits >> 7 & 127;
        let valid = match (bits & Self::DROP != 0, bits & Self::PROMOTION != 0) {
            (true, true) => false,
            (true, false) => from >= 1 && from <= 7,
            (false, _) => from < 81 && from != to,
        };
        match NonZero::new(bits) {
            Some(bits) if valid && to < 81 => Some(Self(bits)),
            _ => None,
        }
    }

    /// The sixteen bits.
    #[must_use]
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// The destination.
    #[must_use]
    #[inline]
    pub const fn to(self) -> Square {
        self.destination()
    }

    /// The origin, or `None` for a drop.
    #[must_use]
    #[inline]
    pub const fn from(self) -> Option<Square> {
        if self.is_drop() { None } else { Some(self.origin_unchecked()) }
    }

    /// The kind dropped, or `None` for a board move.
    #[must_use]
    #[inline]
    pub const fn dropped(self) -> Option<PieceKind> {
        if self.is_drop() { Some(self.dropped_unchecked()) } else { None }
    }

    /// Returns whether this is a drop.
    #[must_use]
    #[inline]
    pub const fn is_drop(self) -> bool {
        self.0.get() & Self::DROP != 0
    }

    /// Returns whether the moving piece promotes.
    #[must_use]
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0.get() & Self::PROMOTION != 0
    }

    /// The dropped kind of a drop; an arbitrary kind for a board move.
    #[inline]
    pub(crate) const fn dropped_unchecked(self) -> PieceKind {
        PieceKind::unpromoted_from(((self.0.get() >> 7) as u8).wrapping_sub(1))
    }

    /// The same board move or drop after turning the board by 180 degrees.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match (self.from(), self.is_promotion()) {
            (None, _) => Self::drop(self.dropped_unchecked(), self.to().flipped()),
            (Some(from), false) => Self::new(from.flipped(), self.to().flipped()),
            (Some(from), true) => Self::promotion(from.flipped(), self.to().flipped()),
        }
    }

    /// The same move after mirroring the board left to right.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match (self.from(), self.is_promotion()) {
            (None, _) => Self::drop(self.dropped_unchecked(), self.to().mirrored()),
            (Some(from), false) => Self::new(from.mirrored(), self.to().mirrored()),
            (Some(from), true) => Self::promotion(from.mirrored(), self.to().mirrored()),
        }
    }
}

const _: () = assert!(size_of::<Option<Move>>() == 2);

impl Move {
    const APERY_PROMOTION: u16 = 1 << 14;

    /// The sixteen bits of Apery, cshogi and HCPE files: bits 0–6 the destination, bits 7–13 the
    /// origin (for a drop 81 + Pawn 0, Lance 1, Knight 2, Silver 3, Bishop 4, Rook 5, Gold 6),
    /// bit 14 a promotion. [`to_bits`](Self::to_bits) returns those of YaneuraOu.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Move, PieceKind, Square};
    ///
    /// let drop = Move::drop(PieceKind::Gold, Square::S19);
    /// assert_eq!(drop.to_apery_bits(), 11_144);
    /// assert_eq!(drop.to_bits(), 17_288);
    /// assert_eq!(Move::from_apery_bits(11_144), Some(drop));
    /// ```
    #[must_use]
    pub const fn to_apery_bits(self) -> u16 {
        let origin = match (self.from(), self.dropped()) {
            (Some(from), _) => from as u16,
            (None, Some(kind)) => 81 + kind as u16,
            (None, None) => unreachable!(),
        };
        let promotion = if self.is_promotion() { Self::APERY_PROMOTION } else { 0 };
        promotion | origin << 7 | self.to() as u16
    }

    /// The move with these bits in the numbering of Apery, cshogi and HCPE files, or `None` if they
    /// do not represent a move.
    pub const fn from_apery_bits(bits: u16) -> Option<Self> {
        let Some(to) = Square::from_index((bits & 127) as usize) else { return None };
        let origin = (bits >> 7 & 127) as usize;
        let promotes = bits & Self::APERY_PROMOTION != 0;
        if bits >> 15 != 0 {
            return None;
        }
        match Square::from_index(origin) {
            Some(from) if from as u8 == to as u8 => None,
            Some(from) if promotes => Some(Self::promotion(from, to)),
            Some(from) => Some(Self::new(from, to)),
            None if origin < 88 && !promotes => Some(Self::drop(PieceKind::HAND[origin - 81], to)),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_that_is_a_move_keeps_its_bits() {
        let mut moves = 0;
        for bits in 0..=u16::MAX {
            let Some(m) = Move::from_bits(bits) else { continue };
            moves += 1;
            assert_eq!(m.to_bits(), bits);
            let rebuilt = match (m.from(), m.dropped()) {
                (Some(from), None) if m.is_promotion() => Move::promotion(from, m.to()),
                (Some(from), None) => Move::new(from, m.to()),
                (None, Some(kind)) => Move::drop(kind, m.to()),
                other => panic!("neither a drop nor a board move: {other:?}"),
            };
            assert_eq!(rebuilt, m);
            assert_eq!(m.flipped().flipped(), m);
            assert_eq!(m.mirrored().mirrored(), m);
            assert_eq!(m.to_string().parse(), Ok(m));
        }
        assert_eq!(moves, 2 * 81 * 80 + 7 * 81);
    }

    #[test]
    fn every_pattern_of_apery_that_is_a_move_keeps_its_bits() {
        let moves = (0..=u16::MAX)
            .filter_map(|bits| Move::from_apery_bits(bits).map(|m| (bits, m)))
            .inspect(|&(bits, m)| assert_eq!(m.to_apery_bits(), bits))
            .count();
        assert_eq!(moves, 2 * 81 * 80 + 7 * 81);
    }
}
