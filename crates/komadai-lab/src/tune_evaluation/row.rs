//! Rows: positions in the form of the regression.

use komadai::core::{Color, Position};
use komadai::eval::{PARAMETER_COUNT, features};

use crate::tune_evaluation::weights::Weights;

/// A weight with its coefficient in one position.
#[derive(Debug, Clone, Copy)]
struct Term {
    index: u16,
    phase: u8,
    times: f32,
}

/// A position in the form of the regression, from Black's point of view.
#[derive(Debug)]
pub(crate) struct Row {
    terms: Box<[Term]>,
    phases: [f32; 3],
    target: f32,
}

impl Row {
    /// Creates a row. `target` is the expectation of the side to move as a share of a win.
    pub(crate) fn new(position: &Position, target: f32) -> Self {
        let features = features(position);
        let mut terms: Vec<_> = features
            .list
            .iter()
            .map(|f| Term { index: f.index as u16, phase: f.phase as u8, times: f.times })
            .collect();
        terms.sort_unstable_by_key(|term| (term.index, term.phase));
        terms.dedup_by(|next, kept| {
            let same = (next.index, next.phase) == (kept.index, kept.phase);
            if same {
                kept.times += next.times;
            }
            same
        });
        terms.retain(|term| term.times != 0.0);
        let target = if position.side() == Color::Black { target } else { 1.0 - target };
        Self { terms: terms.into(), phases: features.phases, target }
    }

    /// Returns the cross entropy minus its minimum (the Kullback–Leibler divergence), and the error
    /// of the expectation.
    pub(crate) fn loss(&self, weights: &Weights, scale: f32) -> (f64, f32) {
        let expected = sigmoid(self.evaluate(weights) / scale).clamp(1e-6, 1.0 - 1e-6);
        let (p, q) = (f64::from(self.target), f64::from(expected));
        (divergence(p, q) + divergence(1.0 - p, 1.0 - q), expected - self.target)
    }

    /// The indices of the weights in this row, each once.
    pub(crate) fn indices(&self) -> impl Iterator<Item = usize> {
        let indices = self.terms.iter().map(|term| usize::from(term.index));
        // Terms are sorted by index; a weight may occur with several phases.
        let mut last = None;
        indices.filter(move |&index| last.replace(index) != Some(index))
    }

    /// Returns the evaluation in centipawns, positive is good for Black.
    fn evaluate(&self, weights: &Weights) -> f32 {
        let value = |term: &Term| {
            let [early, late] = weights[usize::from(term.index)];
            term.times * (early + (late - early) * self.phases[usize::from(term.phase)])
        };
        self.terms.iter().map(value).sum()
    }

    /// Adds the gradient of this row, given the error of the expectation.
    pub(crate) fn add_gradient(&self, error: f32, gradient: &mut Weights) {
        for term in &self.terms {
            let phase = self.phases[usize::from(term.phase)];
            let [early, late] = &mut gradient[usize::from(term.index)];
            *early += error * term.times * (1.0 - phase);
            *late += error * term.times * phase;
        }
    }
}

/// The part of one outcome in the Kullback–Leibler divergence.
fn divergence(p: f64, q: f64) -> f64 {
    if p > 0.0 { p * (p / q).ln() } else { 0.0 }
}

/// The number of rows that contain each weight.
pub(crate) fn visits(rows: &[Row]) -> Vec<u32> {
    let mut visits = vec![0; PARAMETER_COUNT];
    for row in rows {
        for index in row.indices() {
            visits[index] += 1;
        }
    }
    visits
}

/// Converts a scaled score to an expectation as a share of a win.
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
