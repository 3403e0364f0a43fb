//! The fit of a softmax by Adam.

use komadai_core::SplitMix64;
use komadai_movegen::MoveGen as _;
use komadai_search::SoftmaxMoves;
use rayon::prelude::*;

use crate::moves::move_set::Choice;

/// The conditions of a fit.
///
/// # Examples
///
/// ```
/// use komadai_train::moves::MoveFitOptions;
///
/// let options = MoveFitOptions { epochs: 2, ..MoveFitOptions::default() };
/// assert!(options.rate > 0.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MoveFitOptions {
    /// Number of passes over all positions.
    pub epochs: u32,
    /// Positions per step.
    pub batch: usize,
    /// The step size at the start, which falls to zero.
    pub rate: f32,
    /// The share of each weight that a step of size 1 takes away.
    pub decay: f32,
    /// The seed of the order of positions.
    pub seed: u64,
}

impl Default for MoveFitOptions {
    /// Returns the options of the bundled model.
    fn default() -> Self {
        Self { epochs: 3, batch: 256, rate: 0.006, decay: 0.01, seed: 1 }
    }
}

/// Fits the weights of a [`SoftmaxMoves`] so that the best moves are as probable as possible.
///
/// The method is Adam (D. Kingma and J. Ba, "Adam: a method for stochastic optimization", ICLR 2015) with
/// decoupled weight decay (I. Loshchilov and F. Hutter, "Decoupled weight decay regularization", ICLR 2019). The
/// number of threads does not change the result.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_train::moves::{MoveFitOptions, MoveFitter, MoveSet};
///
/// let mut set = MoveSet::new();
/// let moves = ["7g7f".parse()?, "3c3d".parse()?, "8h2b+".parse()?, "3a2b".parse()?];
/// set.add_game(&Position::hirate(), &moves)?;
/// let mut fitter = MoveFitter::new(MoveFitOptions::default());
/// let before = fitter.pass(set.training());
/// assert!(fitter.pass(set.training()) < before);
/// assert_ne!(fitter.model(), Default::default());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct MoveFitter {
    options: MoveFitOptions,
    adam: Adam,
    passes: u32,
}

impl MoveFitter {
    /// Returns a fitter whose weights are zero.
    pub fn new(options: MoveFitOptions) -> Self {
        Self { adam: Adam::new(SoftmaxMoves::COUNT), options, passes: 0 }
    }

    /// Makes one of the [`epochs`](MoveFitOptions::epochs), and returns the mean loss in it: minus
    /// the logarithm of the probability of the best move.
    pub fn pass(&mut self, choices: &[Choice]) -> f64 {
        let order = order(choices.len(), self.options.seed ^ u64::from(self.passes));
        let batches = choices.len().div_ceil(self.options.batch.max(1)) as f32;
        let (mut loss, mut count) = (0.0, 0_u64);
        for (number, batch) in order.chunks(self.options.batch.max(1)).enumerate() {
            let done = (self.passes as f32 + number as f32 / batches) / self.options.epochs as f32;
            let weights = &self.adam.weights;
            let samples: Vec<(Sample, Vec<f32>)> = batch
                .par_iter()
                .filter_map(|&index| {
                    let sample = sample(&choices[index as usize])?;
                    let probabilities = sample.probabilities(weights);
                    Some((sample, probabilities))
                })
                .collect();
            self.adam.gradient.fill(0.0);
            for (sample, probabilities) in &samples {
                loss += sample.add_gradient(probabilities, &mut self.adam.gradient);
            }
            count += samples.len() as u64;
            let rate = self.options.rate * (1.0 - done).max(0.0);
            self.adam.step(samples.len(), rate, self.options.decay);
        }
        self.passes += 1;
        loss / count.max(1) as f64
    }

    /// Returns the model with the weights so far.
    pub fn model(&self) -> SoftmaxMoves {
        SoftmaxMoves::new(&self.adam.weights).unwrap_or_default()
    }
}

/// Returns the features of the legal moves of a position; `None` if there is no choice.
fn sample(choice: &Choice) -> Option<Sample> {
    let position = choice.position().ok()?;
    let moves = position.legal_moves();
    let chosen = moves.iter().position(|&m| m == choice.best())?;
    let mut sample = Sample::new(chosen);
    SoftmaxMoves::features(&position, &moves, |index, feature| sample.add(index, feature as u32));
    (moves.len() > 1).then_some(sample)
}

/// Returns the numbers below `count` in a random order.
fn order(count: usize, seed: u64) -> Vec<u32> {
    let mut random = SplitMix64::new(SplitMix64::mix(seed));
    let mut order: Vec<u32> = (0..count as u32).collect();
    for last in (1..count).rev() {
        order.swap(last, random.below(last as u64 + 1) as usize);
    }
    order
}

/// Weights with the moments of their gradients.
#[derive(Debug, Clone)]
pub(super) struct Adam {
    pub(super) weights: Vec<f32>,
    pub(super) gradient: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    // The decay rates are those of the paper.
    const FIRST: f32 = 0.9;
    const SECOND: f32 = 0.999;

    pub(super) fn new(count: usize) -> Self {
        let zeros = || vec![0.0; count];
        Self { weights: zeros(), gradient: zeros(), mean: zeros(), square: zeros(), steps: 0 }
    }

    /// Changes the weights by the gradient, a sum over this many samples.
    pub(super) fn step(&mut self, samples: usize, rate: f32, decay: f32) {
        self.steps += 1;
        let scale = 1.0 / samples.max(1) as f32;
        let grown = |decay: f32| 1.0 / (1.0 - decay.powi(self.steps));
        let (first, second) = (grown(Self::FIRST), grown(Self::SECOND));
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, slope), (mean, square)) in
            self.weights.iter_mut().zip(&self.gradient).zip(moments)
        {
            let slope = slope * scale;
            *mean += (1.0 - Self::FIRST) * (slope - *mean);
            *square += (1.0 - Self::SECOND) * (slope * slope - *square);
            let size = (*square * second).sqrt() + 1e-8;
            *weight -= rate * (*mean * first / size + decay * *weight);
        }
    }
}

/// The features of the candidates of a position, one after another, and the one that was chosen.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sample {
    features: Vec<u32>,
    /// For each candidate the end of its features.
    ends: Vec<u32>,
    chosen: usize,
}

impl Sample {
    pub(super) fn new(chosen: usize) -> Self {
        Self { features: Vec::new(), ends: Vec::new(), chosen }
    }

    /// Adds a feature to a candidate, which is the last one or the next.
    pub(super) fn add(&mut self, candidate: usize, feature: u32) {
        self.features.push(feature);
        self.ends.resize(candidate + 1, 0);
        self.ends[candidate] = self.features.len() as u32;
    }

    fn candidates(&self) -> impl Iterator<Item = &[u32]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let features = &self.features[start..end as usize];
            start = end as usize;
            features
        })
    }

    /// Returns the probabilities of the candidates.
    pub(super) fn probabilities(&self, weights: &[f32]) -> Vec<f32> {
        let score = |features: &[u32]| features.iter().map(|&f| weights[f as usize]).sum();
        let mut scores: Vec<f32> = self.candidates().map(score).collect();
        let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        scores.iter_mut().for_each(|score| *score = (*score - most).exp());
        let sum: f32 = scores.iter().sum();
        scores.iter_mut().for_each(|score| *score /= sum);
        scores
    }

    /// Adds the gradient of the loss to `gradient`, and returns the loss: minus the logarithm of
    /// the probability of the chosen candidate.
    pub(super) fn add_gradient(&self, probabilities: &[f32], gradient: &mut [f32]) -> f64 {
        for (index, (features, &probability)) in self.candidates().zip(probabilities).enumerate() {
            let slope = if index == self.chosen { probability - 1.0 } else { probability };
            for &feature in features {
                gradient[feature as usize] += slope;
            }
        }
        let chosen = probabilities.get(self.chosen).copied().unwrap_or(0.0);
        -f64::from(chosen.max(f32::MIN_POSITIVE)).ln()
    }
}
