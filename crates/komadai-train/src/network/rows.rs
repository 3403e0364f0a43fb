//! Weights in rows, and their optimizer.

use super::lanes::{LANES, Lanes};

/// The decay of the mean of gradients.
const BETA1: f32 = 0.9;

/// The decay of the mean of squared gradients.
const BETA2: f32 = 0.999;

/// A number that keeps a quotient finite. Gradients are means over a batch, and most of it does not
/// have the feature, so that they are small.
const EPSILON: f32 = 1e-8;

/// A matrix of weights with the moments of Adam for each, in rows of equal length.
///
/// Adam is lazy: a row changes only in steps in which it has a gradient, and counts these steps
/// alone (D. Kingma and J. Ba, "Adam: a method for stochastic optimization", ICLR 2015; decoupled
/// decay after I. Loshchilov and F. Hutter, "Decoupled weight decay regularization", ICLR 2019).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rows {
    pub(super) tiles: usize,
    /// `[row][tile]`.
    pub(super) weights: Vec<Lanes>,
    pub(super) means: Vec<Lanes>,
    pub(super) squares: Vec<Lanes>,
    /// `[row]`: the steps in which the row had a gradient.
    pub(super) steps: Vec<u32>,
}

/// Some neighbouring rows.
#[derive(Debug)]
pub(super) struct RowsMut<'a> {
    pub(super) tiles: usize,
    pub(super) weights: &'a mut [Lanes],
    means: &'a mut [Lanes],
    squares: &'a mut [Lanes],
    steps: &'a mut [u32],
}

/// The size of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) rate: f32,
    /// The share by which weights shrink, for a rate of 1.
    pub(super) decay: f32,
    /// The same for the weights that all zones share.
    pub(super) shared_decay: f32,
}

/// The size of a step for one row.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowStep {
    rate: f32,
    /// The factor that makes the mean of squares an unbiased one.
    square_factor: f32,
    keep: f32,
}

impl Rows {
    pub(super) fn new(weights: Vec<Lanes>, tiles: usize) -> Self {
        let (rows, zero) = (weights.len() / tiles, vec![Lanes::ZERO; weights.len()]);
        Self { tiles, weights, means: zero.clone(), squares: zero, steps: vec![0; rows] }
    }

    /// Changes all rows by their gradients.
    pub(super) fn apply(&mut self, gradients: &[Lanes], step: Step) {
        let tiles = self.tiles;
        let mut rows = self.all();
        for (row, gradients) in gradients.chunks(tiles).enumerate() {
            let step = rows.begin(row, step);
            for (tile, gradient) in gradients.iter().enumerate() {
                rows.apply(row, tile, gradient, step);
            }
        }
    }

    pub(super) fn all(&mut self) -> RowsMut<'_> {
        RowsMut {
            tiles: self.tiles,
            weights: &mut self.weights,
            means: &mut self.means,
            squares: &mut self.squares,
            steps: &mut self.steps,
        }
    }
}

impl<'a> RowsMut<'a> {
    /// Splits before a row.
    pub(super) fn split_at(self, row: usize) -> (Self, Self) {
        let (tiles, at) = (self.tiles, row * self.tiles);
        let (weights, other_weights) = self.weights.split_at_mut(at);
        let (means, other_means) = self.means.split_at_mut(at);
        let (squares, other_squares) = self.squares.split_at_mut(at);
        let (steps, other_steps) = self.steps.split_at_mut(row);
        let other = Self {
            tiles,
            weights: other_weights,
            means: other_means,
            squares: other_squares,
            steps: other_steps,
        };
        (Self { tiles, weights, means, squares, steps }, other)
    }

    /// Begins the step of a row that has a gradient.
    pub(super) fn begin(&mut self, row: usize, step: Step) -> RowStep {
        self.steps[row] = self.steps[row].saturating_add(1);
        let count = self.steps[row].min(i32::MAX as u32) as i32;
        RowStep {
            rate: step.rate / (1.0 - BETA1.powi(count)),
            square_factor: 1.0 / (1.0 - BETA2.powi(count)),
            keep: 1.0 - step.rate * step.decay,
        }
    }

    /// Changes a part of a row by its gradient.
    #[inline(never)]
    pub(super) fn apply(&mut self, row: usize, tile: usize, gradient: &Lanes, step: RowStep) {
        let at = row * self.tiles + tile;
        let weights = &mut self.weights[at].0;
        let (means, squares) = (&mut self.means[at].0, &mut self.squares[at].0);
        for lane in 0..LANES {
            let gradient = gradient.0[lane];
            means[lane] = BETA1 * means[lane] + (1.0 - BETA1) * gradient;
            squares[lane] = BETA2 * squares[lane] + (1.0 - BETA2) * (gradient * gradient);
            let size = (squares[lane] * step.square_factor).sqrt() + EPSILON;
            weights[lane] = weights[lane] * step.keep - step.rate * means[lane] / size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adam_is_that_of_the_paper() {
        let mut rows = Rows::new(vec![Lanes([0.5; LANES]); 2], 1);
        let (mut weight, mut mean, mut square) = (0.5_f64, 0.0, 0.0);
        for count in 1..=50 {
            let gradient = f64::from(count).sin() * 1e-3;
            let step = Step { rate: 1e-2, decay: 0.1, shared_decay: 0.0 };
            let mut all = rows.all();
            let row_step = all.begin(1, step);
            all.apply(1, 0, &Lanes([gradient as f32; LANES]), row_step);
            mean = 0.9 * mean + 0.1 * gradient;
            square = 0.999 * square + 0.001 * gradient * gradient;
            let (m, v) =
                (mean / (1.0 - 0.9_f64.powi(count)), square / (1.0 - 0.999_f64.powi(count)));
            weight = weight * (1.0 - 1e-3) - 1e-2 * m / (v.sqrt() + 1e-8);
            assert!((f64::from(rows.weights[1].0[7]) - weight).abs() < 1e-5, "{count}");
        }
        assert_eq!(rows.weights[0], Lanes([0.5; LANES]));
        assert_eq!(rows.steps, [0, 50]);
    }
}
