//! Hand dominance (持ち駒の優劣): search results by board and hand.
//!
//! The pieces that are not on the board are in one hand or the other. Of two positions with the
//! same board and side to move, the one in which this side holds at least as many pieces of every
//! kind is at least as good for it: the side can answer move for move as in the other position, and
//! the opponent has no new moves. A search result of one position is therefore a bound for the
//! other.
//!
//! ```text
//! a hand that dominates ours has a value of at most v:     our value is at most v
//! a hand that ours dominates has a value of at least v:    our value is at least v
//! ```
//!
//! That holds under the rules: whether a pawn may be dropped on a file (nifu) depends on the board
//! alone, and so does whether its drop mates, since the reply to it is a move of the king or a
//! capture, never a drop; points for a declaration grow with the hand. It does not hold
//!
//! - across histories: a line that ends by repetition, perpetual check or the move limit with one
//!   hand may continue with another. The transposition table has the same weakness. Values decided
//!   by rules other than mate are therefore not stored;
//! - for an evaluator that prefers a smaller hand, and for a search that prunes.
//!
//! Trees shrink, but a search may return another value with the technique than without.
//!
//! Equal hands are left to the transposition table. Slots are indexed by the key of the board in
//! place of the key of the position.
//!
//! Source: the appeal document of ym-shogi, "comparison by the superiority of hands"; df-pn uses
//! the same test for its proof hands: A. Nagai, "Df-pn algorithm for searching AND/OR trees and its
//! applications", University of Tokyo, 2002.

use komadai_core::{Bound, Hand, Score};

use crate::transposition_table::clusters::{Clusters, SlotAccess};
use crate::transposition_table::entry::{AGE_WEIGHT, GENERATIONS};
use crate::value::{Value, Window};

/// Search results by board and hand, shared between threads.
#[derive(Debug)]
pub(crate) struct DominanceTable(Clusters);

/// A hand of the side to move and the search result with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HandBound {
    pub(crate) hand: Hand,
    /// Mates counted from the position.
    pub(crate) score: Score,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
}

/// A [`HandBound`] and the generation of its search in a word.
///
/// Bits 0–27 the hand, 32–47 the score, 48–55 the depth, 56–57 the bound (0 for an unused slot),
/// 59–63 the generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PackedBound(u64);

impl PackedBound {
    fn new(hand_bound: &HandBound, generation: u8) -> Self {
        let bound = match hand_bound.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        Self(
            u64::from(hand_bound.hand.to_bits())
                | u64::from(hand_bound.score.raw() as i16 as u16) << 32
                | u64::from(hand_bound.depth) << 48
                | bound << 56
                | u64::from(generation) << 59,
        )
    }

    /// Returns the bound, or `None` for an unused slot.
    #[inline]
    fn unpack(self) -> Option<HandBound> {
        let bound = match self.0 >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(HandBound {
            hand: Hand::from_bits(self.0 as u32)?,
            score: Score::from_raw(i32::from((self.0 >> 32) as i16)),
            depth: self.depth(),
            bound,
        })
    }

    const fn depth(self) -> u8 {
        (self.0 >> 48) as u8
    }

    /// Returns the replacement value: the depth minus the age, the lowest for an unused slot.
    fn replacement_value(self, generation: u8) -> i32 {
        let age = generation.wrapping_sub((self.0 >> 59) as u8) % GENERATIONS;
        match self.0 >> 56 & 3 {
            0 => i32::MIN,
            _ => i32::from(self.depth()) - AGE_WEIGHT * i32::from(age),
        }
    }
}

impl DominanceTable {
    /// Returns an empty table of about `mib` MiB, at least 1, or less if the system does not grant
    /// that.
    pub(crate) fn new(mib: usize) -> Self {
        Self(Clusters::of_mib(mib))
    }

    /// Removes all entries, with several threads.
    pub(crate) fn clear_on(&self, threads: usize) {
        self.0.clear_on(threads);
    }

    /// Stores the result of a board with a hand, unless the table holds a deeper one.
    pub(crate) fn store(&self, board_key: u64, hand_bound: &HandBound, generation: u8) {
        let new = PackedBound::new(hand_bound, generation);
        let mut victim = None;
        let mut lowest_value = i32::MAX;
        for slot in self.0.at(board_key) {
            let (found, bits) = slot.read();
            let packed = PackedBound(bits);
            if found == board_key && packed.unpack().is_some_and(|old| old.hand == hand_bound.hand)
            {
                if packed.replacement_value(generation) > new.replacement_value(generation) {
                    return;
                }
                victim = Some(slot);
                break;
            }
            let value = packed.replacement_value(generation);
            if value < lowest_value {
                (lowest_value, victim) = (value, Some(slot));
            }
        }
        if lowest_value == i32::MIN {
            self.0.touch(board_key);
        }
        if let Some(slot) = victim {
            slot.write(board_key, new.0);
        }
    }

    /// Returns the bound that other hands set to a search of this board with `hand` to `depth`, if
    /// it lies outside `window`. The node is `ply` plies from the root.
    #[inline]
    pub(crate) fn cutoff(
        &self,
        board_key: u64,
        hand: Hand,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Option<Value> {
        self.0.at(board_key).iter().find_map(|slot| {
            let (found, bits) = slot.read();
            let packed = PackedBound(bits);
            if found != board_key || i32::from(packed.depth()) < depth {
                return None;
            }
            let other = packed.unpack().filter(|other| other.hand != hand)?;
            let value = other.score.from_ply(ply as u32).raw();
            let holds = match other.bound {
                Bound::Upper => value <= window.alpha && other.hand.dominates(hand),
                Bound::Lower => value >= window.beta && hand.dominates(other.hand),
                Bound::Exact => {
                    value <= window.alpha && other.hand.dominates(hand)
                        || value >= window.beta && hand.dominates(other.hand)
                }
            };
            holds.then_some(value)
        })
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::PieceKind;
    use proptest::prelude::*;

    use super::*;
    use crate::value::mating;

    const BOARD: u64 = 0x1234_5678_9abc_def0;
    const PLY: usize = 3;

    fn pawns(count: u32) -> Hand {
        Hand::EMPTY.with(PieceKind::Pawn, count)
    }

    fn found(hand: Hand, cp: i32, depth: u8, bound: Bound) -> HandBound {
        HandBound { hand, score: Score::cp(cp), depth, bound }
    }

    fn table(bounds: &[HandBound]) -> DominanceTable {
        let table = DominanceTable::new(1);
        for hand_bound in bounds {
            table.store(BOARD, hand_bound, 1);
        }
        table
    }

    fn cutoff(table: &DominanceTable, hand: Hand, alpha: i32, depth: i32) -> Option<Value> {
        table.cutoff(BOARD, hand, Window::zero(alpha), depth, PLY)
    }

    #[test]
    fn a_better_hand_that_failed_low_bounds_from_above() {
        let table = table(&[found(pawns(2), -300, 6, Bound::Upper)]);
        assert_eq!(cutoff(&table, pawns(1), 0, 6), Some(-300));
        assert_eq!(cutoff(&table, pawns(1), 0, 7), None, "it was searched less deep");
        assert_eq!(cutoff(&table, pawns(1), -301, 6), None, "it is inside the window");
        assert_eq!(cutoff(&table, pawns(3), 0, 6), None, "a pawn more may help");
        assert_eq!(
            cutoff(&table, pawns(2), 0, 6),
            None,
            "equal hands are left to the transposition table"
        );
        let gold = Hand::EMPTY.with(PieceKind::Gold, 1);
        assert_eq!(cutoff(&table, gold, 0, 6), None, "neither hand dominates");
        assert_eq!(table.cutoff(BOARD ^ 1, pawns(1), Window::zero(0), 6, PLY), None);
    }

    #[test]
    fn a_worse_hand_that_failed_high_bounds_from_below() {
        let table = table(&[found(pawns(2), 300, 6, Bound::Lower)]);
        assert_eq!(cutoff(&table, pawns(3), 100, 6), Some(300));
        assert_eq!(cutoff(&table, pawns(3), 300, 6), None, "beta is 301");
        assert_eq!(cutoff(&table, pawns(1), 100, 6), None);
    }

    #[test]
    fn exact_values_bound_on_both_sides() {
        let table = table(&[found(pawns(2), 50, 6, Bound::Exact)]);
        assert_eq!(cutoff(&table, pawns(1), 50, 3), Some(50));
        assert_eq!(cutoff(&table, pawns(3), 49, 3), Some(50));
        assert_eq!(cutoff(&table, pawns(1), 20, 3), None);
    }

    #[test]
    fn mates_are_counted_from_the_root() {
        let mate = HandBound { score: Score::mate_in(5), ..found(pawns(1), 0, 9, Bound::Exact) };
        let table = table(&[mate]);
        assert_eq!(cutoff(&table, pawns(2), 0, 2), Some(mating(5 + PLY)));
    }

    #[test]
    fn hands_of_one_board_share_a_cluster_and_the_shallowest_goes() {
        let bounds = [(1, 9), (2, 3), (3, 8), (4, 7), (5, 2)]
            .map(|(count, depth)| found(pawns(count), -10, depth, Bound::Upper));
        let table = table(&bounds);
        let kept = |count: u32, depth| cutoff(&table, pawns(count - 1), 0, depth).is_some();
        assert!(kept(5, 2) && kept(4, 7));
        // Only the hand of two pawns was searched three plies deep and not four; it made room.
        let left = table.0.at(BOARD).iter().filter_map(|slot| PackedBound(slot.read().1).unpack());
        assert!(left.into_iter().all(|hand_bound| hand_bound.hand != pawns(2)));
    }

    #[test]
    fn a_hand_is_kept_once_and_deeper_results_stay() {
        let table =
            table(&[found(pawns(2), -10, 6, Bound::Upper), found(pawns(2), -20, 5, Bound::Upper)]);
        assert_eq!(cutoff(&table, pawns(1), 0, 1), Some(-10));
        table.store(BOARD, &found(pawns(2), -20, 6, Bound::Upper), 1);
        assert_eq!(cutoff(&table, pawns(1), 0, 1), Some(-20));
        // Two searches later a shallower result replaces it.
        table.store(BOARD, &found(pawns(2), -30, 3, Bound::Upper), 3);
        assert_eq!(cutoff(&table, pawns(1), 0, 1), Some(-30));
        let used =
            table.0.at(BOARD).iter().filter(|slot| PackedBound(slot.read().1).unpack().is_some());
        assert_eq!(used.count(), 1);
    }

    #[test]
    fn clearing_removes_all_bounds() {
        let table = table(&[found(pawns(2), -300, 6, Bound::Upper)]);
        table.clear_on(1);
        assert_eq!(cutoff(&table, pawns(1), 0, 1), None);
    }

    fn any_hand() -> impl Strategy<Value = Hand> {
        any::<[prop::sample::Index; 7]>().prop_map(|counts| {
            PieceKind::HAND.into_iter().zip(counts).fold(Hand::EMPTY, |hand, (kind, count)| {
                hand.with(kind, count.index(PieceKind::TOTALS[kind as usize] as usize + 1) as u32)
            })
        })
    }

    proptest! {
        #[test]
        fn bounds_survive_packing(
            hand in any_hand(),
            value in -i32::from(i16::MAX)..=i32::from(i16::MAX),
            depth in any::<u8>(),
            bound in prop::sample::select(vec![Bound::Upper, Bound::Lower, Bound::Exact]),
            generation in 0..GENERATIONS,
        ) {
            let hand_bound = HandBound { hand, score: Score::from_raw(value), depth, bound };
            prop_assert_eq!(PackedBound::new(&hand_bound, generation).unpack(), Some(hand_bound));
        }

        #[test]
        fn cutoffs_follow_the_definition(
            stored in any_hand(),
            hand in any_hand(),
            value in -50..50,
            alpha in -50..50,
            bound in prop::sample::select(vec![Bound::Upper, Bound::Lower, Bound::Exact]),
        ) {
            let at_least = |a: Hand, b: Hand| {
                PieceKind::HAND.into_iter().all(|kind| a.count(kind) >= b.count(kind))
            };
            let low = bound != Bound::Lower && value <= alpha && at_least(stored, hand);
            let high = bound != Bound::Upper && value > alpha && at_least(hand, stored);
            let expected = (hand != stored && (low || high)).then_some(value);
            let table = DominanceTable::new(1);
            table.store(BOARD, &found(stored, value, 4, bound), 0);
            prop_assert_eq!(cutoff(&table, hand, alpha, 4), expected);
        }
    }
}
