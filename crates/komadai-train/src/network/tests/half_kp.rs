//! Networks HalfKP: the exported network, and learning.

use komadai_core::Position;
use komadai_eval::Evaluator as _;
use komadai_nnue::{Kernels, Network, Nnue};

use super::support::{finish, half_kp_options, positions, samples, training};
use crate::network::batch::{Entry, Part};
use crate::network::half_kp_head::HalfKpHead;
use crate::network::head::Head as _;
use crate::network::sample::Sample;
use crate::network::target::Target;
use crate::network::training::Training;
use crate::network::weights::Weights;
use crate::network::{TrainingOptions, TrainingSet};

const TARGET: Target = Target { result_share: 0.0, score_scale: 600.0 };

/// Weights after some training.
fn trained() -> Weights<HalfKpHead> {
    let options = TrainingOptions { learning_rate: [1e-2, 1e-3], ..half_kp_options() };
    let mut training: Training<HalfKpHead> = training(options);
    while training.advance().is_some() {}
    training.state.weights
}

/// Compares the output of the exported network with that of the trainer. Returns the number of
/// outputs.
fn compare(weights: &Weights<HalfKpHead>) -> usize {
    let rounded = &weights.rounded;
    let first = rounded.first_layer();
    let exported =
        HalfKpHead::network(first, &rounded.head, &half_kp_options(), String::new()).unwrap();
    let mut positions = positions(200, 9);
    let handicaps = [
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1",
        "+R8/2K6/9/9/9/9/6k2/9/4+r4 b - 1",
    ];
    positions.extend(handicaps.map(|sfen| Position::from_sfen(sfen).unwrap()));
    let samples: Vec<Sample> =
        positions.iter().map(|position| Sample::new(position, 0, 0)).collect();
    let mut part = Part::default();
    let mut outputs = Vec::new();
    for kernels in Kernels::available() {
        let nnue = Nnue::new(exported.clone().with_kernels(kernels));
        for (index, position) in positions.iter().enumerate() {
            let entry = Entry { sample: index as u32, is_mirrored: false };
            let logit = part.logit(&samples, entry, TARGET, rounded);
            let output = f64::from(logit) * f64::from(rounded.head.output_one);
            assert!((output - output.round()).abs() < 0.1, "{output}");
            let raw = nnue.raw(position, &mut nnue.refresh(position));
            assert_eq!(output.round() as i32, raw, "{position}");
            // A logit is the value in units of the score scale.
            let value = nnue.evaluate_position(position).raw();
            assert!((logit * 600.0 - value as f32).abs() < 3.0, "{logit} {value}");
            outputs.push(raw);
        }
    }
    outputs.sort_unstable();
    outputs.dedup();
    outputs.len()
}

#[test]
fn the_exported_network_has_the_outputs_of_the_trainer() {
    let mut weights = trained();
    assert!(compare(&weights) > 150);
    // Nor do the largest weights of all signs leave their range.
    for rows in weights.groups_mut() {
        rows.weights.iter_mut().for_each(|lanes| lanes.0 = lanes.0.map(|weight| weight * 100.0));
    }
    weights.round();
    compare(&weights);
}

#[test]
fn mirrored_positions_have_the_inputs_of_the_mirrored_board() {
    let weights = trained();
    let positions = positions(50, 3);
    let mirrored = positions.iter().map(|position| {
        Position::from_setup(&position.to_setup().mirrored()).expect("as legal as the other")
    });
    let sample = |position: &Position| Sample::new(position, 0, 0);
    let mirrored: Vec<Sample> = mirrored.map(|position| sample(&position)).collect();
    let samples: Vec<Sample> = positions.iter().map(sample).collect();
    let mut part = Part::default();
    for sample in 0..samples.len() as u32 {
        let mut logit = |samples: &[Sample], is_mirrored| {
            part.logit(samples, Entry { sample, is_mirrored }, TARGET, &weights.rounded)
        };
        assert_eq!(logit(&samples, true), logit(&mirrored, false));
    }
}

#[test]
fn files_are_read_again() {
    let file = finish(training::<HalfKpHead>(half_kp_options()));
    let network = Network::from_bytes(&file).unwrap();
    assert_eq!(network.architecture().to_string(), "halfkp_32x2-32-32");
    assert!(network.description().ends_with(",Origin=a test"));
}

#[test]
fn scores_of_a_few_positions_are_learnt_by_heart() {
    let few = samples(400, 1);
    let set = TrainingSet::from_samples(few.clone(), few);
    let before = set.judge(&komadai_eval::from_fn(|_| 0), &half_kp_options()).loss;
    let options = TrainingOptions {
        epochs: 100,
        batch: 200,
        learning_rate: [4e-3, 1e-4],
        mirror: false,
        interval: 40_000,
        ..half_kp_options()
    };
    let mut training: Training<HalfKpHead> = Training::new(options, set).unwrap();
    while training.advance().is_some() {}
    let loss = training.report().best.unwrap().held_out_loss;
    assert!(loss < 0.05 * before, "{loss} of {before}");
}
