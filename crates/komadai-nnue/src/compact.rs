//! Compact networks: one hidden layer beside another evaluation.

mod base;
mod base_state;

pub use base::CompactBase;
pub(crate) use base_state::{BaseEvaluator, BaseState};

use crate::aligned::Aligned;
use crate::feature_set::FeatureSet;
use crate::kernels::{Kernel, Set, square_dot};

/// The largest sum of the first layer that counts: the value 1.0 of an activation.
pub(crate) const ONE: i32 = 255;

/// The value 1.0 of an output weight.
pub(crate) const OUTPUT_ONE: i32 = 64;

/// The output layer of a compact network, one for each class of progress.
#[derive(Debug, Clone)]
pub(crate) struct Compact {
    pub(crate) base: CompactBase,
    /// The least progress of each class but the first, in ascending order.
    pub(crate) thresholds: Vec<i32>,
    /// `[class][view][activation]`, of the side to move first; at most 127 in size.
    pub(crate) weights: Aligned<i16>,
    /// `[class]`, in units of 1 / (255 · 64).
    pub(crate) biases: Vec<i32>,
    /// The centipawns of an output of 1.0.
    pub(crate) scale: i32,
}

impl Compact {
    /// Returns whether no weights of this size let a sum overflow.
    pub(crate) fn is_bounded(&self, width: usize) -> bool {
        let fits = |class: &[i16], bias: &i32| {
            let most: i64 = class.iter().map(|weight| i64::from(weight.unsigned_abs())).sum();
            let most = most * i64::from(ONE * ONE) + i64::from(bias.unsigned_abs());
            most <= i64::from(i32::MAX)
        };
        self.weights.iter().all(|weight| weight.unsigned_abs() <= 127)
            && self
                .weights
                .chunks(2 * width)
                .zip(&self.biases)
                .all(|(class, bias)| fits(class, bias))
    }
}

/// The evaluation of a network without its base, for the side to move in centipawns.
pub(crate) struct CompactOutput<'a> {
    pub(crate) compact: &'a Compact,
    /// The sums of the first layer, those of the side to move first.
    pub(crate) sums: [&'a [i16]; 2],
}

impl Kernel for CompactOutput<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Set>(self, set: S) -> i32 {
        let (compact, [own, other]) = (self.compact, self.sums);
        let width = own.len();
        // The last sum is no activation but a linear model of progress.
        let progress = i32::from(own[width - 1]) + i32::from(other[width - 1]);
        let class = compact.thresholds.iter().filter(|least| progress >= **least).count();
        let weights = &compact.weights[2 * width * class..][..2 * width];
        let (own_weights, other_weights) = weights.split_at(width);
        let squares = square_dot(set, own, own_weights) + square_dot(set, other, other_weights);
        let output = i64::from(squares / ONE + compact.biases[class]);
        (output * i64::from(compact.scale) / i64::from(ONE * OUTPUT_ONE)) as i32
    }
}

/// The pieces that are features of a position at once.
pub(crate) const PIECES: usize = 38;

/// Returns whether no position can let a sum of the first layer overflow: for each zone of the king
/// and each output, the largest weights that can be active at once fit.
pub(crate) fn is_first_layer_bounded(biases: &[i16], weights: &[i16]) -> bool {
    let width = biases.len();
    let zone_len = weights.len() / FeatureSet::ZoneKp.king_buckets();
    weights.chunks(zone_len).all(|zone| {
        (0..width).all(|output| {
            let column = zone[output..].iter().step_by(width);
            let mut sizes: Vec<u16> = column.map(|weight| weight.unsigned_abs()).collect();
            let (largest, ..) = sizes.select_nth_unstable_by(PIECES, |a, b| b.cmp(a));
            let most: u32 = largest.iter().map(|size| u32::from(*size)).sum();
            most + u32::from(biases[output].unsigned_abs()) <= i16::MAX as u32
        })
    })
}
