//! Steps down the gradient.
//!
//! Method: D. Kingma and J. Ba, "Adam: a method for stochastic optimization", ICLR 2015, with the
//! pull towards the start taken out of the gradient (I. Loshchilov and F. Hutter, "Decoupled weight
//! decay regularization", ICLR 2019).

use crate::row::Weights;

/// The weights and what is remembered of earlier gradients.
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
        const KEPT: [f32; 2] = [0.9, 0.999];
        /// Weights that rarely count have small gradients; this keeps them from running off.
        const FLOOR: f32 = 1e-6;
        self.steps += 1;
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
