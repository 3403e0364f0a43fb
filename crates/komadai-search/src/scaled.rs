//! The units of values: the centipawns of the evaluator outside, those of the search inside.

use komadai_core::{Move, Position, Score};
use komadai_eval::Evaluator;

use crate::value::{MAX_EVALUATION, Value};

/// Binary places of the factors.
const PLACES: u32 = 16;

/// Scales that differ from 1 by less than this count as 1, because rounding costs more than a
/// margin gains that is a few percent wider. Those of `Classical` and `Material` are among them.
const NEAR: f64 = 0.1;

/// The conversion between an evaluator's centipawns and those of the search.
///
/// Everything that the search compares values with (margins, histories, prices of pieces, the
/// limits of evaluations) was chosen for an evaluator of [scale](Evaluator::scale) 1. So values are
/// divided by the scale where they come in, once an evaluation, and multiplied where they go out.
/// Mates and other decided games are the same on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Units {
    /// Factors in 65,536ths.
    inward: i64,
    outward: i64,
}

impl Units {
    /// The units of an evaluator of scale 1: nothing changes.
    pub(crate) const EQUAL: Self = Self { inward: 1 << PLACES, outward: 1 << PLACES };

    /// Returns the units of an evaluator of this scale; those of a scale near 1 are equal.
    pub(crate) fn of_scale(scale: f64) -> Self {
        if (scale - 1.0).abs() < NEAR {
            return Self::EQUAL;
        }
        let factor = |factor: f64| (factor * f64::from(1 << PLACES)).round() as i64;
        Self { inward: factor(1.0 / scale), outward: factor(scale) }
    }

    /// Converts an evaluator's centipawns to a value of the search.
    #[inline]
    pub(crate) const fn value(self, centipawns: i32) -> Value {
        times(centipawns, self.inward)
    }

    /// Converts a value of the search to the evaluator's centipawns.
    #[inline]
    pub(crate) const fn score(self, value: Value) -> Score {
        let size = value.abs();
        Score::from_raw(if size > MAX_EVALUATION { value } else { times(value, self.outward) })
    }
}

/// Multiplies and rounds to the nearest number, within the range of evaluations.
#[inline]
const fn times(number: i32, factor: i64) -> i32 {
    let product = (number as i64 * factor + (1 << (PLACES - 1))) >> PLACES;
    let most = MAX_EVALUATION as i64;
    (if product > most {
        most
    } else if product < -most {
        -most
    } else {
        product
    }) as i32
}

/// An evaluator whose values are in the units of the search.
#[derive(Debug, Clone)]
pub(crate) struct Scaled<E> {
    pub(crate) evaluator: E,
    /// The measured scale, which `units` may round.
    pub(crate) scale: f64,
    pub(crate) units: Units,
}

impl<E: Evaluator> Scaled<E> {
    /// Measures the evaluator.
    pub(crate) fn new(evaluator: E) -> Self {
        let scale = evaluator.scale();
        Self { evaluator, scale, units: Units::of_scale(scale) }
    }

    /// Changes the evaluator, and measures it anew.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut E)) {
        change(&mut self.evaluator);
        self.scale = self.evaluator.scale();
        self.units = Units::of_scale(self.scale);
    }

    /// Takes the evaluator's values as they are.
    #[cfg(test)]
    pub(crate) const fn unscaled(evaluator: E) -> Self {
        Self { evaluator, scale: 1.0, units: Units::EQUAL }
    }

    #[inline]
    pub(crate) fn refresh(&self, position: &Position) -> E::State {
        self.evaluator.refresh(position)
    }

    #[inline]
    pub(crate) fn do_move(&self, position: &mut Position, m: Move, state: &mut E::State) {
        self.evaluator.do_move(position, m, state);
    }

    #[inline]
    pub(crate) fn undo_move(&self, position: &mut Position, state: &mut E::State) {
        self.evaluator.undo_move(position, state);
    }

    /// Returns the value of a position for the side to move.
    #[inline]
    pub(crate) fn evaluate(&self, position: &Position, state: &mut E::State) -> Value {
        self.units.value(self.evaluator.evaluate(position, state).raw())
    }

    /// Returns the value of a single position for the side to move.
    #[inline]
    pub(crate) fn evaluate_position(&self, position: &Position) -> Value {
        self.units.value(self.evaluator.evaluate_position(position).raw())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_units_change_nothing_but_the_largest_values() {
        for centipawns in [0, 1, -1, 399, -12_345, 20_000, -20_000] {
            assert_eq!(Units::EQUAL.value(centipawns), centipawns);
            assert_eq!(Units::EQUAL.score(centipawns).raw(), centipawns);
        }
        assert_eq!(Units::EQUAL.value(30_000), MAX_EVALUATION);
        assert_eq!(Units::of_scale(1.0), Units::EQUAL);
    }

    #[test]
    fn values_come_back_and_mates_stay() {
        for scale in [1.0 / 64.0, 0.5, 1.4, 4.0, 64.0] {
            let units = Units::of_scale(scale);
            for value in [0, 1, -2, 100, 19_999, -20_000] {
                let cp = units.score(value).raw();
                assert!(cp.abs() <= MAX_EVALUATION);
                let back = units.value(cp);
                let is_cut = cp.abs() == MAX_EVALUATION;
                let tolerance = (0.5 / scale + 1.0) as i32;
                assert!(is_cut || (back - value).abs() <= tolerance, "{scale} {value}: {back}");
            }
            for value in [Score::mate_in(5).raw(), -30_000, 25_000] {
                assert_eq!(units.score(value).raw(), value);
            }
        }
    }
}
