//! The expected result of a game, as the trainer aims at it, and the loss.

use super::options::TrainingOptions;
use super::sample::Sample;

/// The target of a position: the expected result that its score means, mixed with the result of its
/// game.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    /// The share of the game's result.
    pub(super) result_share: f32,
    /// Centipawns of a logit of 1.0.
    pub(super) score_scale: f32,
}

impl Target {
    pub(super) fn of_options(options: &TrainingOptions) -> Self {
        Self { result_share: options.result_share, score_scale: options.score_scale }
    }

    #[inline]
    pub(super) fn of(self, sample: &Sample) -> f32 {
        let score = sigmoid(self.logit(sample.score()));
        score + self.result_share * (sample.result() - score)
    }

    /// The logit of centipawns.
    #[inline]
    pub(super) fn logit(self, score: i32) -> f32 {
        score as f32 / self.score_scale
    }

    /// The mean loss of the base.
    pub(super) fn base_loss(self, samples: &[Sample]) -> f64 {
        let loss = |sample: &Sample| excess(self.logit(sample.base()), self.of(sample));
        samples.iter().map(loss).sum::<f64>() / samples.len().max(1) as f64
    }
}

/// The expected result of a score: `1 / (1 + exp(-logit))`, with the same bits on every machine.
#[inline]
pub(crate) fn sigmoid(logit: f32) -> f32 {
    let e = exp(-f64::from(logit.abs()));
    let small = e / (1.0 + e);
    (if logit < 0.0 { small } else { 1.0 - small }) as f32
}

/// The exponential function of a number that is not positive, by its power series.
///
/// The function of the standard library calls that of the system, whose last bits differ.
#[inline]
fn exp(x: f64) -> f64 {
    if x < -700.0 {
        return 0.0;
    }
    // x = n · ln 2 + rest, with the rest in ±0.35; the magic number rounds to an integer.
    let magic = 6_755_399_441_055_744.0;
    let n = (x * std::f64::consts::LOG2_E + magic) - magic;
    let rest = (x - n * 0.693_147_180_369_123_8) - n * 1.908_214_929_270_587_7e-10;
    let series = (1..=11).rev().fold(1.0, |sum, term| 1.0 + rest * sum / f64::from(term));
    series * f64::from_bits(((1_023 + n as i64) as u64) << 52)
}

/// The cross-entropy of the prediction with this logit, in excess of the entropy of the target: 0
/// for a perfect prediction.
pub(crate) fn excess(logit: f32, target: f32) -> f64 {
    let (x, t) = (f64::from(logit), f64::from(target));
    let cross = x.max(0.0) + (-x.abs()).exp().ln_1p() - t * x;
    cross - entropy(t)
}

fn entropy(t: f64) -> f64 {
    let part = |p: f64| if p > 0.0 { -p * p.ln() } else { 0.0 };
    part(t) + part(1.0 - t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sigmoid_is_that_of_the_library() {
        for step in -4_000..=4_000 {
            let x = step as f32 / 50.0;
            let expected = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!((f64::from(sigmoid(x)) - expected).abs() < 1e-7, "{x}");
            let e = f64::from(-x.abs()).exp();
            assert!((exp(f64::from(-x.abs())) / e - 1.0).abs() < 1e-13, "{x}");
        }
        assert_eq!([sigmoid(f32::NEG_INFINITY), sigmoid(f32::INFINITY)], [0.0, 1.0]);
    }

    #[test]
    fn the_loss_is_least_at_the_target() {
        for target in [0.0, 0.1, 0.5, 0.9, 1.0] {
            let at = |p: f64| excess((p / (1.0 - p)).ln() as f32, target);
            let best = f64::from(target).clamp(1e-6, 1.0 - 1e-6);
            assert!(at(best).abs() < 1e-5, "{target}: {}", at(best));
            assert!(at((best + 0.2).min(0.999)) > at(best) || best > 0.99);
            assert!(at((best - 0.2).max(0.001)) > at(best) || best < 0.01);
        }
    }
}
