//! Butterfly history: the success of a quiet move anywhere in the tree.

use komadai_core::{Color, Move};

use super::from_to::{FROM_TO_COUNT, from_to_index};
use super::gravity::Gravity;
use super::zeroed::zeroed;

/// `[color][from or dropped kind][to]`: the success of a quiet move anywhere in the tree.
#[derive(Debug)]
pub(crate) struct ButterflyHistory([Box<[Gravity<{ Self::MAX }>; FROM_TO_COUNT]>; 2]);

impl ButterflyHistory {
    /// The largest number.
    pub(crate) const MAX: i32 = 8_192;

    pub(crate) fn new() -> Self {
        Self([zeroed(), zeroed()])
    }

    /// Halves all numbers, so that results of earlier searches weigh less.
    pub(crate) fn halve(&self) {
        self.0.iter().flat_map(|table| table.iter()).for_each(Gravity::halve);
    }

    #[inline]
    pub(crate) fn get(&self, color: Color, m: Move) -> i32 {
        self.0[color][from_to_index(m)].get()
    }

    #[inline]
    pub(crate) fn update(&self, color: Color, m: Move, bonus: i32) {
        self.0[color][from_to_index(m)].update(bonus);
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
        butterfly.halve();
        assert_eq!(butterfly.get(Color::White, m), 500);
    }
}
