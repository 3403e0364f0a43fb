//! The form of the regression: rows for positions, and weights as real numbers.

use anyhow::Context as _;
use komadai::core::{Color, Position};
use komadai::eval::{Group, PARAMETER_COUNT, Parameters, Phase, Weight, features};

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
    /// Creates a row. `phase` takes the place of the phase of the game; `target` is the expectation
    /// of the side to move as a share of a win.
    pub(crate) fn new(position: &Position, phase: Option<f32>, target: f32) -> Self {
        let mut features = features(position);
        if let Some(phase) = phase {
            features.phases[Phase::Game as usize] = phase;
        }
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

/// `[early, late]` of every weight, in centipawns.
pub(crate) type Weights = Vec<[f32; 2]>;

/// Returns the weights of an evaluation.
pub(crate) fn weights(parameters: &Parameters) -> Weights {
    parameters.weights().iter().map(|w| [centipawns(w.early), centipawns(w.late)]).collect()
}

fn centipawns(units: i16) -> f32 {
    f32::from(units) / Parameters::UNIT as f32
}

fn units(centipawns: f32) -> i16 {
    (centipawns * Parameters::UNIT as f32).round() as i16
}

/// Returns the evaluation with these weights, each rounded to its unit, and their visits.
pub(crate) fn rounded(weights: &Weights, visits: &[u32]) -> Parameters {
    let mut parameters = Parameters::hand_set();
    for group in Group::ALL {
        for index in group.range() {
            let [early, late] = weights[index];
            parameters.set(index, Weight { early: units(early), late: units(late) });
            parameters.set_visits(index, visits[index]);
        }
    }
    parameters
}

/// Parses the name of a group.
pub(crate) fn group(name: &str) -> anyhow::Result<Group> {
    let found = Group::ALL.into_iter().find(|group| group.name() == name);
    found.with_context(|| {
        let names = Group::ALL.map(Group::name).join(", ");
        format!("found the group `{name}`, expected one of {names}")
    })
}
