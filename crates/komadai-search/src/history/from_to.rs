//! Histories of quiet moves by origin and destination: the butterfly history and that of low plies.

use komadai_core::{Color, Move, PieceKind, Square};

use super::gravity::OwnNumbers;

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
pub(crate) struct FromToRow<'a>(&'a [i16; FROM_TO_COUNT]);

impl FromToRow<'_> {
    /// The numbers of a table that is not used.
    pub(crate) const ZEROS: Self = {
        static ZEROS: [i16; FROM_TO_COUNT] = [0; FROM_TO_COUNT];
        Self(&ZEROS)
    };

    /// Returns the number of a move by its index: the origin, a square or the number of squares
    /// plus the kind that is dropped, times the number of squares, plus the destination.
    #[inline(always)]
    pub(crate) fn at(&self, index: usize) -> i32 {
        i32::from(self.0[index])
    }
}

/// `[color][from or dropped kind][to]`: the success of a quiet move anywhere in the tree.
#[derive(Debug)]
pub(crate) struct ButterflyHistory([OwnNumbers<{ Self::MAX }, FROM_TO_COUNT>; 2]);

impl ButterflyHistory {
    /// The largest number.
    pub(crate) const MAX: i32 = 8_192;

    pub(crate) fn new() -> Self {
        Self([OwnNumbers::new(), OwnNumbers::new()])
    }

    /// Keeps this part of all numbers, in percent, so that results of earlier searches weigh less.
    pub(crate) fn keep(&mut self, percent: i32) {
        self.0.iter_mut().for_each(|numbers| numbers.keep(percent));
    }

    /// Resets all numbers to zero.
    pub(crate) fn clear(&mut self) {
        self.0.iter_mut().for_each(OwnNumbers::clear);
    }

    /// Returns the numbers of one side.
    #[inline]
    pub(crate) fn row(&self, color: Color) -> FromToRow<'_> {
        FromToRow(self.0[color].all())
    }

    #[inline]
    pub(crate) fn get(&self, color: Color, m: Move) -> i32 {
        self.0[color].get(from_to_index(m))
    }

    #[inline]
    pub(crate) fn update(&mut self, color: Color, m: Move, bonus: i32) {
        self.0[color].update(from_to_index(m), bonus);
    }
}

/// `[ply][from or dropped kind][to]`: the success of a quiet move at this distance from the root.
#[derive(Debug)]
pub(crate) struct LowPlyHistory([OwnNumbers<{ Self::MAX }, FROM_TO_COUNT>; Self::PLIES]);

impl LowPlyHistory {
    /// Number of plies that count as near the root.
    ///
    /// Few nodes lie so close to the root, but each of them is visited again in every iteration.
    pub(crate) const PLIES: usize = 4;

    /// The largest number.
    pub(crate) const MAX: i32 = 8_192;

    pub(crate) fn new() -> Self {
        Self(core::array::from_fn(|_| OwnNumbers::new()))
    }

    /// Resets all numbers to zero.
    pub(crate) fn clear(&mut self) {
        self.0.iter_mut().for_each(OwnNumbers::clear);
    }

    /// Returns the number of a move, 0 from ply [`PLIES`](Self::PLIES) on.
    #[inline]
    pub(crate) fn get(&self, ply: usize, m: Move) -> i32 {
        self.0.get(ply).map_or(0, |table| table.get(from_to_index(m)))
    }

    /// Updates the number of a move; does nothing from ply [`PLIES`](Self::PLIES) on.
    #[inline]
    pub(crate) fn update(&mut self, ply: usize, m: Move, bonus: i32) {
        if let Some(table) = self.0.get_mut(ply) {
            table.update(from_to_index(m), bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::{PieceKind, Square};

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

    #[test]
    fn colours_have_separate_numbers() {
        let mut butterfly = ButterflyHistory::new();
        let m = Move::drop(PieceKind::Gold, Square::S99);
        butterfly.update(Color::White, m, 1_000);
        assert_eq!(butterfly.get(Color::White, m), 1_000);
        assert_eq!(butterfly.get(Color::Black, m), 0);
        butterfly.keep(50);
        assert_eq!(butterfly.get(Color::White, m), 500);
    }

    #[test]
    fn plies_near_the_root_have_separate_numbers() {
        let mut low_ply = LowPlyHistory::new();
        let m = Move::drop(PieceKind::Gold, Square::S99);
        low_ply.update(0, m, 100);
        low_ply.update(LowPlyHistory::PLIES, m, 100);
        assert_eq!([0, 1, LowPlyHistory::PLIES].map(|ply| low_ply.get(ply, m)), [100, 0, 0]);
        low_ply.clear();
        assert_eq!(low_ply.get(0, m), 0);
    }
}
