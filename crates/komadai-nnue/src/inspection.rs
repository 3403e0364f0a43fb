//! Networks unit by unit, computed plainly.

use std::borrow::Cow;

use komadai_core::{Color, Position};

use crate::architecture::{Architecture, padded};
use crate::compact::{Compact, ONE, OUTPUT_ONE};
use crate::dense::Dense;
use crate::layers::{Layers, Selector, Stacked};
use crate::network::Network;
use crate::stack::{Stack, first_hidden_rows, gather};
use crate::trained::DenseWeights;

/// The arithmetic of the sums of the first layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SumBits {
    /// Sums of 16 bits, which wrap around: those of all programs that play.
    #[default]
    Sixteen,
    /// Sums of 32 bits, which do not.
    ThirtyTwo,
}

/// A network that can be looked into: its parameters as a file has them, and the values of its units
/// in a position.
///
/// It computes in scalar code and is some hundred times as slow as [`Nnue`](crate::Nnue), which
/// gives the same output.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_nnue::{Inspector, Network, Nnue, SumBits};
///
/// let network = Network::random("halfkp_32x2-8-8".parse()?, 1);
/// let (start, inspector) = (Position::hirate(), Inspector::new(&network));
/// let found = inspector.activations(&start, SumBits::Sixteen);
/// assert_eq!(found.hidden.each_ref().map(Vec::len), [8, 8]);
/// assert!(found.sums.iter().flatten().all(|sum| sum.abs() < 32_768));
/// # let nnue = Nnue::new(network.clone());
/// # use komadai_eval::Evaluator;
/// # assert_eq!(found.output, nnue.raw(&start, &mut nnue.refresh(&start)));
/// # Ok::<(), komadai_nnue::UnknownArchitecture>(())
/// ```
#[derive(Debug, Clone)]
pub struct Inspector<'n> {
    network: &'n Network,
    /// `[stack][layer]`; empty for a compact network.
    stacks: Vec<[DenseWeights; 3]>,
}

/// The values of the units of a network in a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Activations {
    /// The number of the stack, or of the class of progress; 0 in a classical network.
    pub stack: usize,
    /// `[view][output]`, that of the side to move first: the sums of the first layer in 32 bits. In
    /// a stacked network of YaneuraOu they are twice those of the numbers in the file.
    pub sums: [Vec<i32>; 2],
    /// `[view][unit]`: the values that the next layer sees. In a stacked network these are products,
    /// half as many as sums.
    pub first: [Vec<u8>; 2],
    /// The values of both hidden layers; those of a stacked network's first one are squares, then
    /// the same numbers clipped. Empty in a compact network.
    pub hidden: [Vec<u8>; 2],
    /// The output for the side to move, before any scaling and without the base of a compact
    /// network.
    pub output: i32,
}

impl Activations {
    /// The largest value of a unit of the first layer: 255 in a compact network, 126 for products,
    /// else 127.
    pub fn first_limit(architecture: Architecture) -> u8 {
        match (architecture.classes(), architecture.stacks()) {
            (Some(_), _) => 255,
            (_, Some(_)) => 126,
            _ => Self::HIDDEN_LIMIT,
        }
    }

    /// The largest value of a unit of a hidden layer.
    pub const HIDDEN_LIMIT: u8 = 127;

    /// Returns whether a sum of the first layer does not fit 16 bits.
    pub fn overflows(&self) -> bool {
        self.sums.iter().flatten().any(|sum| i16::try_from(*sum).is_err())
    }
}

impl<'n> Inspector<'n> {
    /// Arranges the parameters of a network.
    pub fn new(network: &'n Network) -> Self {
        let architecture = network.architecture();
        let stacks = match network.layers() {
            Layers::Classical(layers) => vec![dense_weights(architecture, layers)],
            Layers::Stacked(stacked) => {
                let weights = |stack: &Stack| dense_weights(architecture, &stack.layers);
                stacked.stacks.iter().map(weights).collect()
            }
            Layers::Compact(_) => Vec::new(),
        };
        Self { network, stacks }
    }

    /// The network.
    pub fn network(&self) -> &'n Network {
        self.network
    }

    /// Returns the biases, `[output]`, and the weights, `[feature][output]`, of the first layer, as
    /// a file has them.
    pub fn first_layer(&self) -> [Cow<'n, [i16]>; 2] {
        let architecture = self.network.architecture();
        [self.network.biases(), self.network.weights()].map(|numbers| {
            let Layers::Stacked(stacked) = self.network.layers() else { return numbers.into() };
            let mut numbers = gather(architecture, numbers);
            if let Selector::Classes(..) = stacked.selector {
                // The sums of these networks are doubled in memory.
                numbers.iter_mut().for_each(|number| *number >>= 1);
            }
            numbers.into()
        })
    }

    /// The parameters of the dense layers, `[stack][layer]`; none for a compact network.
    pub fn dense_layers(&self) -> &[[DenseWeights; 3]] {
        &self.stacks
    }

    /// The output weights of a compact network, `[class][view][activation]`.
    pub fn compact_weights(&self) -> Option<&'n [i16]> {
        match self.network.layers() {
            Layers::Compact(compact) => Some(&compact.weights),
            _ => None,
        }
    }

    /// The values of the features beside the layers (PSQT), `[feature][stack]`.
    pub fn psqt(&self) -> Option<&'n [i32]> {
        match self.network.layers() {
            Layers::Stacked(Stacked { psqt: Some(psqt), .. }) => Some(&psqt.weights),
            _ => None,
        }
    }

    /// Computes the values of all units.
    pub fn activations(&self, position: &Position, bits: SumBits) -> Activations {
        let wide = [position.side(), !position.side()].map(|view| self.sums(position, view));
        let counted = wide.each_ref().map(|sums| match bits {
            SumBits::Sixteen => sums.iter().map(|sum| i32::from(*sum as i16)).collect(),
            SumBits::ThirtyTwo => sums.clone(),
        });
        let mut found = match self.network.layers() {
            Layers::Classical(_) => self.classical(&counted),
            Layers::Stacked(stacked) => self.stacked(stacked, position, &counted),
            Layers::Compact(compact) => of_compact(compact, &counted),
        };
        found.sums = wide.map(|sums| self.without_padding(sums));
        found
    }

    /// The sums of one view, as they stand in memory.
    fn sums(&self, position: &Position, view: Color) -> Vec<i32> {
        let network = self.network;
        let architecture = network.architecture();
        let width = architecture.stored_width();
        let mut sums: Vec<i32> = network.biases().iter().map(|bias| i32::from(*bias)).collect();
        for index in architecture.active_features(position, view) {
            for (sum, weight) in sums.iter_mut().zip(&network.weights()[index * width..]) {
                *sum = sum.wrapping_add(i32::from(*weight));
            }
        }
        sums
    }

    /// Returns sums without those that fill the halves of a stacked network up in memory.
    fn without_padding(&self, mut sums: Vec<i32>) -> Vec<i32> {
        let architecture = self.network.architecture();
        let (half, stored) = (architecture.width() / 2, architecture.stored_width() / 2);
        if half < stored {
            sums.drain(stored + half..);
            sums.drain(half..stored);
        }
        sums
    }

    fn classical(&self, sums: &[Vec<i32>; 2]) -> Activations {
        let [first, second, last] = &self.stacks[0];
        let seen: [Vec<u8>; 2] =
            sums.each_ref().map(|sums| sums.iter().map(|sum| clip(*sum)).collect());
        let one: Vec<u8> = clip_all(&forward(first, &seen.concat()));
        let two = clip_all(&forward(second, &one));
        let output = forward(last, &two)[0];
        Activations { stack: 0, sums: Default::default(), first: seen, hidden: [one, two], output }
    }

    fn stacked(&self, stacked: &Stacked, position: &Position, sums: &[Vec<i32>; 2]) -> Activations {
        let architecture = self.network.architecture();
        let (half, stored) = (architecture.width() / 2, architecture.stored_width() / 2);
        let (most, shift) = match stacked.selector {
            Selector::Classes(..) => (254, 9),
            _ => (127, 7),
        };
        let seen: [Vec<u8>; 2] = sums.each_ref().map(|sums| {
            let value = |at: usize| sums[at].clamp(0, most);
            (0..half).map(|unit| ((value(unit) * value(stored + unit)) >> shift) as u8).collect()
        });
        let stack = stacked.index(position);
        let [first, second, last] = &self.stacks[stack];
        let hidden = stacked.hidden;
        let outputs = forward(first, &seen.concat());
        let squares = outputs[..hidden]
            .iter()
            .map(|sum| ((i64::from(*sum) * i64::from(*sum)) >> 19).min(127) as u8);
        let one: Vec<u8> = squares.chain(clip_all(&outputs[..hidden])).collect();
        let two = clip_all(&forward(second, &one));
        // One more output, if there is one, is added to the network's output.
        let shortcut = outputs.get(hidden).copied().unwrap_or(0);
        let mut output = forward(last, &two)[0].wrapping_add(shortcut);
        if let Some(psqt) = &stacked.psqt {
            output = output.saturating_add(psqt.value(position, stack));
        }
        Activations { stack, sums: Default::default(), first: seen, hidden: [one, two], output }
    }
}

fn of_compact(compact: &Compact, sums: &[Vec<i32>; 2]) -> Activations {
    let width = sums[0].len();
    let progress: i32 = sums.iter().map(|sums| sums[width - 1]).sum();
    let stack = compact.thresholds.iter().filter(|least| progress >= **least).count();
    let weights = &compact.weights[2 * width * stack..][..2 * width];
    let value = |sum: &i32| (*sum).clamp(0, ONE);
    let squares: i64 = sums
        .iter()
        .flatten()
        .zip(weights)
        .map(|(sum, weight)| i64::from(value(sum) * value(sum) * i32::from(*weight)))
        .sum();
    let output = squares / i64::from(ONE) + i64::from(compact.biases[stack]);
    let output = (output * i64::from(compact.scale) / i64::from(ONE * OUTPUT_ONE)) as i32;
    // The last sum is no unit but a measure of progress.
    let first =
        sums.each_ref().map(|sums| sums[..width - 1].iter().map(|sum| value(sum) as u8).collect());
    Activations { stack, sums: Default::default(), first, hidden: Default::default(), output }
}

fn dense_weights(architecture: Architecture, layers: &[Dense; 3]) -> [DenseWeights; 3] {
    let shapes = architecture.layers();
    [0, 1, 2].map(|layer| {
        let (biases, rows) = if layer == 0 && architecture.is_stacked() {
            first_hidden_rows(architecture, &layers[0])
        } else {
            layers[layer].to_rows()
        };
        let (inputs, _) = shapes[layer];
        let rows = rows.chunks_exact(padded(inputs)).map(|row| &row[..inputs]);
        DenseWeights { biases: biases.to_vec(), weights: rows.flatten().copied().collect() }
    })
}

fn forward(layer: &DenseWeights, inputs: &[u8]) -> Vec<i32> {
    let rows = layer.weights.chunks_exact(inputs.len());
    let sum = |(bias, row): (&i32, &[i8])| {
        let products = row.iter().zip(inputs).map(|(w, input)| i32::from(*w) * i32::from(*input));
        products.fold(*bias, i32::wrapping_add)
    };
    layer.biases.iter().zip(rows).map(sum).collect()
}

fn clip(sum: i32) -> u8 {
    sum.clamp(0, 127) as u8
}

fn clip_all(sums: &[i32]) -> Vec<u8> {
    sums.iter().map(|sum| clip(sum >> 6)).collect()
}

#[cfg(test)]
mod tests {
    use komadai_eval::{Evaluator, scale};

    use super::*;
    use crate::evaluator::Nnue;

    #[test]
    fn plain_outputs_are_those_of_evaluations() {
        for name in [
            "halfkp_32x2-8-8",
            "kp_64x2-16-32",
            "halfkpvm_32x2-8-8",
            "halfkpe9_32x2-8-8",
            "halfka1_32x2-8-8",
            "halfkahm1_32x2-8-8",
            "ka2_32x2-8-8",
            "sfnn_halfkahm2_72_15_32_k3k3",
            "sfnn_kp_64_16_32_k9k9",
            "sfnn_ka2_192_7_64_c64_s64x2_k3k3",
            "layerstack_kp_72_8_8_x9_kingrank9_psqt",
            "layerstack_halfkahm2_64_16_32_x4_progress8kpabs",
            "compact_64x2_3",
        ] {
            let network = Network::random(name.parse().expect(name), 7);
            let inspector = Inspector::new(&network);
            let nnue = Nnue::new(network.clone());
            let handicap = Position::from_sfen(komadai_core::Handicap::SixPiece.sfen());
            let positions = scale::sample().iter().step_by(9).chain(&handicap);
            for position in positions {
                let found = inspector.activations(position, SumBits::Sixteen);
                let mut accumulator = nnue.refresh(position);
                let output = accumulator.output(&network, position);
                assert_eq!(found.output, output, "{name} {position}");
                assert_eq!(found.sums[0].len(), network.architecture().width(), "{name}");
                let wide = inspector.activations(position, SumBits::ThirtyTwo);
                assert_eq!(wide.overflows() && wide == found, found.overflows() && wide == found);
                assert!(found.overflows() || wide == found, "{name}");
                let limit = Activations::first_limit(network.architecture());
                assert!(found.first.iter().flatten().all(|value| *value <= limit), "{name}");
            }
        }
    }

    #[test]
    fn parameters_are_those_of_the_file() {
        let network = Network::random("halfkp_32x2-8-8".parse().unwrap(), 3);
        let mut file = Vec::new();
        network.write(&mut file).unwrap();
        let inspector = Inspector::new(&network);
        let [biases, weights] = inspector.first_layer();
        assert_eq!((biases.len(), weights.len()), (32, 32 * 81 * 1_548));
        let start = 16 + network.description().len();
        assert_eq!(biases[1].to_le_bytes(), file[start + 2..start + 4]);
        let [first, second, last] = &inspector.dense_layers()[0];
        assert_eq!([first, second, last].map(|layer| layer.weights.len()), [512, 64, 8]);
        let tail = &file[file.len() - 32..file.len() - 24];
        assert_eq!(last.weights.iter().map(|w| *w as u8).collect::<Vec<_>>(), tail);
    }
}
