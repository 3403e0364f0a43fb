//! Serde support of results of pairs: a list of five numbers.

use super::Pentanomial;

/// The largest number of pairs that is read: with more, sums of points overflow.
const MAX_PAIRS: u64 = u64::MAX / 4;

impl From<Pentanomial> for [u64; 5] {
    fn from(results: Pentanomial) -> Self {
        results.counts()
    }
}

impl TryFrom<[u64; 5]> for Pentanomial {
    type Error = &'static str;

    fn try_from(counts: [u64; 5]) -> Result<Self, &'static str> {
        let sum = counts.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count));
        match sum {
            Some(pairs) if pairs <= MAX_PAIRS => Ok(Self::from_counts(counts)),
            _ => Err("found too many pairs, expected fewer than 2^62"),
        }
    }
}
