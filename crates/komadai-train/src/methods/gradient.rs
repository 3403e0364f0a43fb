//! Sums of gradients of few weights.

use crate::linear::ActiveFeatures;

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
