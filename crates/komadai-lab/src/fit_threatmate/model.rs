//! A fitted logistic regression on some of the features.

use std::fmt::Write as _;
use std::path::Path;

use komadai::eval::{CheckFeatures, ThreatmateFeatures};
use komadai_base::atomic_file;
use rayon::prelude::*;

use crate::fit_threatmate::samples::{FEATURES, Labelled, Sample};
use crate::logistic::Fit;
use crate::prediction_quality::probability;

/// Ridge penalty: small, but positive, so that a feature that never occurs does not make the system
/// singular.
const RIDGE: f64 = 1e-2;

/// A set of features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Set {
    /// Eight that earlier programs use, and the free squares of the king.
    Nine,
    /// Those that need no move generation.
    Cheap,
    /// Those, and the checks after a pass.
    Full,
}

/// The features of [`Set::Nine`].
const NINE: [&str; 10] = [
    "constant",
    "captures a silver",
    "captures a gold",
    "captures a bishop",
    "captures a rook",
    "attacks a neighbour",
    "squares for drops",
    "squares for moves",
    "free",
    "ring attacked",
];

impl Set {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Nine => "nine features",
            Self::Cheap => "cheap",
            Self::Full => "full",
        }
    }

    /// Returns the indices of its features.
    pub(super) fn features(self) -> Vec<usize> {
        match self {
            Self::Nine => {
                let is_one = |(index, name)| NINE.contains(&name).then_some(index);
                ThreatmateFeatures::names().enumerate().filter_map(is_one).collect()
            }
            Self::Cheap => (0..ThreatmateFeatures::COUNT).collect(),
            Self::Full => (0..FEATURES).collect(),
        }
    }
}

/// A prediction from the features.
pub(super) trait Odds {
    /// Returns the logarithm of the odds that a move is a threatmate.
    fn log_odds(&self, sample: &Sample) -> f64;

    /// Returns the amount by which the constant changes so that the mean probability of some moves
    /// is the share of threatmates among them.
    fn shift_for(&self, samples: &[&Sample]) -> f64 {
        let wanted = samples.iter().filter(|sample| sample.mate.is_some()).count() as f64;
        let odds: Vec<f64> = samples.iter().map(|sample| self.log_odds(sample)).collect();
        let (mut low, mut high) = (-20.0_f64, 20.0_f64);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            let sum: f64 = odds.iter().map(|odds| probability(odds + middle)).sum();
            if sum < wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::midpoint(low, high)
    }
}

/// Coefficients of some of the features.
#[derive(Debug, Clone)]
pub(super) struct Model {
    pub(super) set: Set,
    /// One for each feature; 0 for those that are left out.
    pub(super) coefficients: [f64; FEATURES],
}

impl Model {
    pub(super) fn fit(set: Set, samples: &[Sample]) -> Self {
        Self::fit_to(set, &set.features(), samples)
    }

    /// Fits the coefficients of some of the features of a set.
    pub(super) fn fit_to(set: Set, features: &[usize], samples: &[Sample]) -> Self {
        let fit = Fit::new(features.len(), RIDGE, &rows(features, samples));
        Self::of(set, features, &fit.weights)
    }

    /// Returns the models without each of the features but the constant, and the indices of these.
    pub(super) fn without_each(set: Set, samples: &[Sample]) -> Vec<(usize, Self)> {
        let features = set.features();
        let rows = rows(&features, samples);
        let fit = Fit::new(features.len(), RIDGE, &rows);
        let covariance = fit.covariance();
        let without = |at: usize| {
            let weights = fit.without(at, &covariance, &rows);
            (features[at], Self::of(set, &features, &weights))
        };
        (1..features.len()).into_par_iter().map(without).collect()
    }

    fn of(set: Set, features: &[usize], weights: &[f64]) -> Self {
        let mut coefficients = [0.0; FEATURES];
        for (&index, weight) in features.iter().zip(weights) {
            // As they are printed and shipped.
            coefficients[index] = (weight * 1_000.0).round() / 1_000.0;
        }
        Self { set, coefficients }
    }
}

impl Odds for Model {
    fn log_odds(&self, sample: &Sample) -> f64 {
        sample.features.iter().zip(&self.coefficients).map(|(&x, c)| f64::from(x) * c).sum()
    }
}

fn rows(features: &[usize], samples: &[Sample]) -> Vec<(Vec<f64>, f64)> {
    let row = |sample: &Sample| {
        let terms = features.iter().map(|&index| f64::from(sample.features[index])).collect();
        (terms, f64::from(u8::from(sample.mate.is_some())))
    };
    samples.iter().map(row).collect()
}

/// Writes the coefficients as the module `threatmate/coefficients.rs` of `komadai-eval`.
pub(super) fn write_rust(path: &Path, models: &[Model], data: &Labelled) -> anyhow::Result<()> {
    let mut text = String::from(
        "//! The coefficients of the predictor, as `komadai-lab fit-threatmate --rust` writes them.\n//!\n\
         //! `docs/threatmate.md` has the command, the games and the figures on held-out games.\n\n\
         use super::checks::CheckFeatures;\nuse super::features::ThreatmateFeatures;\n",
    );
    let all: Vec<&Sample> = data.played.iter().collect();
    for model in models {
        let (cheap, checks) = model.coefficients.split_at(ThreatmateFeatures::COUNT);
        let name = match model.set {
            Set::Nine => continue,
            Set::Cheap => "CHEAP",
            Set::Full => "FULL",
        };
        let mut list = |name: &str, doc: &str, length: &str, values: &[f64], names: Vec<&str>| {
            writeln!(
                text,
                "\n/// {doc}\n#[rustfmt::skip]\npub(super) const {name}: [f32; {length}] = ["
            )?;
            for (value, name) in values.iter().zip(names) {
                writeln!(text, "    {value:?}, // {name}")?;
            }
            writeln!(text, "];")
        };
        let names = ThreatmateFeatures::names().collect();
        let doc = format!("The predictor on {} features.", model.set.features().len());
        list(name, &doc, "ThreatmateFeatures::COUNT", cheap, names)?;
        if model.set == Set::Full {
            let doc = "The coefficients of the checks in the same predictor.";
            let names = CheckFeatures::NAMES.to_vec();
            list("FULL_CHECKS", doc, "CheckFeatures::COUNT", checks, names)?;
        }
        let shift = model.shift_for(&all);
        writeln!(
            text,
            "\n/// The change of the constant of [`{name}`] for moves played in games.\n\
             pub(super) const {name}_IN_GAMES: f32 = {shift:.3};"
        )?;
    }
    atomic_file::write(path, text.as_bytes())?;
    println!("{}: written", path.display());
    Ok(())
}
