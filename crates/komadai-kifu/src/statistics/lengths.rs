//! The distribution of the lengths of games.

/// The numbers of games by their length in plies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Lengths {
    /// By length; the last one that is not 0 is the longest.
    counts: Vec<u64>,
}

impl Lengths {
    pub(super) fn add(&mut self, plies: usize) {
        if self.counts.len() <= plies {
            self.counts.resize(plies + 1, 0);
        }
        self.counts[plies] += 1;
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the number of games of at least `from` and less than `to` plies.
    pub fn between(&self, from: usize, to: usize) -> u64 {
        let counts = self.counts.iter().enumerate();
        counts.filter(|(plies, _)| (from..to).contains(plies)).map(|(_, count)| count).sum()
    }

    /// Returns the length that a share of the games, 0 to 1, does not exceed: with 0 the shortest,
    /// with 0.5 the median, with 1 the longest. `None` without games.
    pub fn quantile(&self, share: f64) -> Option<usize> {
        let wanted = (share.clamp(0.0, 1.0) * self.games() as f64).ceil().max(1.0);
        let mut sum = 0;
        self.counts.iter().position(|count| {
            sum += count;
            sum as f64 >= wanted
        })
    }

    /// Returns the mean length; `None` without games.
    pub fn mean(&self) -> Option<f64> {
        let plies = |(plies, count): (usize, &u64)| plies as f64 * *count as f64;
        let sum: f64 = self.counts.iter().enumerate().map(plies).sum();
        (self.games() > 0).then(|| sum / self.games() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_quantiles_and_a_mean() {
        let mut lengths = Lengths::default();
        assert_eq!((lengths.quantile(0.5), lengths.mean()), (None, None));
        [10, 20, 20, 70].into_iter().for_each(|plies| lengths.add(plies));
        let quantiles = [0.0, 0.25, 0.5, 0.76, 1.0].map(|share| lengths.quantile(share).unwrap());
        assert_eq!(quantiles, [10, 10, 20, 70, 70]);
        assert_eq!((lengths.mean(), lengths.between(10, 70)), (Some(30.0), 3));
    }
}
