//! Networks with weights made from a seed.

use komadai_core::SplitMix64;

use crate::aligned::Aligned;
use crate::architecture::{Architecture, padded};
use crate::dense::Dense;
use crate::network::{Network, Parameters};

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

/// The distributions of biases and weights of each layer.
fn spreads(architecture: Architecture) -> [Spread; 8] {
    // The more inputs a layer has, the smaller are its weights, so that the sums stay as large.
    let weights = |scale: f64, usual: usize, inputs: usize, shift| {
        spread(0, (scale * (usual as f64 / inputs as f64).sqrt()).round() as i32, shift)
    };
    let [first, second] = architecture.hidden();
    [
        spread(48, 80, 9),
        spread(0, 40, 9),
        spread(0, 8, 0),
        weights(22.0, 512, 2 * architecture.width(), 10),
        spread(0, 8, 0),
        weights(104.0, 8, first, 9),
        spread(0, 4, 0),
        weights(104.0, 32, second, 9),
    ]
}

/// A stream of parameters.
struct Stream(SplitMix64);

impl Stream {
    fn next(&mut self, spread: Spread) -> i32 {
        let bytes = self.0.next_u64().to_le_bytes();
        let sum: i32 = bytes[..4].iter().map(|byte| i32::from(*byte)).sum();
        let round = (1 << spread.shift) >> 1;
        spread.base + (((sum - 510) * spread.scale + round) >> spread.shift)
    }

    fn dense(&mut self, (inputs, outputs): (usize, usize), spreads: &[Spread]) -> Dense {
        let biases: Vec<i32> = (0..outputs).map(|_| self.next(spreads[0])).collect();
        let mut rows = vec![0; outputs * padded(inputs)];
        for row in rows.chunks_exact_mut(padded(inputs)) {
            // The padding takes its numbers, too, but stays zero.
            for (at, weight) in row.iter_mut().enumerate() {
                let number = self.next(spreads[1]) as i8;
                *weight = if at < inputs { number } else { 0 };
            }
        }
        Dense::from_rows(inputs, &biases, &rows)
    }
}

impl Network {
    /// Makes a network whose weights are functions of a seed and of their places in the file, with outputs
    /// as large as those of real networks: for tests and measurements without a file.
    #[must_use]
    pub fn random(architecture: Architecture, seed: u64) -> Self {
        let spreads = spreads(architecture);
        let mut stream = Stream(SplitMix64::new(seed));
        let width = architecture.width();
        let mut first = |len, spread| {
            let mut numbers = Aligned::zeroed(len);
            numbers.iter_mut().for_each(|number: &mut i16| *number = stream.next(spread) as i16);
            numbers
        };
        let biases = first(width, spreads[0]);
        let weights = first(width * architecture.features().inputs(), spreads[1]);
        let [one, two, three] = architecture.layers();
        let layers = [
            stream.dense(one, &spreads[2..]),
            stream.dense(two, &spreads[4..]),
            stream.dense(three, &spreads[6..]),
        ];
        Self::from_parameters(architecture, Parameters { biases, weights, layers })
    }
}
