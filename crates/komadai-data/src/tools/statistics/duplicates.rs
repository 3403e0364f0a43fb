//! The share of duplicates, estimated from a sample of positions.

use std::collections::HashMap;

use serde::Serialize;

/// The largest number of positions of the sample, 40 MB or so.
const MOST: usize = 1 << 20;

/// The share of records whose position has occurred before.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DuplicateEstimate {
    /// The share, from 0 to 1.
    pub share: f64,
    /// Number of records in the sample; that of all records if the share is exact.
    pub sample: u64,
}

/// A sample of positions: all records of each position whose hash is small enough.
///
/// A position is in the sample with all its records or not at all, so that the share of duplicates
/// in the sample is that of the data but for chance. The bound of the hashes falls as the sample
/// grows.
#[derive(Debug, Default)]
pub(super) struct Sample {
    counts: HashMap<u64, u64>,
    /// Positions whose hash has this many zeros at its end are in the sample.
    zeros: u32,
}

impl Sample {
    pub(super) fn add(&mut self, hash: u64) {
        if hash.trailing_zeros() < self.zeros {
            return;
        }
        *self.counts.entry(hash).or_default() += 1;
        if self.counts.len() > MOST {
            self.zeros += 1;
            let zeros = self.zeros;
            self.counts.retain(|hash, _| hash.trailing_zeros() >= zeros);
        }
    }

    pub(super) fn estimate(&self) -> DuplicateEstimate {
        let sample: u64 = self.counts.values().sum();
        let duplicates = sample - self.counts.len() as u64;
        let share = if sample == 0 { 0.0 } else { duplicates as f64 / sample as f64 };
        DuplicateEstimate { share, sample }
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::SplitMix64;

    use super::*;

    #[test]
    fn the_estimate_is_near_the_truth() {
        let (mut sample, mut random) = (Sample::default(), SplitMix64::new(5));
        // Five million positions, and a tenth of them again.
        let hashes: Vec<u64> = (0..5_000_000).map(|_| random.next_u64()).collect();
        hashes.iter().chain(&hashes[..500_000]).for_each(|&hash| sample.add(hash));
        let found = sample.estimate();
        assert!(found.sample < 1_200_000 && found.sample > 500_000, "{found:?}");
        assert!((found.share - 0.5 / 5.5).abs() < 0.002, "{found:?}");
    }
}
