//! A position with the question that is asked about it.

use komadai_core::Hand;

use super::interposition::Interposition;

/// A number of plies until the mate. A position in which an interposition may be taken back counts one ply
/// less than nothing, so the number can be −1.
pub(super) type Plies = i16;

/// The plies of a disproof that holds for every length.
pub(super) const UNLIMITED: Plies = Plies::MAX;

/// A position to search: who moves, with how many plies, and the interposition that led to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) key: u64,
    pub(super) hand: Hand,
    pub(super) limit: Plies,
    /// The last move, if it is an interposition that can be taken back.
    pub(super) interposition: Option<Interposition>,
}

/// Returns the key of a position with the attacker's hand.
pub(super) fn with_hand(key: u64, hand: Hand) -> u64 {
    let mixed = (key ^ u64::from(hand.to_bits()) << 20).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 29
}
