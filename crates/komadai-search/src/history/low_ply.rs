//! Low-ply history: the success of a quiet move near the root.

use komadai_core::Move;

use super::from_to::{FROM_TO_COUNT, from_to_index};
use super::gravity::Numbers;

/// `[ply][from or dropped kind][to]`: the success of a quiet move at this distance from the root.
#[derive(Debug)]
pub(crate) struct LowPlyHistory([Numbers<{ Self::MAX }, FROM_TO_COUNT>; Self::PLIES]);

impl LowPlyHistory {
    /// Number of plies that count as near the root.
    ///
    /// Few nodes lie so close to the root, but each of them is visited again in every iteration.
    pub(crate) const PLIES: usize = 4;

    /// The largest number.
    pub(crate) const MAX: i32 = 8_192;

    pub(crate) fn new() -> Self {
        Self(core::array::from_fn(|_| Numbers::new()))
    }

    /// Resets all numbers to zero.
    pub(crate) fn clear(&self) {
        self.0.iter().for_each(Numbers::clear);
    }

    /// Returns the number of a move, 0 from ply [`PLIES`](Self::PLIES) on.
    #[inline]
    pub(crate) fn get(&self, ply: usize, m: Move) -> i32 {
        self.0.get(ply).map_or(0, |table| table.get(from_to_index(m)))
    }

    /// Updates the number of a move; does nothing from ply [`PLIES`](Self::PLIES) on.
    #[inline]
    pub(crate) fn update(&self, ply: usize, m: Move, bonus: i32) {
        if let Some(table) = self.0.get(ply) {
            table.update(from_to_index(m), bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::{PieceKind, Square};

    use super::*;

    #[test]
    fn plies_near_the_root_have_separate_numbers() {
        let low_ply = LowPlyHistory::new();
        let m = Move::drop(PieceKind::Gold, Square::S99);
        low_ply.update(0, m, 100);
        low_ply.update(LowPlyHistory::PLIES, m, 100);
        assert_eq!([0, 1, LowPlyHistory::PLIES].map(|ply| low_ply.get(ply, m)), [100, 0, 0]);
        low_ply.clear();
        assert_eq!(low_ply.get(0, m), 0);
    }
}
