//! The gradient beside differences of the loss.

use komadai_nnue::PieceTerm;

use super::support::samples;
use crate::network::batch::{Entry, Part};
use crate::network::compact_head::{CompactHead, CompactShape, OUTPUT_ONE};
use crate::network::head::Head as _;
use crate::network::lanes::{LANES, Lanes};
use crate::network::progress::Progress;
use crate::network::sample::Sample;
use crate::network::step::gather;
use crate::network::target::Target;
use crate::network::weights::{Sums, Weights};

const ONE: f32 = CompactHead::ONE;

const ROWS: usize = PieceTerm::COUNT * PieceTerm::ZONES;

const TARGET: Target = Target { result_share: 0.3, score_scale: 600.0 };

/// The tiles of the tested network.
const TILES: usize = 2;

const WIDTH: usize = TILES * LANES;

/// The weights in double precision, without any rounding.
#[derive(Clone)]
struct Reference {
    /// `[term][zone][output]`.
    zoned: Vec<f64>,
    /// `[term][output]`.
    shared: Vec<f64>,
    biases: Vec<f64>,
    /// `[class][view][output]`.
    outputs: Vec<f64>,
    /// `[class]`.
    output_biases: Vec<f64>,
    progress: Progress,
}

/// A group of weights, and a weight of it.
#[derive(Clone, Copy, Debug)]
enum Weight {
    Zoned(usize),
    Shared(usize),
    Bias(usize),
    Output(usize),
    OutputBias(usize),
}

impl Reference {
    fn of(weights: &Weights<CompactHead>) -> Self {
        let of = |lanes: &[Lanes]| {
            lanes.iter().flat_map(|lanes| lanes.0).map(f64::from).collect::<Vec<f64>>()
        };
        let mut reference = Self {
            zoned: of(&weights.zoned.weights),
            shared: of(&weights.shared.weights),
            biases: of(&weights.biases.weights),
            outputs: of(&weights.head.outputs.weights),
            output_biases: of(&weights.head.output_biases.weights),
            progress: weights.rounded.head.progress.clone(),
        };
        reference.set_progress();
        reference
    }

    fn weight(&mut self, weight: Weight) -> &mut f64 {
        match weight {
            Weight::Zoned(at) => &mut self.zoned[at],
            Weight::Shared(at) => &mut self.shared[at],
            Weight::Bias(at) => &mut self.biases[at],
            Weight::Output(at) => &mut self.outputs[at],
            Weight::OutputBias(at) => &mut self.output_biases[at],
        }
    }

    /// Puts the measure of progress into the place of the last output of the first layer.
    fn set_progress(&mut self) {
        for term in 0..PieceTerm::COUNT {
            let Some(weight) = self.progress.weight(term) else { return };
            self.shared[(term + 1) * WIDTH - 1] = f64::from(weight) / f64::from(ONE);
            for zone in 0..PieceTerm::ZONES {
                self.zoned[(term * PieceTerm::ZONES + zone + 1) * WIDTH - 1] = 0.0;
            }
        }
        self.biases[WIDTH - 1] = 0.0;
    }

    /// `[view][output]`: the sums of the first layer.
    fn sums(&self, sample: &Sample) -> Vec<f64> {
        let (inputs, zones) =
            (sample.inputs(false), sample.kings(false).both().map(CompactHead::zone));
        let sum = |(view, lane): (usize, usize)| {
            let weight = |term: &u16| {
                let term = usize::from(*term);
                let row = term * PieceTerm::ZONES + zones[view];
                self.shared[term * WIDTH + lane] + self.zoned[row * WIDTH + lane]
            };
            self.biases[lane] + inputs.terms[view].iter().map(weight).sum::<f64>()
        };
        (0..2).flat_map(|view| (0..WIDTH).map(move |lane| (view, lane))).map(sum).collect()
    }

    /// Returns whether a sum is where the activation has two slopes.
    fn has_kink(&self, sample: &Sample) -> bool {
        self.sums(sample).iter().any(|sum| (sum - 1.0).abs() < 1e-3)
    }

    /// The mean cross-entropy by the definition.
    fn loss(&self, samples: &[Sample]) -> f64 {
        let loss = |sample: &Sample| {
            let sums = self.sums(sample);
            let progress = (sums[WIDTH - 1] + sums[2 * WIDTH - 1]) * f64::from(ONE);
            let class = self.progress.class(progress.round() as i32);
            let values = sums.into_iter().map(|sum| sum.clamp(0.0, 1.0));
            let weights = &self.outputs[2 * WIDTH * class..][..2 * WIDTH];
            let products = values.zip(weights).map(|(value, weight)| value * value * weight);
            let output = self.output_biases[class] + products.sum::<f64>();
            let logit = f64::from(sample.base()) / 600.0 + output;
            let expected = 1.0 / (1.0 + (-f64::from(sample.score()) / 600.0).exp());
            let target = 0.7 * expected + 0.3 * f64::from(sample.result());
            let predicted = 1.0 / (1.0 + (-logit).exp());
            -target * predicted.ln() - (1.0 - target) * (1.0 - predicted).ln()
        };
        samples.iter().map(loss).sum::<f64>() / samples.len() as f64
    }

    /// The slope of the loss, by differences.
    fn slope(&self, weight: Weight, samples: &[Sample]) -> f64 {
        let at = |change: f64| {
            let mut moved = self.clone();
            *moved.weight(weight) += change;
            moved.loss(samples)
        };
        (at(1e-6) - at(-1e-6)) / 2e-6
    }
}

/// Random weights that rounding leaves as they are.
fn whole_weights(classes: usize, progress: Progress) -> Weights<CompactHead> {
    let shape = CompactShape { classes, progress };
    let mut weights: Weights<CompactHead> = Weights::random(WIDTH, shape, 7);
    let mut random = komadai_core::SplitMix64::new(5);
    for lanes in &mut weights.zoned.weights {
        lanes.0 = std::array::from_fn(|_| random.below(41) as f32 / ONE - 20.0 / ONE);
    }
    weights.round();
    for group in [&mut weights.shared, &mut weights.biases] {
        group.weights.iter_mut().for_each(|lanes| {
            lanes.0 = lanes.0.map(|weight| (weight * ONE).round() / ONE);
        });
    }
    for lanes in &mut weights.head.outputs.weights {
        lanes.0 = lanes.0.map(|_| (random.below(101) as f32 - 50.0) / OUTPUT_ONE);
    }
    let biases = &mut weights.head.output_biases.weights[0].0;
    *biases = std::array::from_fn(|class| (300 + 10 * class) as f32 / (ONE * OUTPUT_ONE));
    weights.round();
    weights
}

#[test]
fn gradients_are_slopes_of_the_loss() {
    compare(1);
}

#[test]
fn gradients_of_classes_are_slopes_of_the_loss() {
    compare(3);
}

/// Compares the gradient of each group of weights with slopes.
fn compare(classes: usize) {
    let mut samples = samples(200, 3);
    let progress = Progress::fit(&samples, classes);
    let weights = whole_weights(classes, progress);
    let reference = Reference::of(&weights);
    samples.retain(|sample| !reference.has_kink(sample));
    assert!(samples.len() > 50);
    let entry = |sample| Entry { sample, is_mirrored: false };
    let entries: Vec<Entry> = (0..samples.len() as u32).map(entry).collect();
    let mut part = Part::default();
    part.compute(&samples, &entries, TARGET, &weights.rounded, samples.len());

    // Rows are divided by their number of views, so that both frequent and rare ones are checked.
    let mut rows: Vec<usize> = (0..ROWS).filter(|row| !part.views(*row).is_empty()).collect();
    rows.sort_by_key(|row| part.views(*row).len());
    let rows: Vec<usize> =
        rows.iter().step_by(rows.len() / 12).chain(rows.last()).copied().collect();
    let parts = [part];
    let gradient_of = |rows: std::ops::Range<usize>, lane: usize| {
        let (mut sum, mut total) = (Lanes::ZERO, 0.0);
        for row in rows {
            gather(&mut sum, &parts, row, lane / LANES);
            total += f64::from(sum.0[lane % LANES]);
        }
        total
    };
    let lanes = [0, 9, 37, 63];
    let zoned = rows
        .iter()
        .flat_map(|&row| lanes.map(|lane| (row, lane)))
        .map(|(row, lane)| (Weight::Zoned(row * WIDTH + lane), gradient_of(row..row + 1, lane)));
    let terms = rows.iter().map(|row| row / PieceTerm::ZONES);
    let shared = terms.flat_map(|term| lanes.map(|lane| (term, lane))).map(|(term, lane)| {
        let rows = term * PieceTerm::ZONES..(term + 1) * PieceTerm::ZONES;
        (Weight::Shared(term * WIDTH + lane), gradient_of(rows, lane))
    });
    let block_sum = |of: &dyn Fn(&Sums<CompactHead>) -> f32| -> f64 {
        parts[0].blocks.iter().map(|block| f64::from(of(block))).sum()
    };
    let biases = lanes.map(|lane| {
        let of = move |block: &Sums<CompactHead>| block.biases[lane / LANES].0[lane % LANES];
        (Weight::Bias(lane), block_sum(&of))
    });
    let outputs = (0..2 * WIDTH * classes).step_by(9).map(|lane| {
        let of = move |block: &Sums<CompactHead>| block.head.weights[lane / LANES].0[lane % LANES];
        (Weight::Output(lane), block_sum(&of))
    });
    let output_biases = (0..classes)
        .map(|class| (Weight::OutputBias(class), block_sum(&|block| block.head.biases[class])));
    check(&reference, &samples, zoned.collect());
    check(&reference, &samples, shared.collect());
    check(&reference, &samples, biases.to_vec());
    check(&reference, &samples, outputs.collect());
    check(&reference, &samples, output_biases.collect());

    let excess: f64 = parts[0].blocks.iter().map(|block| block.excess).sum();
    let entropy: f64 = samples
        .iter()
        .map(|sample| {
            let target = f64::from(TARGET.of(sample));
            -target * target.ln() - (1.0 - target) * (1.0 - target).ln()
        })
        .sum();
    let mean = (excess + entropy) / samples.len() as f64;
    assert!((mean - reference.loss(&samples)).abs() < 1e-6);
}

/// Compares the gradient of a group of weights with slopes.
fn check(reference: &Reference, samples: &[Sample], gradients: Vec<(Weight, f64)>) {
    let largest = gradients.iter().map(|(_, gradient)| gradient.abs()).fold(0.0, f64::max);
    assert!(largest > 1e-6, "{gradients:?}");
    for (weight, gradient) in gradients {
        let slope = reference.slope(weight, samples);
        assert!(
            (slope - gradient).abs() <= 1e-4 * gradient.abs().max(1e-2 * largest),
            "{weight:?}: {gradient} is no slope {slope}"
        );
    }
}
