//! A list of numbers of a fixed length, filled one after another.

/// The numbers of a set of features.
#[derive(Debug)]
pub(super) struct Numbers<const N: usize> {
    values: [f32; N],
    filled: usize,
}

impl<const N: usize> Numbers<N> {
    pub(super) const fn new() -> Self {
        Self { values: [0.0; N], filled: 0 }
    }

    #[inline]
    pub(super) fn push(&mut self, value: f32) {
        if let Some(next) = self.values.get_mut(self.filled) {
            *next = value;
        }
        self.filled += 1;
    }

    pub(super) fn count(&mut self, count: u32) {
        self.push(count as f32);
    }

    pub(super) fn flag(&mut self, is_true: bool) {
        self.push(f32::from(u8::from(is_true)));
    }

    /// Adds several truth values with one check of the length.
    #[inline]
    fn flags<const K: usize>(&mut self, flags: [bool; K]) {
        let next = self.values.get_mut(self.filled..).and_then(|rest| rest.first_chunk_mut());
        if let Some(next) = next {
            *next = flags.map(|is_true| f32::from(u8::from(is_true)));
        }
        self.filled += K;
    }

    /// Adds for each of some values whether `value` is that one.
    pub(super) fn one_of<const K: usize>(&mut self, value: u32, values: [u32; K]) {
        self.flags(values.map(|one| value == one));
    }

    /// Adds the same for a value that may be absent.
    pub(super) fn least<const K: usize>(&mut self, value: Option<u32>, values: [u32; K]) {
        self.flags(values.map(|one| value == Some(one)));
    }

    /// Adds for each of some values whether `value` is at least that one.
    pub(super) fn at_least<const K: usize>(&mut self, value: u32, values: [u32; K]) {
        self.flags(values.map(|one| value >= one));
    }

    /// Returns the numbers.
    pub(super) fn values(&self) -> &[f32; N] {
        debug_assert_eq!(self.filled, N, "every feature is filled");
        &self.values
    }
}

/// Returns the sum of the products of two lists.
///
/// Eight sums are kept, so that a processor adds them side by side; their order is fixed, so that
/// the result is the same on every machine.
pub(super) fn product<const N: usize>(values: &[f32; N], weights: &[f32; N]) -> f32 {
    let mut sums = [0.0_f32; 8];
    for (values, weights) in values.chunks(8).zip(weights.chunks(8)) {
        for ((sum, value), weight) in sums.iter_mut().zip(values).zip(weights) {
            *sum += value * weight;
        }
    }
    sums.iter().sum()
}
