//! Learning of a network that is known.

use super::support::{options, positions};
use crate::network::batch::{Entry, Part};
use crate::network::compact_head::{CompactHead, CompactShape};
use crate::network::judgement::correlation;
use crate::network::progress::Progress;
use crate::network::sample::Sample;
use crate::network::target::Target;
use crate::network::training::Training;
use crate::network::weights::{Rounded, Weights};
use crate::network::{TrainingOptions, TrainingSet};

const TARGET: Target = Target { result_share: 0.0, score_scale: 600.0 };

/// The outputs of a network without the material balance.
fn outputs(samples: &[Sample], network: &Rounded<CompactHead>) -> Vec<f64> {
    let mut part = Part::default();
    let output = |sample: usize| {
        let entry = Entry { sample: sample as u32, is_mirrored: false };
        let logit = part.logit(samples, entry, TARGET, network);
        f64::from(logit - TARGET.logit(samples[sample].base()))
    };
    (0..samples.len()).map(output).collect()
}

/// A network that nothing has trained: squares of what pieces on squares are worth in zones.
fn planted() -> Rounded<CompactHead> {
    let shape = CompactShape { classes: 1, progress: Progress::default() };
    let mut weights: Weights<CompactHead> = Weights::random(32, shape, 99);
    let mut random = komadai_core::SplitMix64::new(98);
    let mut number = |size: f32| size * (random.below(2_001) as f32 / 1_000.0 - 1.0);
    weights.zoned.weights.iter_mut().for_each(|lanes| lanes.0 = lanes.0.map(|_| number(0.01)));
    weights
        .head
        .outputs
        .weights
        .iter_mut()
        .for_each(|lanes| lanes.0 = lanes.0.map(|_| number(1.2)));
    // Sums that stay near the middle of the activation's range: little training has to find them.
    weights.shared.weights.iter_mut().for_each(|lanes| lanes.0 = lanes.0.map(|w| 0.5 * w));
    weights.round();
    weights.rounded
}

fn labelled(count: usize, seed: u64, network: &Rounded<CompactHead>) -> Vec<Sample> {
    let positions = positions(count, seed);
    let samples: Vec<Sample> =
        positions.iter().map(|position| Sample::new(position, 0, 0)).collect();
    let outputs = outputs(&samples, network);
    let label = |(position, output): (_, &f64)| {
        let material = Sample::new(position, 0, 0).base();
        Sample::new(position, (f64::from(material) + 600.0 * output).round() as i16, 0)
    };
    positions.iter().zip(&outputs).map(label).collect()
}

#[test]
fn a_planted_network_is_found_again() {
    let planted = planted();
    let held_out = labelled(500, 2, &planted);
    let set = TrainingSet::from_samples(labelled(12_000, 1, &planted), held_out.clone());
    let options = TrainingOptions {
        epochs: 12,
        batch: 100,
        learning_rate: [2e-3, 1e-5],
        // The planted network is not symmetric.
        mirror: false,
        interval: 240_000,
        ..options()
    };
    let mut trainer: Training<CompactHead> = Training::new(options, set).unwrap();
    while trainer.advance().is_some() {}
    let report = trainer.report();
    let found = outputs(&held_out, &trainer.state.weights.rounded);
    let correlation = correlation(found.into_iter().zip(outputs(&held_out, &planted)));
    let loss = report.best.unwrap().held_out_loss;
    assert!(correlation >= 0.95, "{correlation}");
    assert!(loss < 0.1 * report.base_loss, "{loss} of {}", report.base_loss);
}
