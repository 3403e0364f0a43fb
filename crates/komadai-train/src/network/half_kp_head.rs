//! The dense layers of networks HalfKP.

use komadai_nnue::{Architecture, ClassicalWeights, DenseWeights, FeatureSet, Network, Nnue};

use super::error::TrainingError;
use super::half_kp_layers::{
    Activations, HIDDEN, HIDDEN_ONE, LayerSums, ONE, RoundedLayers, clip, slope_of,
};
use super::head::{FirstLayer, FirstLayerGradients, Head};
use super::lanes::{LANES, Lanes, RandomLanes};
use super::options::TrainingOptions;
use super::rows::{Rows, Step};
use super::sample::Sample;
use super::weights::round_lanes;

/// The largest weight of a dense layer, in its units.
const LARGEST: f32 = 127.0;

/// The largest bias of a dense layer, in its units.
const LARGEST_BIAS: f32 = 200_000.0;

/// The largest width for which single precision holds all sums exactly.
pub(super) const MAX_WIDTH: usize = 512;

const _: () = {
    let largest_sum = 2.0 * MAX_WIDTH as f32 * ONE * LARGEST + LARGEST_BIAS;
    assert!(largest_sum < 16_777_216.0);
};

/// The value of a pawn in the units of YaneuraOu, times its divisor of outputs, by centipawns.
const OUTPUT_OF_CENTIPAWN: f32 = (Nnue::PAWN * Nnue::FV_SCALE) as f32 / 100.0;

/// Two hidden layers and the output, on clipped sums.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct HalfKpHead {
    /// `[view][input]`, a row of 32 outputs each.
    pub(super) first: Rows,
    /// `[input]`, a row of 32 outputs each.
    pub(super) second: Rows,
    /// One row.
    pub(super) last: Rows,
    /// The biases of both hidden layers, and of the output in the first place of its row.
    pub(super) biases: Rows,
}

impl Head for HalfKpHead {
    const ZONES: usize = 81;
    const ONE: f32 = ONE;
    const FIRST_BIAS: f32 = 0.5;
    const ADDS_TO_BASE: bool = false;
    const BLOCK: usize = 128;

    /// The output for a logit of 1.0.
    type Shape = f32;
    type Rounded = RoundedLayers;
    type Sums = LayerSums;
    type Memory = Activations;

    fn shape(options: &TrainingOptions, _: &[Sample]) -> f32 {
        OUTPUT_OF_CENTIPAWN * options.score_scale
    }

    fn random(output_one: f32, tiles: usize, random: &mut RandomLanes) -> (Self, RoundedLayers) {
        let inputs = 2 * tiles * LANES;
        // Sums of a hidden layer have a spread of about a third of the activation's range.
        let first = random.lanes(inputs, 1.0 / (inputs as f32).sqrt());
        let second = random.lanes(HIDDEN, 1.0 / (HIDDEN as f32).sqrt());
        let last = random.lanes(1, 0.2);
        let half = Lanes([0.5; LANES]);
        let head = Self {
            first: Rows::new(first, 1),
            second: Rows::new(second, 1),
            last: Rows::new(last, 1),
            biases: Rows::new(vec![half, half, Lanes::ZERO], 1),
        };
        (head, RoundedLayers::zero(inputs, output_one))
    }

    #[inline(always)]
    fn zone(king: usize) -> usize {
        king
    }

    fn groups(&self) -> Vec<&Rows> {
        vec![&self.first, &self.second, &self.last, &self.biases]
    }

    fn groups_mut(&mut self) -> Vec<&mut Rows> {
        vec![&mut self.first, &mut self.second, &mut self.last, &mut self.biases]
    }

    fn round(&mut self, rounded: &mut RoundedLayers) {
        let output_one = rounded.output_weight_one();
        let layers = [
            (&mut self.first, &mut rounded.first[..], HIDDEN_ONE),
            (&mut self.second, &mut rounded.second, HIDDEN_ONE),
            (&mut self.last, std::slice::from_mut(&mut rounded.last), output_one),
        ];
        for (rows, rounded, one) in layers {
            for (weights, rounded) in rows.weights.iter_mut().zip(rounded) {
                rounded.0 = round_lanes(weights, one, LARGEST);
            }
        }
        let units = [HIDDEN_ONE * ONE, HIDDEN_ONE * ONE, rounded.output_one];
        let biases = self.biases.weights.iter_mut().zip(&mut rounded.biases);
        for ((weights, rounded), unit) in biases.zip(units) {
            rounded.0 = round_lanes(weights, unit, LARGEST_BIAS);
        }
        rounded.turn();
    }

    fn numbers(rounded: &RoundedLayers) -> Vec<&[f32]> {
        rounded.all().map(|lanes| &lanes.0[..]).collect()
    }

    fn numbers_mut(rounded: &mut RoundedLayers) -> Vec<&mut [f32]> {
        rounded.all_mut().map(|lanes| &mut lanes.0[..]).collect()
    }

    fn no_sums(_: &RoundedLayers, tiles: usize) -> LayerSums {
        LayerSums::zero(2 * tiles * LANES)
    }

    fn add_sums(sums: &mut LayerSums, other: &LayerSums) {
        sums.add(other);
    }

    fn apply(&mut self, sums: &LayerSums, step: Step) {
        self.first.apply(&sums.first, step);
        self.second.apply(&sums.second, step);
        self.last.apply(std::slice::from_ref(&sums.last), step);
        self.biases.apply(&sums.biases, step);
    }

    #[inline(always)]
    fn output(rounded: &RoundedLayers, whole: &[i16], memory: &mut Activations) -> f32 {
        let Activations { inputs, sums: [first, second] } = memory;
        inputs.clear();
        let positive = whole.iter().zip(0..).filter(|(sum, _)| **sum > 0);
        inputs.extend(positive.map(|(sum, at)| (at, f32::from(*sum).min(ONE))));
        *first = rounded.biases[0];
        for (at, input) in inputs.iter() {
            first.add_product(*input, &rounded.first[usize::from(*at)]);
        }
        *second = rounded.biases[1];
        for (input, weights) in first.0.iter().zip(&rounded.second) {
            second.add_product(clip(*input), weights);
        }
        let product = Lanes(second.0.map(clip)).product(&rounded.last);
        (product + rounded.biases[2].0[0]) / rounded.output_one
    }

    #[inline(always)]
    fn differentiate(
        rounded: &RoundedLayers,
        whole: &[i16],
        error: f32,
        memory: &mut Activations,
        mut first: FirstLayerGradients<'_>,
        to: &mut LayerSums,
    ) {
        let (weight, hidden_weight) = (1.0 / rounded.output_weight_one(), 1.0 / HIDDEN_ONE);
        // The gradient of the sums of a hidden layer, which have the weights' unit times the
        // activations'.
        let mut second_slopes = Lanes::ZERO;
        let [first_sums, second_sums] = &memory.sums;
        for (lane, slope) in second_slopes.0.iter_mut().enumerate() {
            let sum = second_sums.0[lane];
            to.last.0[lane] += error * (clip(sum) / ONE);
            *slope = error * (rounded.last.0[lane] * weight) * slope_of(sum);
        }
        to.biases[2].0[0] += error;
        to.biases[1].add(&second_slopes);
        let mut first_slopes = Lanes::ZERO;
        for (lane, weights) in rounded.second.iter().enumerate() {
            let sum = first_sums.0[lane];
            to.second[lane].add_product(clip(sum) / ONE, &second_slopes);
            let slope = weights.product(&second_slopes) * hidden_weight;
            first_slopes.0[lane] = slope * slope_of(sum);
        }
        to.biases[0].add(&first_slopes);
        for (at, input) in &memory.inputs {
            to.first[usize::from(*at)].add_product(*input / ONE, &first_slopes);
        }
        let tiles = first.tiles();
        for (at, whole) in whole.as_chunks::<LANES>().0.iter().enumerate() {
            let mut slopes = Lanes::ZERO;
            for (output, slope) in first_slopes.0.iter().enumerate() {
                if *slope != 0.0 {
                    slopes.add_product(*slope, &rounded.turned[output * 2 * tiles + at]);
                }
            }
            let (gradients, biases) = first.tile(at / tiles, at % tiles);
            for (lane, whole) in whole.iter().enumerate() {
                let is_inside = 0 < *whole && *whole < ONE as i16;
                let gradient = if is_inside { slopes.0[lane] * hidden_weight } else { 0.0 };
                biases.0[lane] += gradient;
                gradients.0[lane] = gradient;
            }
        }
    }

    fn network(
        first: FirstLayer,
        layers: &RoundedLayers,
        _: &TrainingOptions,
        description: String,
    ) -> Result<Network, TrainingError> {
        let width = first.biases.len();
        let architecture = Architecture::new(FeatureSet::HalfKp, width, HIDDEN, HIDDEN)
            .unwrap_or(Architecture::HALF_KP_256);
        let biases = layers.biases.map(|biases| biases.0.map(|bias| bias as i32));
        let hidden = |biases: &[i32], rows: &[Lanes]| DenseWeights {
            biases: biases.to_vec(),
            weights: (0..HIDDEN)
                .flat_map(|output| rows.iter().map(move |row| row.0[output] as i8))
                .collect(),
        };
        let last = DenseWeights {
            biases: biases[2][..1].to_vec(),
            weights: layers.last.0.map(|weight| weight as i8).to_vec(),
        };
        Ok(Network::try_from(ClassicalWeights {
            architecture,
            origin: description,
            biases: first.biases,
            weights: first.weights,
            layers: [hidden(&biases[0], &layers.first), hidden(&biases[1], &layers.second), last],
        })?)
    }
}
