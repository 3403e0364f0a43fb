//! Networks with weights made from a seed.

use komadai_core::SplitMix64;

use crate::aligned::Aligned;
use crate::architecture::{Architecture, padded};
use crate::compact::{Compact, CompactBase};
use crate::dense::Dense;
use crate::layers::{Layers, Selector, Stacked};
use crate::network::{Network, Parameters};
use crate::progress_file::ProgressFile;
use crate::progress_model::ProgressModel;
use crate::psqt::Psqt;
use crate::stack::{Stack, first_hidden_layer, spread as arrange};
use crate::stack_rule::StackRule;

/// The distribution of one group of parameters: a bell of width about `148 * scale >> shift` around
/// `base`.
#[derive(Debug, Clone, Copy)]
struct Spread {
    base: i32,
    scale: i32,
    shift: u32,
}

const fn spread(base: i32, scale: i32, shift: u32) -> Spread {
    Spread { base, scale, shift }
}

/// The more inputs a layer has, the smaller are its weights, so that the sums stay as large.
fn weights(scale: f64, usual: usize, inputs: usize, shift: u32) -> Spread {
    spread(0, (scale * (usual as f64 / inputs as f64).sqrt()).round() as i32, shift)
}

/// A stream of parameters in the order of a file.
struct Stream(SplitMix64);

impl Stream {
    fn next(&mut self, spread: Spread) -> i32 {
        let bytes = self.0.next_u64().to_le_bytes();
        let sum: i32 = bytes[..4].iter().map(|byte| i32::from(*byte)).sum();
        let round = (1 << spread.shift) >> 1;
        spread.base + (((sum - 510) * spread.scale + round) >> spread.shift)
    }

    /// Returns parameters of the first layer, `factor` times as large as in a file.
    fn numbers16(&mut self, len: usize, spread: Spread, factor: i16) -> Aligned<i16> {
        let mut numbers = Aligned::zeroed(len);
        numbers.iter_mut().for_each(|number| *number = factor * self.next(spread) as i16);
        numbers
    }

    fn parameters(
        &mut self,
        (inputs, outputs): (usize, usize),
        bias: i32,
        weight: Spread,
    ) -> (Vec<i32>, Vec<i8>) {
        let biases = (0..outputs).map(|_| self.next(spread(0, bias, 0))).collect();
        // The padding takes numbers, too, and is then not used.
        let len = outputs * padded(inputs);
        (biases, (0..len).map(|_| self.next(weight) as i8).collect())
    }

    fn dense(&mut self, shape: (usize, usize), bias: i32, weight: Spread) -> Dense {
        let (biases, rows) = self.parameters(shape, bias, weight);
        Dense::from_rows(shape.0, &biases, &rows)
    }

    /// The first hidden layer.
    fn first_dense(&mut self, architecture: Architecture, weight: Spread) -> Dense {
        let [first, ..] = architecture.layers();
        let (biases, rows) = self.parameters(first, 8, weight);
        if architecture.is_stacked() {
            first_hidden_layer(architecture, &biases, rows)
        } else {
            Dense::from_rows(first.0, &biases, &rows)
        }
    }

    fn compact(&mut self, architecture: Architecture, classes: usize) -> Parameters {
        let width = architecture.width();
        let biases = self.numbers16(width, spread(100, 80, 9), 1);
        let weights = self.numbers16(width * architecture.features().inputs(), spread(0, 70, 9), 1);
        // Sums of both views are about twice the bias.
        let thresholds = (1..classes as i32).map(|class| 60 * class - 30 * classes as i32 + 200);
        let compact = Compact {
            base: CompactBase::Material,
            thresholds: thresholds.collect(),
            weights: self.numbers16(2 * width * classes, spread(0, 40, 9), 1),
            biases: (0..classes).map(|_| self.next(spread(0, 8, 0))).collect(),
            scale: 400,
        };
        Parameters { biases, weights: weights.into(), layers: Layers::Compact(compact) }
    }

    fn stacked(&mut self, architecture: Architecture) -> Parameters {
        let width = architecture.width();
        let first = width * architecture.features().inputs();
        // The sums of a LayerStack network are not doubled.
        let factor = if architecture.layer_stacks().is_some() { 1 } else { 2 };
        let biases = self.numbers16(width, spread(48, 160, 9), factor);
        let weights = self.numbers16(first, spread(0, 70, 9), factor);
        let selector = self.selector(architecture);
        let psqt = architecture.layer_stacks().filter(|stacks| stacks.has_psqt).map(|stacks| {
            let set = architecture.features();
            let len = set.inputs() * stacks.count;
            let weights = (0..len).map(|_| self.next(spread(0, 4, 0))).collect();
            Psqt { set, biases: vec![0; stacks.count], weights }
        });
        let count = architecture.stacks().unwrap_or(1);
        let stacks = (0..count).map(|_| Stack { layers: self.layers(architecture) }).collect();
        let [hidden, _] = architecture.hidden();
        Parameters {
            biases: arrange(architecture, biases),
            weights: arrange(architecture, weights).into(),
            layers: Layers::Stacked(Stacked { selector, stacks, hidden, psqt }),
        }
    }

    fn selector(&mut self, architecture: Architecture) -> Selector {
        match (architecture.stack_choice(), architecture.stack_rule()) {
            (Some(choice), _) => {
                let model = (choice.progress > 1).then(|| {
                    let mut next = || self.next(spread(0, 100, 0));
                    let bias = next();
                    let weights = (0..ProgressModel::WEIGHTS).map(|_| next()).collect();
                    ProgressModel { bias, weights }
                });
                Selector::Classes(choice, model)
            }
            (None, Some(StackRule::Progress8KpAbs)) => {
                let next = || self.next(spread(0, 100, 0)) as f32 / 65_536.0;
                Selector::Progress(ProgressFile::from_weights(next))
            }
            _ => Selector::KingRank9,
        }
    }

    fn layers(&mut self, architecture: Architecture) -> [Dense; 3] {
        let [first, second, last] = architecture.layers();
        let (one, two) = match architecture.stacks() {
            None => (weights(22.0, 512, first.0, 10), weights(104.0, 8, second.0, 9)),
            // Products of numbers are smaller than the numbers.
            Some(_) if second.0 == 14 => (weights(24.0, 256, first.0, 9), spread(0, 90, 9)),
            Some(_) => (weights(24.0, 256, first.0, 9), weights(329.0, 1, second.0, 9)),
        };
        [
            self.first_dense(architecture, one),
            self.dense(second, 8, two),
            self.dense(last, 4, weights(104.0, 32, last.0, 9)),
        ]
    }
}

impl Network {
    /// Makes a network whose weights are functions of a seed and of their places in the file, with
    /// outputs as large as those of real networks: for tests and measurements without a file.
    pub fn random(architecture: Architecture, seed: u64) -> Self {
        let mut stream = Stream(SplitMix64::new(seed));
        if let Some(classes) = architecture.classes() {
            let parameters = stream.compact(architecture, classes);
            return Self::from_parameters(architecture, format!("random, seed {seed}"), parameters);
        }
        let width = architecture.width();
        let first = width * architecture.features().inputs();
        let parameters = if architecture.is_stacked() {
            stream.stacked(architecture)
        } else {
            Parameters {
                biases: stream.numbers16(width, spread(48, 80, 9), 1),
                weights: stream.numbers16(first, spread(0, 40, 9), 1).into(),
                layers: Layers::Classical(Box::new(stream.layers(architecture))),
            }
        };
        Self::from_parameters(architecture, architecture.description(), parameters)
    }
}
