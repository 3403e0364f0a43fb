//! One entry of the transposition table, and its 64 bits.

use komadai_core::{Bound, Move, Score};

/// What the transposition table knows about one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The best move, or the one that refuted the line; not checked for legality.
    pub best: Option<Move>,
    /// The value for the side to move, mates counted from this position.
    pub score: Score,
    /// What the evaluator said, if it was asked.
    pub static_score: Option<Score>,
    /// The depth of the search that found the value, in plies; 0 for quiescence.
    pub depth: u8,
    /// How the score relates to the value.
    pub bound: Bound,
    /// Whether the position was part of a principal variation at some time.
    pub pv: bool,
}

/// An [`Entry`] and the generation of its search in a word.
///
/// Bits 0–15 the move (0 for none), 16–31 the score, 32–47 the static score ([`NO_SCORE`] for
/// none), 48–55 the depth, 56–57 the bound (0 for an unused slot), 58 whether it was part of a
/// principal variation, 59–63 the generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Packed(u64);

/// No score is that low.
const NO_SCORE: i16 = i16::MIN;
const _: () = assert!(-Score::INFINITE.raw() > NO_SCORE as i32);

/// Generations are counted in five bits.
pub(crate) const GENERATIONS: u8 = 32;

/// How many plies of depth one search's age is worth.
const AGE_WEIGHT: i32 = 4;

/// How much shallower an inexact result may be and still replace one of the same position.
const DEPTH_SLACK: u8 = 4;

impl Packed {
    pub(crate) fn new(entry: &Entry, generation: u8) -> Self {
        let best = entry.best.map_or(0, Move::to_bits);
        let score = entry.score.raw() as i16;
        let static_score = entry.static_score.map_or(NO_SCORE, |score| score.raw() as i16);
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        Self(
            u64::from(best)
                | u64::from(score as u16) << 16
                | u64::from(static_score as u16) << 32
                | u64::from(entry.depth) << 48
                | bound << 56
                | u64::from(entry.pv) << 58
                | u64::from(generation) << 59,
        )
    }

    #[inline]
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    #[inline]
    pub(crate) const fn to_bits(self) -> u64 {
        self.0
    }

    /// The entry, or `None` for an unused slot.
    #[inline]
    pub(crate) fn unpack(self) -> Option<Entry> {
        let bound = match self.0 >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let static_score = (self.0 >> 32) as i16;
        Some(Entry {
            best: self.best(),
            score: Score::from_raw(i32::from((self.0 >> 16) as i16)),
            static_score: (static_score != NO_SCORE)
                .then(|| Score::from_raw(i32::from(static_score))),
            depth: self.depth(),
            bound,
            pv: self.0 >> 58 & 1 != 0,
        })
    }

    #[inline]
    pub(crate) const fn is_used(self) -> bool {
        self.0 >> 56 & 3 != 0
    }

    /// Whether the entry is of this generation.
    #[inline]
    pub(crate) const fn is_of(self, generation: u8) -> bool {
        self.is_used() && self.generation() == generation
    }

    #[inline]
    pub(crate) const fn best(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    #[inline]
    const fn depth(self) -> u8 {
        (self.0 >> 48) as u8
    }

    #[inline]
    const fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }

    /// What would be lost with the entry: depth counts for it, age against it.
    #[inline]
    pub(crate) fn worth(self, generation: u8) -> i32 {
        if !self.is_used() {
            return i32::MIN;
        }
        let age = generation.wrapping_sub(self.generation()) & (GENERATIONS - 1);
        i32::from(self.depth()) - AGE_WEIGHT * i32::from(age)
    }

    /// Whether this entry says more about its position than `newer`, which is of `generation`.
    #[inline]
    pub(crate) fn outweighs(self, newer: &Entry, generation: u8) -> bool {
        newer.bound != Bound::Exact
            && self.is_of(generation)
            && self.depth() > newer.depth.saturating_add(DEPTH_SLACK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_survives_packing() {
        let scores = [
            Score::ZERO,
            Score::cp(-30_000),
            Score::mate_in(1),
            Score::mated_in(0),
            -Score::INFINITE,
            Score::INFINITE,
        ];
        for score in scores {
            for static_score in [None, Some(Score::cp(-1)), Some(Score::cp(20_000))] {
                for best in [None, Move::from_bits(0x2750)] {
                    for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                        for depth in [0, 1, 255] {
                            let pv = depth == 1;
                            let entry = Entry { best, score, static_score, depth, bound, pv };
                            for generation in [0, 31] {
                                let packed = Packed::new(&entry, generation);
                                assert_eq!(packed.unpack(), Some(entry));
                                assert!(packed.is_of(generation) && !packed.is_of(17));
                            }
                        }
                    }
                }
            }
        }
        assert_eq!(Packed::from_bits(0).unpack(), None);
    }

    #[test]
    fn age_counts_against_depth_and_wraps() {
        let entry = |depth| Entry {
            best: None,
            score: Score::ZERO,
            static_score: None,
            depth,
            bound: Bound::Upper,
            pv: false,
        };
        let old = Packed::new(&entry(10), 30);
        assert_eq!(old.worth(30), 10);
        assert_eq!(old.worth(1), 10 - 3 * AGE_WEIGHT);
        assert!(Packed::from_bits(0).worth(0) < old.worth(29));
    }
}
