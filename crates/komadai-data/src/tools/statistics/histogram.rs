//! Counts of numbers in bins of equal width.

use serde::Serialize;

/// Counts of whole numbers in bins of equal width.
///
/// # Examples
///
/// ```
/// use komadai_data::tools::Histogram;
///
/// let mut lengths = Histogram::new(10);
/// [3, 12, 19, -1].into_iter().for_each(|length| lengths.add(length));
/// assert_eq!((lengths.start(), lengths.counts()), (-10, &[1, 1, 2][..]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Histogram {
    width: i64,
    start: i64,
    counts: Vec<u64>,
}

impl Histogram {
    /// Returns an empty histogram with bins of this width.
    pub fn new(width: i64) -> Self {
        Self { width: width.max(1), start: 0, counts: Vec::new() }
    }

    /// Counts a number. The numbers must not be far from each other: every bin between two of them
    /// takes memory.
    pub fn add(&mut self, number: i64) {
        self.add_many(number, 1);
    }

    /// Counts a number several times.
    pub fn add_many(&mut self, number: i64, times: u64) {
        let bin = number.div_euclid(self.width) * self.width;
        if self.counts.is_empty() {
            self.start = bin;
        }
        if bin < self.start {
            let missing = ((self.start - bin) / self.width) as usize;
            self.counts.splice(..0, std::iter::repeat_n(0, missing));
            self.start = bin;
        }
        let index = ((bin - self.start) / self.width) as usize;
        if index >= self.counts.len() {
            self.counts.resize(index + 1, 0);
        }
        self.counts[index] += times;
    }

    /// Returns the least number of the first bin.
    pub fn start(&self) -> i64 {
        self.start
    }

    /// Returns the width of a bin.
    pub fn width(&self) -> i64 {
        self.width
    }

    /// Returns the count of each bin.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }
}
