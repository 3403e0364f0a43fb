//! Pieces in hand (持ち駒).

use crate::color::Color;
use crate::piece::PieceKind;

/// The pieces one side holds, ready to drop.
///
/// Seven counts packed into a `u32`, pawn lowest. A hand is compared, hashed and copied as one
/// number; the df-pn solver does so once per node.
///
/// # Examples
///
/// ```
/// use komadai_core::{Hand, PieceKind};
///
/// let hand = Hand::EMPTY.with(PieceKind::Pawn, 2).with(PieceKind::Rook, 1);
/// assert_eq!(hand.count(PieceKind::Pawn), 2);
/// assert!(hand.dominates(Hand::EMPTY.with(PieceKind::Rook, 1)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Hand(u32);

/// First bit of each kind's count, in [`PieceKind::HAND`] order.
const SHIFT: [u32; 8] = [0, 6, 10, 14, 18, 21, 24, 31];

/// The count's bits once shifted down: 18 pawns need 5, 4 of a kind 3, bishops and rooks 2.
const MASK: [u32; 8] = [31, 7, 7, 7, 3, 3, 7, 0];

/// The unused bit above each count.
const SPARE: u32 = 1 << 5 | 1 << 9 | 1 << 13 | 1 << 17 | 1 << 20 | 1 << 23 | 1 << 27;

impl Hand {
    /// No pieces.
    pub const EMPTY: Self = Self(0);

    /// Every piece that can be held, as one hand.
    pub const FULL: Self = Self(18 | 4 << 6 | 4 << 10 | 4 << 14 | 2 << 18 | 2 << 21 | 4 << 24);

    /// The number of pieces of `kind` in hand; 0 for a kind that cannot be held.
    #[must_use]
    #[inline]
    pub const fn count(self, kind: PieceKind) -> u32 {
        if !kind.is_hand_kind() {
            return 0;
        }
        // The mask changes no hand kind; it spares the bounds check.
        (self.0 >> SHIFT[kind as usize & 7]) & MASK[kind as usize & 7]
    }

    /// Returns whether at least one piece of `kind` is held.
    #[must_use]
    #[inline]
    pub const fn has(self, kind: PieceKind) -> bool {
        self.count(kind) != 0
    }

    /// Returns whether the hand is empty.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The total number of pieces in hand.
    #[must_use]
    pub fn len(self) -> u32 {
        PieceKind::HAND.into_iter().map(|kind| self.count(kind)).sum()
    }

    /// The same hand with exactly `count` pieces of `kind`.
    ///
    /// # Panics
    ///
    /// Panics if `kind` cannot be held or the game does not have that many pieces of it.
    #[must_use]
    #[inline]
    pub const fn with(self, kind: PieceKind, count: u32) -> Self {
        assert!(kind.is_hand_kind(), "a king or a promoted piece cannot be held");
        assert!(count <= PieceKind::TOTALS[kind as usize], "more pieces than the game has");
        let shift = SHIFT[kind as usize];
        Self(self.0 & !(MASK[kind as usize] << shift) | count << shift)
    }

    /// Returns whether `self` holds at least as many of every kind as `other`.
    #[must_use]
    #[inline]
    pub const fn dominates(self, other: Self) -> bool {
        // With its spare bit set, a count never borrows from its neighbour, and the spare bit
        // survives exactly where `self` has enough. One subtraction compares all seven kinds.
        (self.0 | SPARE).wrapping_sub(other.0) & SPARE == SPARE
    }

    /// The kinds held at least once, with their counts, in [`PieceKind::HAND`] order.
    pub fn iter(self) -> impl Iterator<Item = (PieceKind, u32)> {
        PieceKind::HAND
            .into_iter()
            .map(move |kind| (kind, self.count(kind)))
            .filter(|&(_, n)| n > 0)
    }

    /// The packed number: equal hands have equal bits.
    #[must_use]
    #[inline]
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// The hand with these bits, or `None` if they do not represent a hand.
    #[inline]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        const FIELDS: u32 = (1 << 27) - 1;
        let hand = Self(bits);
        if bits & (!FIELDS | SPARE) == 0 && Self::FULL.dominates(hand) { Some(hand) } else { None }
    }
}

/// Both sides' hands in one number.
///
/// A position changes one hand and stores a copy of both at every move. With two 32-bit fields, the
/// copy would be one 64-bit load directly after a 32-bit store. A processor cannot forward such a
/// store to the load, so the load waits until the store has reached the cache; that wait took a
/// quarter of the time of a move (measured).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub(crate) struct Hands(u64);

impl Hands {
    pub(crate) const fn new([black, white]: [Hand; 2]) -> Self {
        Self(black.0 as u64 | (white.0 as u64) << 32)
    }

    #[inline]
    pub(crate) const fn of(self, color: Color) -> Hand {
        Hand((self.0 >> (color as u32 * 32)) as u32)
    }

    #[inline]
    pub(crate) const fn to_array(self) -> [Hand; 2] {
        [self.of(Color::Black), self.of(Color::White)]
    }

    #[inline]
    pub(crate) const fn to_bits(self) -> u64 {
        self.0
    }

    /// Adds one captured piece, given by its kind on the board; a promoted kind loses its
    /// promotion.
    ///
    /// # Correctness
    ///
    /// The hand must hold fewer than the game's number of that kind; kings cannot be added.
    #[inline]
    pub(crate) const fn add(&mut self, color: Color, kind: PieceKind) {
        debug_assert!(kind as u8 != PieceKind::King as u8);
        self.0 = self.0.wrapping_add(Self::one(color, kind));
    }

    /// Removes one piece.
    ///
    /// # Correctness
    ///
    /// The hand must hold a piece of that kind.
    #[inline]
    pub(crate) const fn remove(&mut self, color: Color, kind: PieceKind) {
        debug_assert!(self.of(color).has(kind.unpromoted()));
        self.0 = self.0.wrapping_sub(Self::one(color, kind));
    }

    #[inline]
    const fn one(color: Color, kind: PieceKind) -> u64 {
        1 << (SHIFT[kind as usize & 7] + color as u32 * 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_hand() -> impl Strategy<Value = Hand> {
        (0u32..=18, 0u32..=4, 0u32..=4, 0u32..=4, 0u32..=2, 0u32..=2, 0u32..=4).prop_map(
            |(p, l, n, s, b, r, g)| {
                PieceKind::HAND
                    .into_iter()
                    .zip([p, l, n, s, b, r, g])
                    .fold(Hand::EMPTY, |hand, (kind, count)| hand.with(kind, count))
            },
        )
    }

    proptest! {
        #[test]
        fn dominance_is_counting(a in any_hand(), b in any_hand()) {
            let counted = PieceKind::HAND.into_iter().all(|k| a.count(k) >= b.count(k));
            prop_assert_eq!(a.dominates(b), counted);
        }

        #[test]
        fn only_bits_of_hands_are_hands(hand in any_hand(), bits in any::<u32>()) {
            prop_assert_eq!(Hand::from_bits(hand.to_bits()), Some(hand));
            if let Some(read) = Hand::from_bits(bits) {
                let rebuilt = read.iter().fold(Hand::EMPTY, |hand, (kind, count)| hand.with(kind, count));
                prop_assert_eq!(rebuilt.to_bits(), bits);
            }
        }

        #[test]
        fn adding_then_removing_changes_nothing(hand in any_hand()) {
            for kind in PieceKind::HAND {
                if hand.count(kind) < PieceKind::TOTALS[kind as usize] {
                    for color in Color::ALL {
                        let before = Hands::new([hand; 2]);
                        let mut changed = before;
                        changed.add(color, kind);
                        prop_assert_eq!(changed.of(color).count(kind), hand.count(kind) + 1);
                        prop_assert_eq!(changed.of(!color), hand);
                        changed.remove(color, kind);
                        prop_assert_eq!(changed, before);
                    }
                }
            }
        }
    }

    #[test]
    fn the_full_hand_holds_the_totals() {
        for kind in PieceKind::HAND {
            assert_eq!(Hand::FULL.count(kind), PieceKind::TOTALS[kind as usize]);
        }
        assert_eq!(Hand::FULL.len(), 38);
    }
}
