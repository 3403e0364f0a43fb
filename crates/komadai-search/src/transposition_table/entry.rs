//! An entry of the transposition table, packed into 64 bits.

use komadai_core::{Bound, Move, Score};

/// A search result of one position in the transposition table.
///
/// # Examples
///
/// ```
/// use komadai_core::{Bound, Score};
/// use komadai_search::Entry;
///
/// // A refutation: the value is at least 120 centipawns.
/// let entry = Entry {
///     best: Some("8h2b+".parse()?),
///     score: Score::cp(120),
///     static_score: Some(Score::cp(10)),
///     depth: 6,
///     bound: Bound::Lower,
///     pv: false,
/// };
/// assert!(entry.score > entry.static_score.unwrap_or_default());
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The best move, or the one that refuted the line; not checked for legality.
    pub best: Option<Move>,
    /// The value for the side to move, mates counted from this position.
    pub score: Score,
    /// The evaluator's value, without correction; `None` if the position was not evaluated.
    pub static_score: Option<Score>,
    /// The depth of the search that found the value, in plies; 0 for quiescence.
    pub depth: u8,
    /// The relation of the score to the true value.
    pub bound: Bound,
    /// True if the position was part of a principal variation before.
    pub pv: bool,
}

/// An [`Entry`] and the generation of its search in a word.
///
/// Bits 0–15 the move (0 for none), 16–31 the score, 32–47 the static score ([`NO_SCORE`] for
/// none), 48–55 the depth, 56–57 the bound (0 for an unused slot), 58 whether it was part of a
/// principal variation, 59–63 the generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PackedEntry(u64);

/// The mark of a missing static score: no score is that low.
const NO_SCORE: i16 = i16::MIN;
const _: () = assert!(-Score::INFINITE.raw() > NO_SCORE as i32);

/// Number of generations, which are counted in five bits.
pub(crate) const GENERATIONS: u8 = 32;

/// Plies of depth that weigh as much as one search of age, for the choice of the entry to replace.
///
/// Untuned: an entry of the last search counts as if it were four plies shallower.
pub(crate) const AGE_WEIGHT: i32 = 4;

/// Largest number of plies by which an inexact result may be shallower and still replace another
/// one of the same position.
///
/// Source: the replacement scheme of Stockfish.
const DEPTH_SLACK: u8 = 4;

impl PackedEntry {
    pub(crate) fn new(entry: &Entry, generation: u8) -> Self {
        let best = entry.best.map_or(0, Move::to_bits);
        // Scores fit in 16 bits: `Score::INFINITE` is below `i16::MAX`, as asserted above.
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

    /// Returns the entry, or `None` for an unused slot.
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

    /// Checks whether the entry is of this generation.
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

    /// Returns the replacement value of the entry: its depth minus its age, the lowest for an
    /// unused slot.
    #[inline]
    pub(crate) fn replacement_value(self, generation: u8) -> i32 {
        if !self.is_used() {
            return i32::MIN;
        }
        // Modulo arithmetic: an entry that survives 32 searches looks new once, which is harmless.
        let age = generation.wrapping_sub(self.generation()) & (GENERATIONS - 1);
        i32::from(self.depth()) - AGE_WEIGHT * i32::from(age)
    }

    /// Checks whether this entry is kept in place of `newer`, which is of `generation`: if it is of
    /// the same search and much deeper, and `newer` is only a bound.
    #[inline]
    pub(crate) fn is_preferred_to(self, newer: &Entry, generation: u8) -> bool {
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
                                let packed = PackedEntry::new(&entry, generation);
                                assert_eq!(packed.unpack(), Some(entry));
                                assert!(packed.is_of(generation) && !packed.is_of(17));
                            }
                        }
                    }
                }
            }
        }
        assert_eq!(PackedEntry::from_bits(0).unpack(), None);
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
        let old = PackedEntry::new(&entry(10), 30);
        assert_eq!(old.replacement_value(30), 10);
        assert_eq!(old.replacement_value(1), 10 - 3 * AGE_WEIGHT);
        assert!(PackedEntry::from_bits(0).replacement_value(0) < old.replacement_value(29));
    }
}
