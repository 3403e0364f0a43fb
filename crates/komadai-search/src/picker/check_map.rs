//! The moves that may give check, by kind and destination.

use komadai_core::{Bitboard, CheckInfo, PieceKind, Square};

/// The kinds that give check from each square, and the pieces that may uncover one.
///
/// One load and one shift test a move; with [`CheckInfo`] alone it takes four times as many
/// instructions.
pub(super) struct CheckMap {
    /// `[square]`, one bit for each kind.
    kinds: [u16; Square::COUNT],
    discoverers: Option<Bitboard>,
}

impl CheckMap {
    /// No checks.
    pub(super) const NONE: Self = Self { kinds: [0; Square::COUNT], discoverers: None };

    pub(super) fn new(info: &CheckInfo) -> Self {
        use PieceKind::*;
        let mut map = Self::NONE;
        for kind in [Pawn, Lance, Knight, Silver] {
            map.add(&[kind], info.check_squares(kind));
        }
        map.add(&[Gold, ProPawn, ProLance, ProKnight, ProSilver], info.check_squares(Gold));
        for (kind, promoted) in [(Bishop, Horse), (Rook, Dragon)] {
            let squares = info.check_squares(kind);
            map.add(&[kind, promoted], squares);
            map.add(&[promoted], info.check_squares(promoted) - squares);
        }
        map.discoverers = Some(info.discoverers()).filter(|discoverers| !discoverers.is_empty());
        map
    }

    #[inline(always)]
    fn add(&mut self, kinds: &[PieceKind], squares: Bitboard) {
        let kinds = kinds.iter().fold(0, |kinds, &kind| kinds | 1 << kind as u16);
        for square in squares {
            self.kinds[square as usize] |= kinds;
        }
    }

    /// Returns whether a piece of `kind` gives check from a square.
    #[inline(always)]
    pub(super) fn gives_check(&self, kind: PieceKind, to: Square) -> bool {
        self.kinds[to as usize] >> kind as u16 & 1 != 0
    }

    /// Returns whether a piece may uncover a check.
    #[inline(always)]
    pub(super) fn may_uncover(&self, from: Square) -> bool {
        self.discoverers.is_some_and(|pieces| pieces.contains(from))
    }
}
