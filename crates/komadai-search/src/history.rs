//! How well quiet moves have done elsewhere in the tree.
//!
//! Source of the method: J. Schaeffer, "The history heuristic and alpha-beta search enhancements in
//! practice", IEEE Transactions on Pattern Analysis and Machine Intelligence 11(11), 1989. Entries
//! pull back towards zero the harder the further they are from it, so that they never leave their
//! range and recent results weigh most.

use komadai_core::{Color, Move, PieceKind, Square};

/// A number for each quiet move of each side, from −[`History::MAX`] to [`History::MAX`].
#[derive(Debug, Clone)]
pub(crate) struct History {
    /// `[color][from or dropped kind][to]`.
    table: Box<[[[i16; Square::COUNT]; ORIGINS]; 2]>,
}

/// The squares, then the kinds that can be dropped.
const ORIGINS: usize = Square::COUNT + PieceKind::HAND.len();

impl History {
    /// The largest number an entry can reach.
    pub(crate) const MAX: i32 = 8_192;

    pub(crate) fn new() -> Self {
        Self { table: Box::new([[[0; Square::COUNT]; ORIGINS]; 2]) }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for entry in self.table.as_flattened_mut().as_flattened_mut() {
            *entry = 0;
        }
    }

    /// Makes what earlier searches taught count for less.
    pub(crate) fn fade(&mut self) {
        for entry in self.table.as_flattened_mut().as_flattened_mut() {
            *entry /= 2;
        }
    }

    #[inline]
    pub(crate) fn get(&self, color: Color, m: Move) -> i32 {
        i32::from(self.table[color][origin(m)][m.to()])
    }

    /// Adds `bonus`, which may be negative, to a move's number.
    #[inline]
    pub(crate) fn update(&mut self, color: Color, m: Move, bonus: i32) {
        let bonus = bonus.clamp(-Self::MAX, Self::MAX);
        let entry = &mut self.table[color][origin(m)][m.to()];
        let value = i32::from(*entry);
        *entry = (value + bonus - value * bonus.abs() / Self::MAX) as i16;
    }
}

#[inline]
fn origin(m: Move) -> usize {
    match (m.from(), m.dropped()) {
        (Some(from), _) => from as usize,
        (None, Some(kind)) => Square::COUNT + kind as usize,
        (None, None) => unreachable!("a move is a board move or a drop"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_range_and_follow_the_latest_results() {
        let mut history = History::new();
        let m = Move::drop(PieceKind::Gold, Square::S99);
        for _ in 0..1_000 {
            history.update(Color::White, m, 1_500);
        }
        let high = history.get(Color::White, m);
        assert!(high > History::MAX * 9 / 10 && high <= History::MAX);
        for _ in 0..1_000 {
            history.update(Color::White, m, i32::MIN);
        }
        assert_eq!(history.get(Color::White, m), -History::MAX);
        assert_eq!(history.get(Color::Black, m), 0);
        history.fade();
        assert_eq!(history.get(Color::White, m), -History::MAX / 2);
        history.clear();
        assert_eq!(history.get(Color::White, m), 0);
    }

    #[test]
    fn every_origin_has_its_own_row() {
        let mut rows: Vec<usize> = PieceKind::HAND
            .map(|kind| origin(Move::drop(kind, Square::S55)))
            .into_iter()
            .chain(Square::ALL.into_iter().map(|from| {
                let to = if from == Square::S11 { Square::S12 } else { Square::S11 };
                origin(Move::new(from, to))
            }))
            .collect();
        rows.sort_unstable();
        assert_eq!(rows, Vec::from_iter(0..ORIGINS));
    }
}
