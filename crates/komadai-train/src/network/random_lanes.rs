//! Random weights before training.

use komadai_core::SplitMix64;

use super::lanes::Lanes;

/// A stream of random weights.
#[derive(Debug)]
pub(super) struct RandomLanes(SplitMix64);

impl RandomLanes {
    pub(super) fn new(seed: u64) -> Self {
        Self(SplitMix64::new(SplitMix64::mix(seed)))
    }

    /// Returns numbers between −`size` and `size`.
    pub(super) fn lanes(&mut self, count: usize, size: f32) -> Vec<Lanes> {
        let mut number = || (self.0.next_u64() >> 40) as f32 / (1 << 23) as f32 - 1.0;
        (0..count).map(|_| Lanes(std::array::from_fn(|_| size * number()))).collect()
    }
}
