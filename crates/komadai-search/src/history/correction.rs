//! Correction history: the usual error of the static evaluation in positions that share a
//! structure.
//!
//! After each node whose search value contradicts its static evaluation, the difference is stored
//! under the keys of parts of the board. The static evaluation of the next position with the same
//! pawns, generals, other pieces of a side or pair of moves is corrected by it.
//!
//! Source: Caissa (2023) and Stockfish (2024) correct by the pawn structure, and Stockfish by the
//! other pieces of each side; the key of golds and silvers is our own, for shogi.

use komadai_core::{Color, PartKeys, Position};

use super::gravity::Numbers;
use super::piece_to::PieceTo;

/// One table: `[side to move][key]`.
type Table = [Numbers<{ CorrectionHistory::MAX }, { CorrectionHistory::SIZE }>; 2];

/// The keys of one position in the correction history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CorrectionKeys {
    side: Color,
    parts: PartKeys,
    /// The index of the opponent's last move with the side's own move before it; `None` without
    /// both.
    pair: Option<u16>,
}

impl CorrectionKeys {
    /// Returns the keys of a position; `last` is the opponent's last move, `own` the side's move
    /// before it.
    #[inline]
    pub(crate) fn of(position: &Position, last: Option<PieceTo>, own: Option<PieceTo>) -> Self {
        Self { side: position.side(), parts: position.part_keys(), pair: pair(last, own) }
    }

    /// Returns the key of each part.
    #[inline(always)]
    fn of_parts(&self) -> [u16; 4] {
        let parts = self.parts;
        [parts.pawns(), parts.generals(), parts.others(Color::Black), parts.others(Color::White)]
    }
}

/// Returns the index of a pair of moves.
#[inline(always)]
fn pair(last: Option<PieceTo>, own: Option<PieceTo>) -> Option<u16> {
    // Two odd factors spread the pairs over the table.
    let pair = last?.index() * 31 + own?.index() * 2_053;
    Some((pair % CorrectionHistory::SIZE) as u16)
}

/// The differences between search value and static evaluation by the key of a part.
#[derive(Debug)]
pub(crate) struct CorrectionHistory {
    tables: [Table; 4],
    pairs: Table,
}

impl CorrectionHistory {
    /// Number of entries for each side of a table; keys are taken modulo this size.
    const SIZE: usize = 1 << 14;

    /// The largest number in a table.
    const MAX: i32 = 1_024;

    /// The sum over all tables that corrects by one centipawn.
    ///
    /// With [`MAX`](Self::MAX), a full table corrects by 64 centipawns.
    const GRAIN: i32 = 16;

    /// The depth whose search changes a table by the whole difference; other depths in proportion.
    const FULL_WEIGHT_DEPTH: i32 = 8;

    pub(crate) fn new() -> Self {
        let table = || [Numbers::new(), Numbers::new()];
        Self { tables: [(); 4].map(|()| table()), pairs: table() }
    }

    /// Resets all numbers to zero.
    pub(crate) fn clear(&self) {
        self.tables.iter().flatten().chain(&self.pairs).for_each(Numbers::clear);
    }

    /// Returns the correction of the static evaluation in centipawns.
    #[inline]
    pub(crate) fn get(&self, keys: &CorrectionKeys) -> i32 {
        let side = keys.side;
        let mut sum = 0;
        for (table, key) in self.tables.iter().zip(keys.of_parts()) {
            sum += table[side].get(usize::from(key) % Self::SIZE);
        }
        let pair = keys.pair.map_or(0, |index| self.pairs[side].get(usize::from(index)));
        (sum + pair) / Self::GRAIN
    }

    /// Learns from a search to `depth` whose value exceeds the static evaluation by `difference`.
    #[inline]
    pub(crate) fn update(&self, keys: &CorrectionKeys, difference: i32, depth: i32) {
        // A single result moves a number by a quarter of its range at most.
        let bonus =
            (difference * depth / Self::FULL_WEIGHT_DEPTH).clamp(-Self::MAX / 4, Self::MAX / 4);
        let side = keys.side;
        for (table, key) in self.tables.iter().zip(keys.of_parts()) {
            table[side].update(usize::from(key) % Self::SIZE, bonus);
        }
        if let Some(index) = keys.pair {
            self.pairs[side].update(usize::from(index), bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_follow_the_search_values() {
        let correction = CorrectionHistory::new();
        let keys = CorrectionKeys::of(&Position::hirate(), None, None);
        assert_eq!(correction.get(&keys), 0);
        for _ in 0..200 {
            correction.update(&keys, 80, 8);
        }
        let found = correction.get(&keys);
        let most = 4 * CorrectionHistory::MAX / CorrectionHistory::GRAIN;
        assert!(found > 30 && found <= most, "{found}");
        let other = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b 2R 1").unwrap();
        assert_eq!(correction.get(&CorrectionKeys::of(&other, None, None)), 0);
    }
}
