//! A network of one hidden layer on the same features.

use std::fmt::Write as _;
use std::path::Path;

use komadai::core::SplitMix64;
use komadai::eval::{CheckFeatures, ThreatmateFeatures};
use komadai_base::atomic_file;

use crate::fit_threatmate::model::{Odds, Set};
use crate::fit_threatmate::samples::{Labelled, Sample};
use crate::prediction_quality::probability;

/// Number of hidden units of the network that ships.
pub(super) const UNITS: usize = 16;

/// Number of passes over the training data.
const EPOCHS: usize = 30;
/// Number of samples between two steps.
const BATCH: usize = 256;
/// Length of the first steps; it falls to 0 in proportion to the batches left.
const FIRST_STEP: f32 = 2e-3;
/// Share of the distance to 0 by which a step of length 1 moves a weight.
const DECAY: f32 = 1e-2;
/// Shares of the former means in the moving means of Adam (D. Kingma, J. Ba, 2015): of the
/// gradient and of its square.
const KEPT: [f32; 2] = [0.9, 0.999];

/// A network with `H` hidden units, rectified linear ones, whose sum is the logarithm of the odds.
pub(super) struct Network<const H: usize> {
    features: Vec<usize>,
    /// One over the root mean square of each feature in the training data; 1 after the fit.
    scales: Vec<f32>,
    /// The weights of the first layer, those of each feature together; of the second; its constant.
    /// The constant among the features is the constant of the first layer.
    weights: Vec<f32>,
}

impl<const H: usize> Network<H> {
    /// Fits the weights to the cross-entropy by Adam with decay of the weights.
    pub(super) fn fit(set: Set, samples: &[Sample]) -> Self {
        let features = set.features();
        let scale = |&index: &usize| {
            let squares = samples.iter().map(|sample| sample.features[index].powi(2)).sum::<f32>();
            if squares > 0.0 { (samples.len() as f32 / squares).sqrt() } else { 0.0 }
        };
        let scales = features.iter().map(scale).collect();
        let mut random = SplitMix64::new(1);
        let mut uniform = || (random.next_u64() >> 40) as f32 / (1_u64 << 23) as f32 - 1.0;
        let inputs = features.len() as f32;
        let mut weights: Vec<f32> =
            (0..features.len() * H).map(|_| uniform() * (3.0 / inputs).sqrt()).collect();
        weights.extend((0..H).map(|_| uniform() * (3.0 / H as f32).sqrt()));
        weights.push(0.0);
        let mut network = Self { features, scales, weights };
        network.descend(samples, &mut SplitMix64::new(2));
        network.unscale();
        network
    }

    /// Makes the weights those of the features as they are, rounded as they are printed and ship.
    fn unscale(&mut self) {
        for (weights, scale) in self.weights.chunks_exact_mut(H).zip(&mut self.scales) {
            weights.iter_mut().for_each(|weight| *weight *= *scale);
            *scale = 1.0;
        }
        for weight in &mut self.weights {
            *weight = (*weight * 1_000.0).round() / 1_000.0;
        }
    }

    fn descend(&mut self, samples: &[Sample], random: &mut SplitMix64) {
        let mut order: Vec<&Sample> = samples.iter().collect();
        let steps = EPOCHS * samples.len().div_ceil(BATCH);
        let mut means = vec![[0.0; 2]; self.weights.len()];
        let mut taken = 0;
        for _ in 0..EPOCHS {
            for last in (1..order.len()).rev() {
                order.swap(last, random.below(last as u64 + 1) as usize);
            }
            for batch in order.chunks(BATCH) {
                let mut gradient = vec![0.0; self.weights.len()];
                batch.iter().for_each(|sample| self.add_gradient(sample, &mut gradient));
                taken += 1;
                let length = FIRST_STEP * (1.0 - taken as f32 / steps as f32);
                let started = KEPT.map(|kept| 1.0 - kept.powi(taken));
                for ((weight, slope), means) in
                    self.weights.iter_mut().zip(&gradient).zip(&mut means)
                {
                    let slope = slope / batch.len() as f32;
                    means[0] = KEPT[0] * means[0] + (1.0 - KEPT[0]) * slope;
                    means[1] = KEPT[1] * means[1] + (1.0 - KEPT[1]) * slope * slope;
                    let [mean, square] = [means[0] / started[0], means[1] / started[1]];
                    *weight -= length * (mean / (square.sqrt() + 1e-8) + DECAY * *weight);
                }
            }
        }
    }

    /// Adds the gradient of the cross-entropy of a sample.
    fn add_gradient(&self, sample: &Sample, gradient: &mut [f32]) {
        let hidden = self.hidden(sample);
        let predicted = probability(f64::from(self.output(&hidden))) as f32;
        let error = predicted - f32::from(u8::from(sample.mate.is_some()));
        let second = self.features.len() * H;
        let (first_layer, second_layer) = gradient.split_at_mut(second);
        let mut errors = [0.0; H];
        for unit in 0..H {
            second_layer[unit] += error * hidden[unit];
            if hidden[unit] > 0.0 {
                errors[unit] = error * self.weights[second + unit];
            }
        }
        second_layer[H] += error;
        for (input, slopes) in self.inputs(sample).zip(first_layer.chunks_exact_mut(H)) {
            if input != 0.0 {
                slopes.iter_mut().zip(&errors).for_each(|(slope, error)| *slope += input * error);
            }
        }
    }

    fn inputs(&self, sample: &Sample) -> impl Iterator<Item = f32> {
        self.features.iter().zip(&self.scales).map(|(&index, scale)| sample.features[index] * scale)
    }

    fn hidden(&self, sample: &Sample) -> [f32; H] {
        let mut sums = [0.0; H];
        for (input, weights) in self.inputs(sample).zip(self.weights.chunks_exact(H)) {
            if input != 0.0 {
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += input * weight);
            }
        }
        sums.map(|sum| sum.max(0.0))
    }

    fn output(&self, hidden: &[f32; H]) -> f32 {
        let weights = &self.weights[self.features.len() * H..];
        hidden.iter().zip(weights).map(|(unit, weight)| unit * weight).sum::<f32>() + weights[H]
    }
}

impl<const H: usize> Odds for Network<H> {
    fn log_odds(&self, sample: &Sample) -> f64 {
        f64::from(self.output(&self.hidden(sample)))
    }
}

impl Network<UNITS> {
    /// Writes the weights of a network on all features as the module
    /// `threatmate/network_weights.rs` of `komadai-eval`.
    pub(super) fn write_rust(&self, path: &Path, data: &Labelled) -> anyhow::Result<()> {
        let mut text = String::from(
            "//! The weights of the network, as `komadai-lab fit-threatmate --networks --rust-network` \
             writes\n//! them.\n//!\n\
             //! `docs/threatmate.md` has the command, the games and the figures on held-out games.\n\n\
             use super::checks::CheckFeatures;\nuse super::features::ThreatmateFeatures;\n\n\
             /// Number of hidden units.\n",
        );
        writeln!(text, "pub(super) const UNITS: usize = {UNITS};")?;
        let (first, second) = self.weights.split_at(self.features.len() * UNITS);
        let (cheap, checks) = first.split_at(ThreatmateFeatures::COUNT * UNITS);
        let mut layer = |name: &str, of: &str, weights: &[f32], features: Vec<&str>| {
            writeln!(
                text,
                "\n/// The weights of each of the features in the hidden units.\n#[rustfmt::skip]\n\
                 pub(super) static {name}: [[f32; UNITS]; {of}::COUNT] = ["
            )?;
            for (weights, feature) in weights.chunks_exact(UNITS).zip(features) {
                writeln!(text, "    {weights:?}, // {feature}")?;
            }
            writeln!(text, "];")
        };
        layer("HIDDEN", "ThreatmateFeatures", cheap, ThreatmateFeatures::names().collect())?;
        layer("HIDDEN_CHECKS", "CheckFeatures", checks, CheckFeatures::NAMES.to_vec())?;
        let (units, constant) = second.split_at(UNITS);
        let all: Vec<&Sample> = data.played.iter().collect();
        writeln!(
            text,
            "\n/// The weights of the hidden units in the logarithm of the odds.\n#[rustfmt::skip]\n\
             pub(super) static OUTPUT: [f32; UNITS] = {units:?};\n\n\
             /// The constant of the logarithm of the odds.\n\
             pub(super) const CONSTANT: f32 = {:?};\n\n\
             /// Its change for moves played in games.\n\
             pub(super) const IN_GAMES: f32 = {:.3};",
            constant[0],
            self.shift_for(&all),
        )?;
        atomic_file::write(path, text.as_bytes())?;
        println!("{}: written", path.display());
        Ok(())
    }
}
