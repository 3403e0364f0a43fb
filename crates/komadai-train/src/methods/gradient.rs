//! Sums of gradients of few weights.

use komadai_nnue::linear::{ActiveFeatures, LinearModel};

/// The sum of gradients; few of its numbers are not zero.
#[derive(Debug, Clone)]
pub(crate) struct SparseGradient {
    sums: Vec<f32>,
    is_touched: Vec<bool>,
    touched: Vec<u32>,
}

impl SparseGradient {
    pub(crate) fn new(weights: usize) -> Self {
        Self { sums: vec![0.0; weights], is_touched: vec![false; weights], touched: Vec::new() }
    }

    /// Adds the gradient of a position's value, times `factor`.
    pub(crate) fn add(&mut self, active: &ActiveFeatures, factor: f32) {
        for (indices, factor) in [(&active.plus, factor), (&active.minus, -factor)] {
            for index in indices {
                let at = *index as usize;
                self.sums[at] += factor;
                if !self.is_touched[at] {
                    self.is_touched[at] = true;
                    self.touched.push(*index);
                }
            }
        }
    }

    /// Returns the sum of a weight, and forgets it.
    pub(crate) fn take(&mut self, index: usize) -> f32 {
        std::mem::take(&mut self.sums[index])
    }

    /// Calls `visit` with every weight and its sum, and forgets them. Returns the weights.
    pub(crate) fn drain(&mut self, mut visit: impl FnMut(usize, f32)) -> Vec<u32> {
        let touched = std::mem::take(&mut self.touched);
        for index in &touched {
            let at = *index as usize;
            visit(at, self.sums[at]);
            self.sums[at] = 0.0;
            self.is_touched[at] = false;
        }
        touched
    }

    #[cfg(test)]
    pub(crate) fn sum(&self, index: usize) -> f32 {
        self.sums[index]
    }
}

/// Adagrad: each weight has a rate of its own, which falls with the sum of its squared gradients,
/// so that rare features learn as fast as frequent ones. With a pull of weights to zero (L1) on
/// request.
///
/// Source: J. Duchi, E. Hazan, Y. Singer, "Adaptive subgradient methods for online learning and
/// stochastic optimization", JMLR 12, 2011.
#[derive(Debug, Clone)]
pub(crate) struct Adagrad {
    squares: Vec<f32>,
    /// Centipawns of the first step.
    rate: f32,
    /// The pull to zero of a touched weight, as a gradient.
    l1: f32,
}

/// The sum of squares at the start, small beside any gradient.
const START: f32 = 1e-12;

impl Adagrad {
    pub(crate) fn new(weights: usize, rate: f32, l1: f32) -> Self {
        Self { squares: vec![START; weights], rate, l1 }
    }

    #[inline]
    fn step(&mut self, weight: &mut f32, at: usize, gradient: f32) {
        self.squares[at] += gradient * gradient;
        let rate = self.rate / self.squares[at].sqrt();
        let moved = *weight - rate * gradient;
        // The pull ends at zero and never crosses it, so that weights without use become exactly
        // zero.
        let pull = rate * self.l1;
        *weight = moved.signum() * (moved.abs() - pull).max(0.0);
    }

    /// Takes a step against the gradient of a single position's value, times `factor`.
    #[inline]
    pub(crate) fn step_one(
        &mut self,
        model: &mut LinearModel,
        active: &ActiveFeatures,
        factor: f32,
    ) {
        let weights = model.weights_mut();
        for (indices, factor) in [(&active.plus, factor), (&active.minus, -factor)] {
            for index in indices {
                let at = *index as usize;
                self.step(&mut weights[at], at, factor);
            }
        }
    }

    /// Takes a step against a sum of gradients, times `scale`, and empties the sum. Returns the
    /// changed weights.
    pub(crate) fn step_all(
        &mut self,
        model: &mut LinearModel,
        gradient: &mut SparseGradient,
        scale: f32,
    ) -> Vec<u32> {
        let weights = model.weights_mut();
        gradient.drain(|at, sum| {
            if sum != 0.0 {
                self.step(&mut weights[at], at, scale * sum);
            }
        })
    }
}
