//! Vectors of numbers that the compiler keeps in registers.

use komadai_core::SplitMix64;

/// The numbers of a [`Lanes`].
pub(super) const LANES: usize = 32;

/// Some neighbouring outputs of a layer. Rows of weights consist of these, so that every inner loop
/// has a fixed length and needs no check of bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub(super) struct Lanes(pub(super) [f32; LANES]);

impl Lanes {
    pub(super) const ZERO: Self = Self([0.0; LANES]);

    #[inline(never)]
    pub(super) fn add(&mut self, other: &Self) {
        for lane in 0..LANES {
            self.0[lane] += other.0[lane];
        }
    }

    /// Adds four others.
    ///
    /// Without a call of its own the compiler keeps single sums in registers instead of vectors.
    #[inline(never)]
    pub(super) fn add_four(&mut self, others: [&Self; 4]) {
        let [a, b, c, d] = others;
        for lane in 0..LANES {
            self.0[lane] += (a.0[lane] + b.0[lane]) + (c.0[lane] + d.0[lane]);
        }
    }

    /// Adds the product of a number with another.
    #[inline(always)]
    pub(super) fn add_product(&mut self, factor: f32, other: &Self) {
        for lane in 0..LANES {
            self.0[lane] += factor * other.0[lane];
        }
    }

    /// The sum of the products with another's numbers, always in the same order.
    #[inline(always)]
    pub(super) fn product(&self, other: &Self) -> f32 {
        let mut products = Self::ZERO;
        for lane in 0..LANES {
            products.0[lane] = self.0[lane] * other.0[lane];
        }
        products.total()
    }

    /// The sum of the numbers, always in the same order.
    #[inline(always)]
    pub(super) fn total(&self) -> f32 {
        let mut sums = self.0;
        let mut half = LANES / 2;
        while half > 0 {
            for lane in 0..half {
                sums[lane] += sums[lane + half];
            }
            half /= 2;
        }
        sums[0]
    }
}

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
