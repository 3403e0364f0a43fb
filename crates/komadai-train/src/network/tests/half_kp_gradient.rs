//! The gradient of a network HalfKP beside differences of the loss.

use komadai_core::SplitMix64;
use komadai_nnue::PieceTerm;

use super::support::samples;
use crate::network::batch::{Entry, Part};
use crate::network::half_kp_head::HalfKpHead;
use crate::network::half_kp_layers::HIDDEN;
use crate::network::head::Head as _;
use crate::network::lanes::{LANES, Lanes};
use crate::network::sample::Sample;
use crate::network::step::gather;
use crate::network::target::Target;
use crate::network::weights::{Sums, Weights};

const TARGET: Target = Target { result_share: 0.3, score_scale: 600.0 };

const ONE: f32 = HalfKpHead::ONE;

/// The weights in double precision, without any rounding: those of the groups of [`Weights`] in
/// their order.
struct Reference([Vec<f64>; 7]);

/// Returns a gradient of a group of weights.
type GradientOf = dyn Fn(&Sums<HalfKpHead>, usize) -> f32;

/// A group of weights, and a weight of it.
type Weight = (usize, usize);

const ZONED: usize = 0;
const SHARED: usize = 1;
const FIRST_BIASES: usize = 2;
const FIRST: usize = 3;
const SECOND: usize = 4;
const LAST: usize = 5;
const BIASES: usize = 6;

impl Reference {
    fn of(weights: &Weights<HalfKpHead>) -> Self {
        let groups: Vec<Vec<f64>> = weights
            .groups()
            .iter()
            .map(|rows| rows.weights.iter().flat_map(|lanes| lanes.0).map(f64::from).collect())
            .collect();
        Self(groups.try_into().unwrap())
    }

    /// The sums of all layers but the last, the first one's of both views, and the output.
    fn sums(&self, sample: &Sample) -> ([Vec<f64>; 3], f64) {
        let [zoned, shared, first_biases, first, second, last, biases] = &self.0;
        let (inputs, kings) = (sample.inputs(false), sample.kings(false).both());
        let mut sums = Vec::new();
        for (king, terms) in kings.into_iter().zip(&inputs.terms) {
            sums.extend((0..LANES).map(|lane| {
                let weight = |term: &u16| {
                    let row = usize::from(*term) * 81 + king;
                    shared[usize::from(*term) * LANES + lane] + zoned[row * LANES + lane]
                };
                first_biases[lane] + terms.iter().map(weight).sum::<f64>()
            }));
        }
        let dense = |inputs: &[f64], weights: &[f64], biases: &[f64]| -> Vec<f64> {
            let sum = |output: usize| {
                let product = |(at, input): (usize, &f64)| {
                    input.clamp(0.0, 1.0) * weights[at * HIDDEN + output]
                };
                biases[output] + inputs.iter().enumerate().map(product).sum::<f64>()
            };
            (0..HIDDEN).map(sum).collect()
        };
        let hidden1 = dense(&sums, first, &biases[..HIDDEN]);
        let hidden2 = dense(&hidden1, second, &biases[HIDDEN..]);
        let products = hidden2.iter().zip(last).map(|(sum, weight)| sum.clamp(0.0, 1.0) * weight);
        let output = biases[2 * HIDDEN] + products.sum::<f64>();
        ([sums, hidden1, hidden2], output)
    }

    /// Returns whether a sum is where the activation has two slopes.
    fn has_kink(&self, sample: &Sample) -> bool {
        let is_kink = |sum: &f64| sum.abs() < 1e-3 || (sum - 1.0).abs() < 1e-3;
        self.sums(sample).0.iter().flatten().any(is_kink)
    }

    /// The mean cross-entropy by the definition.
    fn loss(&self, samples: &[Sample]) -> f64 {
        let loss = |sample: &Sample| {
            let predicted = 1.0 / (1.0 + (-self.sums(sample).1).exp());
            let target = f64::from(TARGET.of(sample));
            -target * predicted.ln() - (1.0 - target) * (1.0 - predicted).ln()
        };
        samples.iter().map(loss).sum::<f64>() / samples.len() as f64
    }

    /// The slope of the loss, by differences.
    fn slope(&mut self, (group, at): Weight, samples: &[Sample]) -> f64 {
        let weight = self.0[group][at];
        let losses = [1e-6, -1e-6].map(|change| {
            self.0[group][at] = weight + change;
            self.loss(samples)
        });
        self.0[group][at] = weight;
        (losses[0] - losses[1]) / 2e-6
    }
}

/// Random weights that rounding leaves as they are, and whose hidden sums the network need not
/// round: weights of hidden layers are −1, 0 or 1.
fn whole_weights(output_one: f32) -> Weights<HalfKpHead> {
    let mut weights: Weights<HalfKpHead> = Weights::random(LANES, output_one, 7);
    let mut random = SplitMix64::new(5);
    let mut number = move |most: u64| random.below(2 * most + 1) as f32 - most as f32;
    for lanes in &mut weights.zoned.weights {
        lanes.0 = std::array::from_fn(|_| number(4) / ONE);
    }
    for lanes in &mut weights.shared.weights {
        lanes.0 = std::array::from_fn(|_| number(10) / ONE);
    }
    // A third of the weights of a hidden layer are not zero, or fewer.
    let mut sign = |one_in: u64| match number(one_in) {
        1.0 => 1.0,
        -1.0 => -1.0,
        _ => 0.0,
    };
    for lanes in &mut weights.head.first.weights {
        lanes.0 = std::array::from_fn(|_| sign(8));
    }
    for lanes in &mut weights.head.second.weights {
        lanes.0 = std::array::from_fn(|_| sign(4));
    }
    for (at, bias) in weights.biases.weights[0].0.iter_mut().enumerate() {
        *bias = (50 + at) as f32 / ONE;
    }
    for lanes in &mut weights.head.biases.weights[..2] {
        lanes.0 = std::array::from_fn(|at| (40 + at) as f32 / ONE);
    }
    weights.round();
    let unit = output_one / ONE;
    weights.head.last.weights[0].0 = weights.rounded.head.last.0.map(|weight| weight / unit);
    weights
}

#[test]
fn gradients_are_slopes_of_the_loss() {
    let output_one = 8_640.0;
    let weights = whole_weights(output_one);
    let mut reference = Reference::of(&weights);
    let mut samples = samples(600, 3);
    samples.retain(|sample| !reference.has_kink(sample));
    assert!(samples.len() > 50, "{}", samples.len());
    let entry = |sample| Entry { sample, is_mirrored: false };
    let entries: Vec<Entry> = (0..samples.len() as u32).map(entry).collect();
    let mut part = Part::default();
    part.compute(&samples, &entries, TARGET, &weights.rounded, samples.len());
    let parts = [part];

    let mut rows: Vec<usize> =
        (0..PieceTerm::COUNT * 81).filter(|row| !parts[0].views(*row).is_empty()).collect();
    rows.sort_by_key(|row| parts[0].views(*row).len());
    let rows: Vec<usize> =
        rows.iter().step_by(rows.len() / 12).chain(rows.last()).copied().collect();
    let gradient_of = |rows: std::ops::Range<usize>, lane: usize| {
        let (mut sum, mut total) = (Lanes::ZERO, 0.0);
        for row in rows {
            gather(&mut sum, &parts, row, 0);
            total += f64::from(sum.0[lane]);
        }
        total
    };
    let lanes = [0, 9, 31];
    let zoned = rows
        .iter()
        .flat_map(|&row| lanes.map(|lane| (row, lane)))
        .map(|(row, lane)| ((ZONED, row * LANES + lane), gradient_of(row..row + 1, lane)));
    let terms = rows.iter().map(|row| row / 81);
    let shared = terms.flat_map(|term| lanes.map(|lane| (term, lane))).map(|(term, lane)| {
        ((SHARED, term * LANES + lane), gradient_of(term * 81..(term + 1) * 81, lane))
    });
    check(&mut reference, &samples, zoned.collect());
    check(&mut reference, &samples, shared.collect());

    let sum_of = |of: &GradientOf, at: usize| -> f64 {
        parts[0].blocks.iter().map(|block| f64::from(of(block, at))).sum()
    };
    let biases = |block: &Sums<HalfKpHead>, at: usize| block.biases[0].0[at];
    let first = |block: &Sums<HalfKpHead>, at: usize| block.head.first[at / LANES].0[at % LANES];
    let second = |block: &Sums<HalfKpHead>, at: usize| block.head.second[at / LANES].0[at % LANES];
    let last = |block: &Sums<HalfKpHead>, at: usize| block.head.last.0[at];
    let head_biases =
        |block: &Sums<HalfKpHead>, at: usize| block.head.biases[at / LANES].0[at % LANES];
    let groups: [(usize, &GradientOf, usize, usize); 5] = [
        (FIRST_BIASES, &biases, LANES, 5),
        (FIRST, &first, 2 * LANES * HIDDEN, 37),
        (SECOND, &second, HIDDEN * HIDDEN, 23),
        (LAST, &last, HIDDEN, 1),
        (BIASES, &head_biases, 2 * HIDDEN + 1, 1),
    ];
    for (group, of, count, step) in groups {
        let gradients = (0..count).step_by(step).map(|at| ((group, at), sum_of(of, at)));
        check(&mut reference, &samples, gradients.collect());
    }

    let excess: f64 = parts[0].blocks.iter().map(|block| block.excess).sum();
    let entropy = |sample: &Sample| {
        let target = f64::from(TARGET.of(sample));
        -target * target.ln() - (1.0 - target) * (1.0 - target).ln()
    };
    let mean = (excess + samples.iter().map(entropy).sum::<f64>()) / samples.len() as f64;
    assert!((mean - reference.loss(&samples)).abs() < 1e-6);
}

/// Compares the gradient of a group of weights with slopes.
fn check(reference: &mut Reference, samples: &[Sample], gradients: Vec<(Weight, f64)>) {
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
