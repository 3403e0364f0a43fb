//! The sixteen bits of a move in Apery's files.

use crate::moves::Move;
use crate::piece::PieceKind;
use crate::square::Square;

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
    fn every_pattern_of_apery_that_is_a_move_keeps_its_bits() {
        let moves = (0..=u16::MAX)
            .filter_map(|bits| Move::from_apery_bits(bits).map(|m| (bits, m)))
            .inspect(|&(bits, m)| assert_eq!(m.to_apery_bits(), bits))
            .count();
        assert_eq!(moves, 2 * 81 * 80 + 7 * 81);
    }
}
