//! A list of numbers of a fixed length, filled one after another.

use komadai_core::Bitboard;

use super::surroundings::near_len;

/// The numbers of a set of features, being filled in.
///
/// A borrowed list, so that a function that creates and fills this knows where each number goes
/// when it is compiled, without a check of the length.
#[derive(Debug)]
pub(crate) struct Numbers<'v, const N: usize> {
    values: &'v mut [f32; N],
    filled: usize,
}

impl<'v, const N: usize> Numbers<'v, N> {
    pub(crate) const fn new(values: &'v mut [f32; N]) -> Self {
        Self { values, filled: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, value: f32) {
        if let Some(next) = self.values.get_mut(self.filled) {
            *next = value;
        }
        self.filled += 1;
    }

    pub(crate) fn count(&mut self, count: u32) {
        self.push(count as f32);
    }

    /// Adds the sizes of several sets of squares, each as [`near_len`] counts them.
    #[inline]
    pub(crate) fn sizes<const K: usize>(&mut self, sets: [Bitboard; K]) {
        self.numbers(sets.map(|set| near_len(set) as f32));
    }

    pub(crate) fn flag(&mut self, is_true: bool) {
        self.push(f32::from(u8::from(is_true)));
    }

    /// Adds several truth values.
    #[inline]
    fn flags<const K: usize>(&mut self, flags: [bool; K]) {
        self.numbers(flags.map(|is_true| f32::from(u8::from(is_true))));
    }

    /// Adds several numbers with one check of the length.
    #[inline]
    fn numbers<const K: usize>(&mut self, numbers: [f32; K]) {
        let next = self.values.get_mut(self.filled..).and_then(|rest| rest.first_chunk_mut());
        if let Some(next) = next {
            *next = numbers;
        }
        self.filled += K;
    }

    /// Adds for each of some values whether `value` is that one.
    pub(crate) fn one_of<const K: usize>(&mut self, value: u32, values: [u32; K]) {
        self.flags(values.map(|one| value == one));
    }

    /// Adds the same for a value that may be absent.
    pub(crate) fn least<const K: usize>(&mut self, value: Option<u32>, values: [u32; K]) {
        self.flags(values.map(|one| value == Some(one)));
    }

    /// Adds for each of some values whether `value` is at least that one.
    pub(crate) fn at_least<const K: usize>(&mut self, value: u32, values: [u32; K]) {
        self.flags(values.map(|one| value >= one));
    }

    /// Ends the list, which is full.
    pub(crate) fn finish(self) {
        debug_assert_eq!(self.filled, N, "every feature is filled");
    }
}

/// Returns the sum of the products of two lists.
///
/// Eight sums are kept, so that a processor adds them side by side; their order is fixed, so that
/// the result is the same on every machine.
pub(crate) fn product<const N: usize>(values: &[f32; N], weights: &[f32; N]) -> f32 {
    let mut sums = [0.0_f32; 8];
    for (values, weights) in values.chunks(8).zip(weights.chunks(8)) {
        for ((sum, value), weight) in sums.iter_mut().zip(values).zip(weights) {
            *sum += value * weight;
        }
    }
    sums.iter().sum()
}
