//! The positions from the root to the current one.

use komadai_core::Hand;

use super::node::with_hand;

/// The trail, with tests for repetitions and for equal ends.
#[derive(Debug, Default)]
pub(super) struct Trail {
    positions: Vec<(u64, Hand)>,
    /// `[n]`: the hash of the first `n + 1` positions, a polynomial in [`BASE`] modulo 2^64.
    prefixes: Vec<u64>,
    /// `[n]`: the base to the power of `n`.
    powers: Vec<u64>,
}

/// Base of the rolling hash (R. Karp and M. Rabin, "Efficient randomized pattern-matching
/// algorithms", 1987): odd, so that no power of it is 0.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

impl Trail {
    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    pub(super) fn push(&mut self, key: u64, hand: Hand) {
        let before = self.prefixes.last().copied().unwrap_or(0);
        self.prefixes.push(before.wrapping_mul(BASE).wrapping_add(with_hand(key, hand)));
        self.positions.push((key, hand));
        let power = self.powers.last().map_or(1, |power| power.wrapping_mul(BASE));
        if self.powers.len() <= self.positions.len() {
            self.powers.push(power);
        }
    }

    pub(super) fn pop(&mut self) {
        self.positions.pop();
        self.prefixes.pop();
    }

    /// Returns the largest length so far.
    #[cfg(test)]
    pub(super) fn deepest(&self) -> usize {
        self.powers.len()
    }

    /// Returns the hash of the last `count` positions, or `None` if there are fewer.
    pub(super) fn hash_of_last(&self, count: usize) -> Option<u64> {
        let start = self.len().checked_sub(count)?;
        let prefix = |count: usize| count.checked_sub(1).map_or(0, |last| self.prefixes[last]);
        // The empty trail has no power yet.
        let power = self.powers.get(count).copied().unwrap_or(1);
        Some(prefix(self.len()).wrapping_sub(prefix(start).wrapping_mul(power)))
    }

    /// Returns the latest ply with the same position, the attacker holding the same pieces or more.
    pub(super) fn repeated_ply(&self, key: u64, hand: Hand) -> Option<usize> {
        self.positions.iter().rposition(|&(other, held)| other == key && held.dominates(hand))
    }
}
