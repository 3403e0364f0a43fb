//! The exported network beside the weights of the trainer.

use komadai_core::Position;
use komadai_eval::{Evaluator as _, Material};
use komadai_nnue::{Kernels, Network, Nnue, PieceTerm};

use super::support::{finish, options, positions, samples, trainer};
use crate::network::batch::{Entry, Part};
use crate::network::compact_head::{CompactHead, OUTPUT_ONE};
use crate::network::head::Head as _;
use crate::network::sample::Sample;
use crate::network::target::Target;
use crate::network::training::Training;
use crate::network::weights::{Rounded, Weights};
use crate::network::{TrainingError, TrainingOptions, TrainingSet};

const ONE: f32 = CompactHead::ONE;

/// Weights after some training.
fn trained(classes: usize) -> Weights<CompactHead> {
    let set = TrainingSet::from_samples(samples(600, 1), samples(50, 2));
    let rate = [1e-2, 1e-3];
    let options = TrainingOptions { width: 64, classes, learning_rate: rate, ..options() };
    let mut trainer: Training<CompactHead> = Training::new(options, set).unwrap();
    while trainer.advance().is_some() {}
    trainer.state.weights.clone()
}

fn network(rounded: &Rounded<CompactHead>, description: String) -> Result<Network, TrainingError> {
    CompactHead::network(rounded.first_layer(), &rounded.head, &options(), description)
}

/// The value in centipawns by the definition, in whole numbers.
fn whole_value(weights: &Rounded<CompactHead>, position: &Position) -> i32 {
    let sample = Sample::new(position, 0, 0);
    let (inputs, zones) = (sample.inputs(false), sample.kings(false).both().map(CompactHead::zone));
    let width = weights.biases.len();
    let mut sums = Vec::new();
    for (view, zone) in zones.into_iter().enumerate() {
        for lane in 0..width {
            let row = |term: &u16| usize::from(*term) * PieceTerm::ZONES + zone;
            let weight = |term: &u16| i32::from(weights.rows[row(term) * width + lane]);
            let sum = i32::from(weights.biases[lane])
                + inputs.terms[view].iter().map(weight).sum::<i32>();
            sums.push(sum);
        }
    }
    let progress = sums[width - 1] + sums[2 * width - 1];
    let thresholds = &weights.head.progress.thresholds;
    let class = thresholds.iter().filter(|least| progress >= **least).count();
    let square = |(index, sum): (usize, &i32)| {
        let output = weights.head.weights[(2 * width * class + index) / 32].0[index % 32];
        sum.clamp(&0, &255).pow(2) * (output * OUTPUT_ONE) as i32
    };
    let squares = sums.iter().enumerate().map(square).sum::<i32>();
    let bias = (weights.head.biases[class] * ONE * OUTPUT_ONE).round() as i32;
    let output = i64::from(squares / 255 + bias);
    Material.evaluate_position(position).raw() + (output * 600 / (255 * 64)) as i32
}

#[test]
fn the_network_has_the_values_of_its_weights() {
    for classes in [1, 3] {
        let weights = trained(classes);
        let exported = network(&weights.rounded, "a test".to_owned()).unwrap();
        let mut positional = 0;
        for kernels in Kernels::available() {
            let nnue = Nnue::new(exported.clone().with_kernels(kernels));
            for position in positions(300, 9) {
                let value = nnue.evaluate_position(&position).raw();
                assert_eq!(value, whole_value(&weights.rounded, &position), "{position}");
                positional += usize::from(value != Material.evaluate_position(&position).raw());
            }
        }
        assert!(positional > 200);
    }
}

#[test]
fn the_trainer_computes_with_the_values_of_the_network() {
    let samples = samples(200, 5);
    let target = Target { result_share: 0.0, score_scale: 600.0 };
    for classes in [1, 3] {
        let weights = trained(classes);
        for (index, sample) in samples.iter().enumerate() {
            let entry = Entry { sample: index as u32, is_mirrored: false };
            let logit = Part::default().logit(&samples, entry, target, &weights.rounded);
            let value = whole_value(&weights.rounded, &sample.position());
            // Divisions of whole numbers lose less than two centipawns.
            assert!((logit * 600.0 - value as f32).abs() < 2.0, "{logit} {value}");
        }
    }
}

#[test]
fn networks_are_read_again() {
    let file = finish(trainer(options()));
    let network = Network::from_bytes(&file).unwrap();
    assert_eq!(network.architecture().to_string(), "compact_32x2_1");
    assert_eq!(network.description(), "a test");
}

#[test]
fn no_weights_leave_their_range() {
    let mut weights = trained(1);
    for rows in
        [&mut weights.zoned, &mut weights.shared, &mut weights.biases, &mut weights.head.outputs]
    {
        rows.weights.iter_mut().for_each(|lanes| lanes.0 = lanes.0.map(|weight| weight * 1e3));
    }
    weights.round();
    network(&weights.rounded, String::new()).unwrap();
}
