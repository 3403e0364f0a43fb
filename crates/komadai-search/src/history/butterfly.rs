//! Butterfly history: the success of a quiet move anywhere in the tree.

use komadai_core::{Color, Move};

use super::from_to::{FROM_TO_COUNT, FromToRow, from_to_index};
use super::gravity::Numbers;

/// `[color][from or dropped kind][to]`: the success of a quiet move anywhere in the tree.
#[derive(Debug)]
pub(crate) struct ButterflyHistory([Numbers<{ Self::MAX }, FROM_TO_COUNT>; 2]);

impl ButterflyHistory {
    /// The largest number.
    pub(crate) const MAX: i32 = 8_192;

    pub(crate) fn new() -> Self {
        Self([Numbers::new(), Numbers::new()])
    }

    /// Keeps this part of all numbers, in percent, so that results of earlier searches weigh less.
    pub(crate) fn keep(&self, percent: i32) {
        self.0.iter().for_each(|numbers| numbers.keep(percent));
    }

    /// Resets all numbers to zero.
    pub(crate) fn clear(&self) {
        self.0.iter().for_each(Numbers::clear);
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
    pub(crate) fn update(&self, color: Color, m: Move, bonus: i32) {
        self.0[color].update(from_to_index(m), bonus);
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::{PieceKind, Square};

    use super::*;

    #[test]
    fn colours_have_separate_numbers() {
        let butterfly = ButterflyHistory::new();
        let m = Move::drop(PieceKind::Gold, Square::S99);
        butterfly.update(Color::White, m, 1_000);
        assert_eq!(butterfly.get(Color::White, m), 1_000);
        assert_eq!(butterfly.get(Color::Black, m), 0);
        butterfly.keep(50);
        assert_eq!(butterfly.get(Color::White, m), 500);
    }
}
