//! The classes of progress, each with an output layer of its own.

use komadai_nnue::PieceTerm;

use super::sample::Sample;
use super::terms::Inputs;

/// A linear measure of a game's progress, and the limits of its classes.
///
/// The measure takes the place of the last output of the first layer, and does not change during a
/// training.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Progress {
    /// `[term]`, in units of the first layer; empty if there is one class.
    weights: Vec<i16>,
    /// The least progress of each class but the first, in ascending order.
    pub(super) thresholds: Vec<i32>,
}

/// The plies before the end of a game in which its progress is noticeable.
const LAST_PLIES: u16 = 120;

/// The measure at the end of a game, in units of the first layer.
const END: f32 = 2_000.0;

/// The largest weight in these units.
const LARGEST: f32 = 400.0;

/// The positions that the measure learns from.
const POSITIONS: usize = 200_000;

impl Progress {
    /// Fits the measure to the number of plies that were left in the games, and divides the
    /// positions into classes of about the same size.
    pub(super) fn fit(samples: &[Sample], classes: usize) -> Self {
        if classes <= 1 {
            return Self::default();
        }
        let step = samples.len().div_ceil(POSITIONS).max(1);
        let some: Vec<(Inputs, f32)> = samples
            .iter()
            .step_by(step)
            .map(|sample| (sample.inputs(false), passed(sample)))
            .collect();
        let weights = fit_weights(&some);
        let mut progress = Self { weights, thresholds: Vec::new() };
        let mut values: Vec<i32> = some.iter().map(|(inputs, _)| progress.of(inputs)).collect();
        values.sort_unstable();
        let threshold = |class| values.get(class * values.len() / classes).copied();
        progress.thresholds = (1..classes).map(|class| threshold(class).unwrap_or(0)).collect();
        progress
    }

    /// The weight of a term; `None` if there is one class.
    #[inline(always)]
    pub(super) fn weight(&self, term: usize) -> Option<i16> {
        self.weights.get(term).copied()
    }

    /// Returns the class of a progress.
    #[inline(always)]
    pub(super) fn class(&self, progress: i32) -> usize {
        self.thresholds.iter().filter(|least| progress >= **least).count()
    }

    /// Returns the progress of a position.
    fn of(&self, inputs: &Inputs) -> i32 {
        terms(inputs).map(|term| i32::from(self.weights[term])).sum()
    }
}

/// The share of the noticeable plies that have passed.
fn passed(sample: &Sample) -> f32 {
    1.0 - f32::from(sample.plies_left().min(LAST_PLIES)) / f32::from(LAST_PLIES)
}

/// The terms of the pieces in both views. A missing piece has no weight: one term for many pieces
/// would keep the steps below from converging.
fn terms(inputs: &Inputs) -> impl Iterator<Item = usize> {
    let terms = inputs.terms.iter().flatten().map(|term| usize::from(*term));
    terms.filter(|term| *term != PieceTerm::MISSING.index())
}

/// Fits weights by normalised least mean squares (B. Widrow and M. Hoff, "Adaptive switching
/// circuits", 1960), with steps that become smaller.
fn fit_weights(some: &[(Inputs, f32)]) -> Vec<i16> {
    let mut weights = vec![0.5 / (2 * PieceTerm::PIECES) as f32; PieceTerm::COUNT];
    let all = (4 * some.len()).max(1) as f32;
    weights[PieceTerm::MISSING.index()] = 0.0;
    let mut rate = 0.1;
    for (inputs, passed) in std::iter::repeat_n(some, 4).flatten() {
        let predicted: f32 = terms(inputs).map(|term| weights[term]).sum();
        let change = rate * (passed - predicted) / (2 * PieceTerm::PIECES) as f32;
        terms(inputs).for_each(|term| weights[term] += change);
        rate -= 0.099 / all;
    }
    let whole = |weight: &f32| (weight * END).round().clamp(-LARGEST, LARGEST) as i16;
    weights.iter().map(whole).collect()
}

#[cfg(test)]
mod tests {
    use komadai_core::Position;

    use super::*;

    /// The more pawns in hand, the nearer is the end.
    fn samples() -> Vec<Sample> {
        let sample = |index: u16| {
            let pawns = 1 + index % 18;
            let sfen = format!("4k4/9/9/9/9/9/9/9/4K4 b {pawns}P 1");
            let position = Position::from_sfen(&sfen).unwrap();
            Sample::new(&position, 0, 0).with_plies_left(6 * (18 - pawns))
        };
        (0..3_600).map(sample).collect()
    }

    #[test]
    fn classes_follow_the_plies_that_are_left() {
        let samples = samples();
        assert_eq!(Progress::fit(&samples, 1), Progress::default());
        let progress = Progress::fit(&samples, 4);
        assert!(progress.thresholds.is_sorted());
        let mut counts = [0; 4];
        let mut classes = Vec::new();
        for sample in &samples[..18] {
            let class = progress.class(progress.of(&sample.inputs(false)));
            counts[class] += 1;
            classes.push(class);
        }
        assert!(classes.is_sorted(), "{classes:?}");
        assert!(counts.iter().all(|count| (3..=6).contains(count)), "{counts:?}");
    }
}
