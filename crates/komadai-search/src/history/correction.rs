//! How far the evaluation is usually off in positions that share a structure.
//!
//! After each node whose search says more than its static value, the difference is remembered
//! under several partial keys; the next position with the same pawns, generals, king's
//! neighbourhood or last move starts from a corrected static value.

use komadai_core::{Color, Position};

use super::{Follower, Gravity};
use crate::partial_keys;

/// One table: `[side to move][key]`.
type Table = [Box<[Gravity<{ Corrections::MAX }>]>; 2];

/// The partial keys of one position under which differences are remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Structure {
    side: Color,
    keys: [u64; 4],
    /// Of the opponent's last move and the side's own before.
    last: Option<usize>,
}

impl Structure {
    #[inline]
    pub(crate) fn of(
        position: &Position,
        last: Option<Follower>,
        before: Option<Follower>,
    ) -> Self {
        let keys = [
            partial_keys::pawns(position),
            partial_keys::generals(position),
            partial_keys::king_neighbourhood(position, Color::Black),
            partial_keys::king_neighbourhood(position, Color::White),
        ];
        let last = match (last, before) {
            (Some(last), Some(before)) => {
                Some((last.index() * 31 + before.index() * 2_053) % Corrections::SIZE)
            }
            _ => None,
        };
        Self { side: position.side(), keys, last }
    }
}

/// What is remembered of differences between static values and search.
#[derive(Debug)]
pub(crate) struct Corrections {
    tables: [Table; 4],
    moves: Table,
}

impl Corrections {
    /// How many keys a table tells apart.
    const SIZE: usize = 1 << 14;

    /// The largest number in a table.
    const MAX: i32 = 1_024;

    /// Numbers in a table per centipawn of correction, all tables together.
    const GRAIN: i32 = 16;

    pub(crate) fn new() -> Self {
        let row = || core::iter::repeat_with(Gravity::default).take(Self::SIZE).collect();
        let table = || [row(), row()];
        Self { tables: [(); 4].map(|()| table()), moves: table() }
    }

    /// By how much the static value is to be corrected, in centipawns.
    #[inline]
    pub(crate) fn get(&self, structure: &Structure) -> i32 {
        let side = structure.side;
        let keyed = self.tables.iter().zip(structure.keys);
        let sum: i32 = keyed.map(|(table, key)| table[side][key as usize % Self::SIZE].get()).sum();
        let moves = structure.last.map_or(0, |last| self.moves[side][last].get());
        (sum + moves) / Self::GRAIN
    }

    /// Remembers that a search to `depth` found `difference` centipawns more.
    #[inline]
    pub(crate) fn update(&self, structure: &Structure, difference: i32, depth: i32) {
        let bonus = (difference * depth / 8).clamp(-Self::MAX / 4, Self::MAX / 4);
        let side = structure.side;
        for (table, key) in self.tables.iter().zip(structure.keys) {
            table[side][key as usize % Self::SIZE].update(bonus);
        }
        if let Some(last) = structure.last {
            self.moves[side][last].update(bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_follow_what_the_search_found() {
        let corrections = Corrections::new();
        let structure = Structure::of(&Position::hirate(), None, None);
        assert_eq!(corrections.get(&structure), 0);
        for _ in 0..200 {
            corrections.update(&structure, 80, 8);
        }
        let found = corrections.get(&structure);
        assert!(found > 30 && found <= 4 * Corrections::MAX / Corrections::GRAIN, "{found}");
        let other = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b 2R 1").unwrap();
        assert_eq!(corrections.get(&Structure::of(&other, None, None)), 0);
    }
}
