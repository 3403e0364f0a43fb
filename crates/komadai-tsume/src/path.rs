//! The path: the positions from the root to the current node, and the part of it that a disproof
//! relies on.

use komadai_core::Hand;

use crate::plies::MAX_PLIES;

/// The path, with fast tests for repetitions and equal parts.
#[derive(Debug)]
pub(crate) struct Path {
    board_keys: Vec<u64>,
    /// The attacker's hands.
    hands: Vec<Hand>,
    /// For each chain of boards, the latest ply of the path plus one.
    latest: Box<[u16; CHAINS]>,
    /// For each ply, the entry of `latest` that it replaced.
    previous: Vec<u16>,
    /// `prefixes[n]` is the hash of the first `n` positions, in order.
    prefixes: Vec<u64>,
}

/// Base of the rolling hash. The hash of a sequence of positions is a polynomial in this number
/// modulo 2^64, so the hash of any part follows from those of two prefixes (R. Karp and M. Rabin,
/// "Efficient randomized pattern-matching algorithms", 1987). The number is odd, so that no power
/// of it is 0; it is 2^64 divided by the golden ratio, whose bits look random.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// `[n]`: the base to the power of `n`.
static POWERS: [u64; MAX_PLIES as usize + 1] = {
    let mut powers = [1_u64; MAX_PLIES as usize + 1];
    let mut i = 1;
    while i < powers.len() {
        powers[i] = powers[i - 1].wrapping_mul(BASE);
        i += 1;
    }
    powers
};

/// Number of chains. Boards of the path whose keys end in the same bits form a chain, in which a
/// repetition is looked for. Comparing all plies took a fifth of the time in Microcosmos.
const CHAINS: usize = 1 << 12;

/// The chain of a board.
const fn chain(board_key: u64) -> usize {
    board_key as usize % CHAINS
}

impl Default for Path {
    fn default() -> Self {
        Self {
            board_keys: Vec::new(),
            hands: Vec::new(),
            latest: Box::new([0; CHAINS]),
            previous: Vec::new(),
            prefixes: Vec::new(),
        }
    }
}

impl Path {
    /// Returns the number of positions on the path.
    pub(crate) fn len(&self) -> usize {
        self.hands.len()
    }

    pub(crate) fn push(&mut self, board_key: u64, hand: Hand) {
        let before = self.hash(self.len());
        let latest = &mut self.latest[chain(board_key)];
        self.previous.push(*latest);
        *latest = self.board_keys.len() as u16 + 1;
        self.board_keys.push(board_key);
        self.hands.push(hand);
        self.prefixes.push(before.wrapping_mul(BASE).wrapping_add(position_hash(board_key, hand)));
    }

    pub(crate) fn pop(&mut self) {
        if let (Some(board_key), Some(previous)) = (self.board_keys.pop(), self.previous.pop()) {
            self.latest[chain(board_key)] = previous;
        }
        self.hands.pop();
        self.prefixes.pop();
    }

    /// Removes all positions.
    pub(crate) fn clear(&mut self) {
        while self.len() > 0 {
            self.pop();
        }
    }

    /// Returns the hash of the first `count` positions.
    fn hash(&self, count: usize) -> u64 {
        if count == 0 { 0 } else { self.prefixes[count - 1] }
    }

    /// Returns the hash of the last `count` positions, or `None` if the path is shorter.
    pub(crate) fn hash_of_last(&self, count: usize) -> Option<u64> {
        let start = self.len().checked_sub(count)?;
        let prefix = self.hash(start).wrapping_mul(*POWERS.get(count)?);
        Some(self.hash(self.len()).wrapping_sub(prefix))
    }

    /// Returns the ply of a position on the path.
    pub(crate) fn ply_of(&self, board_key: u64, hand: Hand) -> Option<usize> {
        let mut next = self.latest[chain(board_key)];
        while let Some(ply) = usize::from(next).checked_sub(1) {
            if self.board_keys[ply] == board_key && self.hands[ply] == hand {
                return Some(ply);
            }
            next = self.previous[ply];
        }
        None
    }

    /// Returns the latest ply at which the position that is about to be added occurred before, with
    /// the attacker holding the same pieces or more.
    ///
    /// A larger hand counts because more pieces in hand never harm the attacker: a mate in the new
    /// position would have been possible at the earlier one.
    pub(crate) fn repeated_ply(&self, board_key: u64, hand: Hand) -> Option<usize> {
        // The key contains the side to move, so that the board is that of a position with the same
        // side.
        let mut next = self.latest[chain(board_key)];
        while let Some(ply) = usize::from(next).checked_sub(1) {
            if self.board_keys[ply] == board_key && self.hands[ply].dominates(hand) {
                return Some(ply);
            }
            next = self.previous[ply];
        }
        None
    }
}

/// The condition of a disproof: it holds everywhere, or only while some positions are on the path
/// to the node.
///
/// A repeated position is a failure of the attacker, who could have mated faster at its first
/// occurrence. A node may therefore be disproven because one of its descendants repeats one of its
/// ancestors. The same node, reached on another path, may still be a mate: this is the graph
/// history interaction problem. If the ancestor itself is disproven and relies on no earlier
/// position, the nodes that relied on it form a closed set without a mate, and the disproof of the
/// ancestor holds everywhere.
///
/// The value is the earliest ply of the path that the disproof relies on. A larger value is a
/// weaker condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reliance(u16);

impl Reliance {
    /// The disproof holds on every path.
    pub(crate) const NOTHING: Self = Self(u16::MAX);

    /// The disproof holds while the path has the same position at `ply`.
    pub(crate) const fn on_ply(ply: usize) -> Self {
        Self(ply as u16)
    }

    /// Returns the earliest ply that the disproof relies on, or `None` if it holds on every path.
    pub(crate) const fn ply(self) -> Option<usize> {
        match self {
            Self::NOTHING => None,
            Self(ply) => Some(ply as usize),
        }
    }

    /// Returns the condition that remains for a node at `ply` once its subtree is complete. A node
    /// is independent of repetitions of itself and of its descendants.
    pub(crate) const fn seen_from(self, ply: usize) -> Self {
        if self.0 as usize >= ply { Self::NOTHING } else { self }
    }
}

/// Returns a hash of board, side to move and the attacker's hand.
///
/// The multiplication carries the bits of the hand into the upper half, from which tables take
/// their index; the constant is that of the generator SplitMix64.
pub(crate) fn position_hash(board_key: u64, hand: Hand) -> u64 {
    let mixed = (board_key ^ u64::from(hand.to_bits()) << 20).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 29
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path_of(keys: &[u64]) -> Path {
        let mut path = Path::default();
        for &key in keys {
            path.push(key, Hand::EMPTY);
        }
        path
    }

    #[test]
    fn a_stretch_has_the_same_hash_after_any_beginning() {
        let a = path_of(&[1, 2, 3, 4, 5]);
        let b = path_of(&[9, 8, 3, 4, 5]);
        assert_eq!(a.hash_of_last(3), b.hash_of_last(3));
        assert_ne!(a.hash_of_last(4), b.hash_of_last(4));
        assert_ne!(a.hash_of_last(3), path_of(&[3, 5, 4]).hash_of_last(3));
        assert_eq!(a.hash_of_last(6), None);
        let mut shortened = a;
        shortened.pop();
        assert_eq!(shortened.hash_of_last(2), path_of(&[3, 4]).hash_of_last(2));
    }

    #[test]
    fn only_an_equal_or_larger_hand_of_the_attacker_is_repeated() {
        use komadai_core::PieceKind::{Gold, Pawn};
        let pawn = Hand::EMPTY.with(Pawn, 1);
        let mut path = Path::default();
        // The third board is in the chain of the first.
        let other = 7 + CHAINS as u64;
        for (key, hand) in
            [(7, pawn), (1, pawn), (7, pawn.with(Gold, 1)), (2, pawn), (other, pawn), (4, pawn)]
        {
            path.push(key, hand);
        }
        assert_eq!(path.repeated_ply(other, pawn), Some(4));
        assert_eq!(path.repeated_ply(7, pawn), Some(2));
        assert_eq!(path.repeated_ply(7, pawn.with(Gold, 2)), None);
        path.pop();
        path.pop();
        assert_eq!(path.repeated_ply(other, pawn), None);
        assert_eq!(path.repeated_ply(7, Hand::EMPTY), Some(2));
        path.clear();
        assert_eq!(path.repeated_ply(7, Hand::EMPTY), None);
    }
}
