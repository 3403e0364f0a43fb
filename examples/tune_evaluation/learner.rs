//! Gradient descent.
//!
//! Method: D. Kingma and J. Ba, "Adam: a method for stochastic optimization", ICLR 2015, with the
//! decay towards the start decoupled from the gradient (I. Loshchilov and F. Hutter, "Decoupled
//! weight decay regularization", ICLR 2019).

use crate::weights::Weights;

/// The weights and the moving averages of the gradient and of its square.
#[derive(Debug)]
pub(crate) struct Learner {
    pub(crate) weights: Weights,
    start: Weights,
    mean: Weights,
    square: Weights,
    pub(crate) steps: usize,
}

impl Learner {
    pub(crate) fn new(start: Weights) -> Self {
        let zero = vec![[0.0; 2]; start.len()];
        Self { weights: start.clone(), start, mean: zero.clone(), square: zero, steps: 0 }
    }

    pub(crate) fn step(&mut self, gradient: &Weights, rate: f32, pull: f32) {
        /// Decay rates of the two averages: the values recommended in the paper of Adam.
        const KEPT: [f32; 2] = [0.9, 0.999];
        /// Lower bound of the divisor. Weights that rarely occur have tiny gradients; without the
        /// bound they would move at full step length.
        const FLOOR: f32 = 1e-6;
        self.steps += 1;
        // Both averages start at 0; the factors correct that bias.
        let unbiased = KEPT.map(|kept| 1.0 - kept.powi(self.steps as i32));
        let weights = self.weights.as_flattened_mut().iter_mut().zip(self.start.as_flattened());
        let moments = self.mean.as_flattened_mut().iter_mut().zip(self.square.as_flattened_mut());
        let slopes = gradient.as_flattened();
        for (((weight, start), (mean, square)), slope) in weights.zip(moments).zip(slopes) {
            *mean += (slope - *mean) * (1.0 - KEPT[0]);
            *square += (slope * slope - *square) * (1.0 - KEPT[1]);
            let direction = *mean / unbiased[0] / ((*square / unbiased[1]).sqrt() + FLOOR);
            *weight -= rate * (direction + pull * (*weight - start));
        }
    }
}
