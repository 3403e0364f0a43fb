//! Gradient descent.
//!
//! Method: D. Kingma and J. Ba, "Adam: a method for stochastic optimization", ICLR 2015, with the
//! decay of the variables as a part of the gradient: a decoupled decay would not shrink a weight by
//! the amount of its evidence.

use komadai::eval::{Group, PARAMETER_COUNT};

use crate::tune_evaluation::factors::Factors;
use crate::tune_evaluation::row::Weights;

/// The variables of the fit, and the moving averages of the gradient and of its square.
///
/// The variables are the factors and the weights' own parts, each as a mean and a change: the
/// value at the middle of a phase, and half of the change from its start to its end. A weight that
/// is met at one end of a phase only has the same value at the other.
#[derive(Debug)]
pub(crate) struct Learner {
    /// The weights, as the evaluation uses them.
    pub(crate) weights: Weights,
    factors: Factors,
    start: Weights,
    /// Own parts, then factors: `[mean, change]`.
    variables: Vec<[f32; 2]>,
    mean: Vec<[f32; 2]>,
    square: Vec<[f32; 2]>,
    /// Strength of the pull to zero, for each variable.
    decay: Vec<[f32; 2]>,
    /// The weights that change.
    free: Vec<usize>,
    steps: usize,
}

impl Learner {
    /// Creates a learner. `pull` is the pull on a weight's own part that holds the balance of one
    /// sample's evidence; `visits` is the number of samples that contain each weight. The weights
    /// of the `frozen` groups stay as they are.
    pub(crate) fn new(start: Weights, pull: &Pull, visits: &[u32], frozen: &[Group]) -> Self {
        let factors = Factors::new();
        let is_free = |&index: &usize| !frozen.contains(&Group::of(index));
        let zero = vec![[0.0; 2]; start.len() + factors.count];
        let mut decay: Vec<_> = (0..start.len())
            .map(|index| {
                // A weight without factors has nothing to shrink to but its start.
                match factors.of(index) {
                    [] => [pull.factor, pull.factor * CHANGE],
                    _ if visits[index] < FEW => [f32::INFINITY; 2],
                    _ => [pull.own, pull.own * CHANGE],
                }
            })
            .collect();
        decay.resize(zero.len(), [pull.factor, pull.factor * CHANGE]);
        Self {
            weights: start.clone(),
            factors,
            start,
            variables: zero.clone(),
            mean: zero.clone(),
            square: zero,
            decay,
            free: (0..PARAMETER_COUNT).filter(is_free).collect(),
            steps: 0,
        }
    }

    /// Moves the variables against the gradient of the weights.
    pub(crate) fn step(&mut self, gradient: &Weights, rate: f32) {
        /// Decay rates of the two averages: the values recommended in the paper of Adam.
        const KEPT: [f32; 2] = [0.9, 0.999];
        /// Lower bound of the divisor.
        const FLOOR: f32 = 1e-9;
        self.steps += 1;
        // Both averages start at 0; the factors correct that bias.
        let unbiased = KEPT.map(|kept| 1.0 - kept.powi(self.steps as i32));
        let slopes = self.slopes(gradient);
        let variables = self.variables.as_flattened_mut().iter_mut().zip(slopes.as_flattened());
        let moments = self.mean.as_flattened_mut().iter_mut().zip(self.square.as_flattened_mut());
        let decay = self.decay.as_flattened();
        for (((variable, slope), (mean, square)), decay) in variables.zip(moments).zip(decay) {
            if decay.is_infinite() {
                continue;
            }
            let slope = slope + decay * *variable;
            *mean += (slope - *mean) * (1.0 - KEPT[0]);
            *square += (slope * slope - *square) * (1.0 - KEPT[1]);
            *variable -= rate * *mean / unbiased[0] / ((*square / unbiased[1]).sqrt() + FLOOR);
        }
        self.sum();
    }

    /// The number of steps done.
    pub(crate) fn steps(&self) -> usize {
        self.steps
    }

    /// The gradient of the variables.
    fn slopes(&self, gradient: &Weights) -> Vec<[f32; 2]> {
        let mut slopes = vec![[0.0f32; 2]; self.variables.len()];
        for &index in &self.free {
            let [early, late] = gradient[index];
            let slope = [early + late, late - early];
            let factors = self.factors.of(index).iter().map(|factor| PARAMETER_COUNT + factor);
            for place in factors.chain([index]) {
                for (sum, part) in slopes[place].iter_mut().zip(slope) {
                    *sum += part;
                }
            }
        }
        slopes
    }

    /// Computes the weights from the variables.
    fn sum(&mut self) {
        for &index in &self.free {
            let factors = self.factors.of(index).iter().map(|factor| PARAMETER_COUNT + factor);
            let [mut mean, mut change] = [0.0; 2];
            for place in factors.chain([index]) {
                mean += self.variables[place][0];
                change += self.variables[place][1];
            }
            let [early, late] = self.start[index];
            self.weights[index] = [early + mean - change, late + mean + change];
        }
    }
}

/// Number of samples below which a weight has no part of its own.
const FEW: u32 = 50;

/// Strength of the pull on changes between early and late, relative to that on means.
const CHANGE: f32 = 2.0;

/// Pulls to zero, as the curvature of a quadratic penalty.
#[derive(Debug)]
pub(crate) struct Pull {
    /// On the own part of a weight.
    pub(crate) own: f32,
    /// On a factor, and on a weight without factors.
    pub(crate) factor: f32,
}
