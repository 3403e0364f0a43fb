//! The output layers of compact networks.

use komadai_core::{Color, Square};
use komadai_nnue::{CompactWeights, Network, PieceTerm};

use super::error::TrainingError;
use super::head::{FirstLayer, FirstLayerGradients, Head};
use super::lanes::{LANES, Lanes, RandomLanes};
use super::options::TrainingOptions;
use super::progress::Progress;
use super::rows::{Rows, Step};
use super::sample::Sample;
use super::weights::{round, round_lanes};

/// The value 1.0 of an output weight in its units.
pub(super) const OUTPUT_ONE: f32 = 64.0;

/// The largest output weight, in its units.
const LARGEST_OUTPUT: f32 = 127.0;

/// The output layers of a compact network, one for each class of progress, on squares of clipped
/// sums.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CompactHead {
    /// `[class][view]`.
    pub(super) outputs: Rows,
    /// One row, in which each class has a number.
    pub(super) output_biases: Rows,
}

/// The classes of a compact network.
#[derive(Debug, Clone, Default)]
pub(super) struct CompactShape {
    pub(super) classes: usize,
    pub(super) progress: Progress,
}

/// The output layers as they are played with.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RoundedOutputs {
    /// `[class][view][tile]`, multiples of 1/64.
    pub(super) weights: Vec<Lanes>,
    /// `[class]`, multiples of 1 / (255 · 64).
    pub(super) biases: Vec<f32>,
    pub(super) progress: Progress,
}

/// The gradients of the output layers, summed over positions.
#[derive(Debug, Clone)]
pub(super) struct OutputSums {
    /// `[class][view][tile]`.
    pub(super) weights: Vec<Lanes>,
    /// `[class]`.
    pub(super) biases: Vec<f32>,
}

impl RoundedOutputs {
    /// `[view][tile]`: the output weights of a class.
    #[inline(always)]
    fn of_class(&self, class: usize) -> &[Lanes] {
        let len = self.weights.len() / self.biases.len();
        &self.weights[len * class..][..len]
    }
}

impl Head for CompactHead {
    const ZONES: usize = PieceTerm::ZONES;
    const ONE: f32 = 255.0;
    const FIRST_BIAS: f32 = 0.25;
    const ADDS_TO_BASE: bool = true;
    const BLOCK: usize = 64;

    type Shape = CompactShape;
    type Rounded = RoundedOutputs;
    type Sums = OutputSums;
    /// The class of the position.
    type Memory = usize;

    fn shape(options: &TrainingOptions, samples: &[Sample]) -> CompactShape {
        let classes = options.classes;
        CompactShape { classes, progress: Progress::fit(samples, classes) }
    }

    fn random(
        shape: CompactShape,
        tiles: usize,
        random: &mut RandomLanes,
    ) -> (Self, RoundedOutputs) {
        let CompactShape { classes, progress } = shape;
        // All classes begin alike.
        let outputs = random.lanes(2 * tiles, 0.1).repeat(classes);
        let rounded = RoundedOutputs {
            weights: vec![Lanes::ZERO; outputs.len()],
            biases: vec![0.0; classes],
            progress,
        };
        let output_biases = Rows::new(vec![Lanes::ZERO], 1);
        (Self { outputs: Rows::new(outputs, tiles), output_biases }, rounded)
    }

    fn zone(king: usize) -> usize {
        Square::from_index(king).map_or(0, |king| PieceTerm::zone(Color::Black, king))
    }

    fn groups(&self) -> Vec<&Rows> {
        vec![&self.outputs, &self.output_biases]
    }

    fn groups_mut(&mut self) -> Vec<&mut Rows> {
        vec![&mut self.outputs, &mut self.output_biases]
    }

    fn round(&mut self, rounded: &mut RoundedOutputs) {
        for (weights, rounded) in self.outputs.weights.iter_mut().zip(&mut rounded.weights) {
            let whole = round_lanes(weights, OUTPUT_ONE, LARGEST_OUTPUT);
            *rounded = Lanes(whole.map(|weight| weight / OUTPUT_ONE));
        }
        let unit = Self::ONE * OUTPUT_ONE;
        for (bias, rounded) in self.output_biases.weights[0].0.iter().zip(&mut rounded.biases) {
            *rounded = round(bias * unit) / unit;
        }
    }

    fn numbers(rounded: &RoundedOutputs) -> Vec<&[f32]> {
        let weights = rounded.weights.iter().map(|lanes| &lanes.0[..]);
        weights.chain([&rounded.biases[..]]).collect()
    }

    fn numbers_mut(rounded: &mut RoundedOutputs) -> Vec<&mut [f32]> {
        let weights = rounded.weights.iter_mut().map(|lanes| &mut lanes.0[..]);
        weights.chain([&mut rounded.biases[..]]).collect()
    }

    #[inline(always)]
    fn fixed_weight(rounded: &RoundedOutputs, term: usize) -> Option<i16> {
        rounded.progress.weight(term)
    }

    fn no_sums(rounded: &RoundedOutputs, _: usize) -> OutputSums {
        let weights = vec![Lanes::ZERO; rounded.weights.len()];
        OutputSums { weights, biases: vec![0.0; rounded.biases.len()] }
    }

    fn add_sums(sums: &mut OutputSums, other: &OutputSums) {
        sums.weights.iter_mut().zip(&other.weights).for_each(|(sum, lanes)| sum.add(lanes));
        sums.biases.iter_mut().zip(&other.biases).for_each(|(sum, bias)| *sum += bias);
    }

    fn apply(&mut self, sums: &OutputSums, step: Step) {
        let mut biases = Lanes::ZERO;
        biases.0[..sums.biases.len()].copy_from_slice(&sums.biases);
        self.outputs.apply(&sums.weights, step);
        self.output_biases.apply(&[biases], step);
    }

    #[inline(always)]
    fn output(rounded: &RoundedOutputs, whole: &[i16], class: &mut usize) -> f32 {
        let last = |view: usize| i32::from(whole[(view + 1) * whole.len() / 2 - 1]);
        *class = rounded.progress.class(last(0) + last(1));
        let mut products = Lanes::ZERO;
        let tiles = whole.as_chunks::<LANES>().0;
        for (weights, whole) in rounded.of_class(*class).iter().zip(tiles) {
            for (lane, whole) in whole.iter().enumerate() {
                let clipped = value(*whole).clamp(0.0, 1.0);
                products.0[lane] += weights.0[lane] * (clipped * clipped);
            }
        }
        products.total() + rounded.biases[*class]
    }

    #[inline(always)]
    fn differentiate(
        rounded: &RoundedOutputs,
        whole: &[i16],
        error: f32,
        class: &mut usize,
        mut first: FirstLayerGradients<'_>,
        to: &mut OutputSums,
    ) {
        let weights = rounded.of_class(*class);
        let outputs = &mut to.weights[weights.len() * *class..][..weights.len()];
        let tiles = whole.as_chunks::<LANES>().0;
        for (at, ((weights, outputs), whole)) in weights.iter().zip(outputs).zip(tiles).enumerate()
        {
            let (gradients, biases) = first.tile(at / first.tiles(), at % first.tiles());
            for (lane, whole) in whole.iter().enumerate() {
                let sum = value(*whole);
                let clipped = sum.clamp(0.0, 1.0);
                outputs.0[lane] += error * (clipped * clipped);
                let slope = if sum < 1.0 { 2.0 * clipped } else { 0.0 };
                let gradient = error * weights.0[lane] * slope;
                biases.0[lane] += gradient;
                gradients.0[lane] = gradient;
            }
        }
        to.biases[*class] += error;
    }

    fn network(
        first: FirstLayer,
        outputs: &RoundedOutputs,
        options: &TrainingOptions,
        description: String,
    ) -> Result<Network, TrainingError> {
        let unit = Self::ONE * OUTPUT_ONE;
        let weights = outputs.weights.iter().flat_map(|lanes| lanes.0);
        let biases = outputs.biases.iter();
        Ok(Network::try_from(CompactWeights {
            description,
            base: options.base.into(),
            scale: options.score_scale.round() as i32,
            biases: first.biases,
            weights: first.weights,
            thresholds: outputs.progress.thresholds.clone(),
            output_weights: weights.map(|weight| (weight * OUTPUT_ONE) as i8).collect(),
            output_biases: biases.map(|bias| (bias * unit).round() as i32).collect(),
        })?)
    }
}

/// The value of a sum of the first layer.
#[inline(always)]
fn value(whole: i16) -> f32 {
    f32::from(whole) * (1.0 / CompactHead::ONE)
}
