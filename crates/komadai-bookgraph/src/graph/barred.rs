//! Barred moves: moves that the graph ignores.

use std::collections::HashMap;

use komadai_core::Move;
use smallvec::SmallVec;

use super::listed_move::ListedMove;
use super::short_lists::ShortLists;

/// The barred moves of positions, in the orientation with Black to move. Few positions have any.
#[derive(Debug, Clone, Default)]
pub(crate) struct BarredMoves(HashMap<u32, SmallVec<[Move; 4]>>);

impl BarredMoves {
    /// Returns whether a move is barred.
    #[inline]
    pub(crate) fn contains(&self, number: u32, m: Move) -> bool {
        !self.0.is_empty() && self.of(number).contains(&m)
    }

    /// The barred moves of a position, sorted.
    pub(crate) fn of(&self, number: u32) -> &[Move] {
        self.0.get(&number).map_or(&[], SmallVec::as_slice)
    }

    /// Removes barred moves from lists.
    pub(crate) fn remove_from(&self, moves: &mut ShortLists<ListedMove>) {
        for (&number, barred) in &self.0 {
            moves.retain(number, |listed| !barred.contains(&listed.m));
        }
    }

    /// Bars exactly these moves of a position. Returns whether other moves were barred before.
    pub(crate) fn set(&mut self, number: u32, moves: impl IntoIterator<Item = Move>) -> bool {
        let mut moves: SmallVec<[Move; 4]> = moves.into_iter().collect();
        moves.sort_unstable_by_key(|m| m.to_bits());
        moves.dedup();
        let is_changed = self.of(number) != moves.as_slice();
        if moves.is_empty() {
            self.0.remove(&number);
        } else if is_changed {
            self.0.insert(number, moves);
        }
        is_changed
    }
}
