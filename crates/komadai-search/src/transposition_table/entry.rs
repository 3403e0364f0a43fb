//! An entry of the transposition table, packed into 64 bits.

use core::num::NonZero;

use komadai_core::{Bound, Move, Score};

use crate::value::Value;

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

/// The result of a node, in the search's own numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NodeResult {
    pub(crate) best: Option<Move>,
    pub(crate) value: Value,
    /// The evaluator's value, without correction.
    pub(crate) static_value: Option<Value>,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// True if the position is or was part of a principal variation.
    pub(crate) pv: bool,
}

impl From<Entry> for NodeResult {
    fn from(entry: Entry) -> Self {
        Self {
            best: entry.best,
            value: entry.score.raw(),
            static_value: entry.static_score.map(Score::raw),
            depth: i32::from(entry.depth),
            bound: entry.bound,
            pv: entry.pv,
        }
    }
}

/// An [`Entry`] and the generation of its search in a word that is not 0.
///
/// Bits 0–15 the move (0 for none), 16–31 the score, 32–47 the static score ([`NO_SCORE`] for
/// none), 48–55 the depth, 56–57 the bound ([`UPPER`] or [`LOWER`] or both), 58 whether it was part
/// of a principal variation, 59–63 the generation. An entry of a static score alone has no bound,
/// and [`NO_SCORE`] for its score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PackedEntry(NonZero<u64>);

/// The mark of a missing static score: no score is that low.
const NO_SCORE: i16 = i16::MIN;
const _: () = assert!(-Score::INFINITE.raw() > NO_SCORE as i32);

/// The bit of a score that the true value does not exceed.
pub(crate) const UPPER: NonZero<u64> = NonZero::new(1 << 56).unwrap();

/// The bit of a score that the true value reaches.
pub(crate) const LOWER: NonZero<u64> = NonZero::new(2 << 56).unwrap();

/// The bits of an exact score.
pub(crate) const EXACT: NonZero<u64> = NonZero::new(3 << 56).unwrap();

const MOVE: u64 = 0xffff;
const PV: u64 = 1 << 58;

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
    /// Packs a result whose mates are counted from its position.
    #[inline]
    pub(crate) fn new(result: &NodeResult, generation: u8) -> Self {
        // Values fit in 16 bits: `INFINITE` is below `i16::MAX`, as asserted above.
        let value = result.value as u16;
        let static_value = result.static_value.map_or(NO_SCORE as u16, |value| value as u16);
        let bound = match result.bound {
            Bound::Upper => UPPER,
            Bound::Lower => LOWER,
            Bound::Exact => EXACT,
        };
        let rest = u64::from(result.best.map_or(0, Move::to_bits))
            | u64::from(value) << 16
            | u64::from(static_value) << 32
            | u64::from(result.depth.clamp(0, i32::from(u8::MAX)) as u8) << 48
            | if result.pv { PV } else { 0 }
            | u64::from(generation) << 59;
        Self(bound | rest)
    }

    /// Packs a static value without a result.
    #[inline]
    pub(crate) fn of_evaluation(value: Value, pv: bool, generation: u8) -> Self {
        const WITHOUT_SCORE: NonZero<u64> = NonZero::new((NO_SCORE as u16 as u64) << 16).unwrap();
        let rest =
            u64::from(value as u16) << 32 | if pv { PV } else { 0 } | u64::from(generation) << 59;
        Self(WITHOUT_SCORE | rest)
    }

    /// Returns the entry of a slot with this content, or `None` for an unused slot.
    #[inline]
    pub(crate) const fn from_bits(bits: u64) -> Option<Self> {
        match NonZero::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    #[inline]
    pub(crate) const fn to_bits(self) -> u64 {
        self.0.get()
    }

    /// Returns the result; `None` if there is a static value only.
    #[inline]
    pub(crate) fn unpack(self) -> Option<Entry> {
        self.has_value().then(|| Entry {
            best: self.best(),
            score: Score::from_raw(self.value()),
            static_score: self.static_value().map(Score::from_raw),
            depth: self.depth(),
            bound: self.bound(),
            pv: self.pv(),
        })
    }

    /// Checks whether the entry has a score and its bound, not a static value only.
    #[inline]
    pub(crate) const fn has_value(self) -> bool {
        self.to_bits() & EXACT.get() != 0
    }

    /// Checks whether the entry is of this generation.
    #[inline]
    pub(crate) const fn is_of(self, generation: u8) -> bool {
        self.generation() == generation
    }

    #[inline]
    pub(crate) const fn best(self) -> Option<Move> {
        Move::from_bits(self.to_bits() as u16)
    }

    #[inline]
    pub(crate) const fn value(self) -> Value {
        (self.to_bits() >> 16) as i16 as i32
    }

    #[inline]
    pub(crate) fn static_value(self) -> Option<Value> {
        let value = (self.to_bits() >> 32) as i16;
        (value != NO_SCORE).then_some(i32::from(value))
    }

    #[inline]
    pub(crate) const fn depth(self) -> u8 {
        (self.to_bits() >> 48) as u8
    }

    #[inline]
    fn bound(self) -> Bound {
        match self.to_bits() & EXACT.get() {
            bits if bits == UPPER.get() => Bound::Upper,
            bits if bits == LOWER.get() => Bound::Lower,
            _ => Bound::Exact,
        }
    }

    /// Checks whether the true value lies beyond the score in the direction of `bound`, [`UPPER`],
    /// [`LOWER`] or [`EXACT`].
    #[inline]
    pub(crate) fn holds(self, bound: NonZero<u64>) -> bool {
        self.to_bits() & bound.get() == bound.get()
    }

    #[inline]
    pub(crate) const fn pv(self) -> bool {
        self.to_bits() & PV != 0
    }

    #[inline]
    const fn generation(self) -> u8 {
        (self.to_bits() >> 59) as u8
    }

    /// Returns this entry with the best move of another one, if it has none.
    ///
    /// A move is useful for the ordering even if its bound is out of date.
    #[inline]
    pub(crate) fn or_best_of(self, other: Self) -> Self {
        if self.to_bits() & MOVE == 0 { Self(self.0 | other.to_bits() & MOVE) } else { self }
    }

    /// Returns the replacement value of the entry: its depth minus its age.
    #[inline]
    pub(crate) fn replacement_value(self, generation: u8) -> i32 {
        // Modulo arithmetic: an entry that survives 32 searches looks new once, which is harmless.
        let age = generation.wrapping_sub(self.generation()) & (GENERATIONS - 1);
        i32::from(self.depth()) - AGE_WEIGHT * i32::from(age)
    }

    /// Checks whether this entry is kept in place of `newer`: if it is of the same search and much
    /// deeper, and `newer` is only a bound.
    #[inline]
    pub(crate) fn is_preferred_to(self, newer: Self) -> bool {
        self.depth() > newer.depth().saturating_add(DEPTH_SLACK)
            && !newer.holds(EXACT)
            && self.is_of(newer.generation())
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
                                let packed = PackedEntry::new(&entry.into(), generation);
                                assert_eq!(packed.unpack(), Some(entry));
                                assert!(packed.is_of(generation) && !packed.is_of(17));
                            }
                        }
                    }
                }
            }
        }
        assert_eq!(PackedEntry::from_bits(0), None);
    }

    #[test]
    fn a_static_value_alone_is_no_result() {
        for value in [0, 20_000, -20_000] {
            let packed = PackedEntry::of_evaluation(value, false, 0);
            assert_eq!((packed.unpack(), packed.static_value()), (None, Some(value)));
            assert_eq!((packed.best(), packed.depth(), packed.pv()), (None, 0, false));
            assert!(![UPPER, LOWER, EXACT].into_iter().any(|bound| packed.holds(bound)));
        }
        let packed = PackedEntry::of_evaluation(1, true, 31);
        assert!(packed.pv() && packed.is_of(31));
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
        let old = PackedEntry::new(&entry(10).into(), 30);
        assert_eq!(old.replacement_value(30), 10);
        assert_eq!(old.replacement_value(1), 10 - 3 * AGE_WEIGHT);
    }
}
