//! The index of a quiet move by origin and destination.

use core::sync::atomic::AtomicI16;

use komadai_core::{Move, PieceKind, Square};

use super::gravity::number;

/// Number of origins: the squares, then the kinds that can be dropped.
const ORIGINS: usize = Square::COUNT + PieceKind::HAND.len();

/// Number of indices.
pub(super) const FROM_TO_COUNT: usize = ORIGINS * Square::COUNT;

/// Returns the index of a move in a table of `[from or dropped kind][to]`.
///
/// A promotion shares the index of the same move without promotion, because the tables are for
/// quiet moves.
#[inline]
pub(super) fn from_to_index(m: Move) -> usize {
    let origin = match (m.from(), m.dropped()) {
        (Some(from), _) => from as usize,
        (None, Some(kind)) => Square::COUNT + kind as usize,
        (None, None) => unreachable!("a move is a board move or a drop"),
    };
    origin * Square::COUNT + m.to() as usize
}

/// The numbers of a table by origin and destination.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FromToRow<'a>(pub(super) &'a [AtomicI16; FROM_TO_COUNT]);

impl FromToRow<'_> {
    /// The numbers of a table that is not used.
    pub(crate) const ZEROS: Self = {
        static ZEROS: [AtomicI16; FROM_TO_COUNT] = [const { AtomicI16::new(0) }; FROM_TO_COUNT];
        Self(&ZEROS)
    };

    #[inline]
    pub(crate) fn get(&self, m: Move) -> i32 {
        number(&self.0[from_to_index(m)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_quiet_move_has_its_own_index() {
        let drops = PieceKind::HAND.into_iter();
        let mut indices: Vec<usize> =
            drops.map(|kind| from_to_index(Move::drop(kind, Square::S55))).collect();
        for from in Square::ALL {
            let to = if from == Square::S11 { Square::S12 } else { Square::S11 };
            indices.push(from_to_index(Move::new(from, to)));
        }
        indices.sort_unstable();
        indices.dedup();
        assert_eq!(indices.len(), ORIGINS);
        assert!(indices.into_iter().all(|index| index < FROM_TO_COUNT));
    }
}
