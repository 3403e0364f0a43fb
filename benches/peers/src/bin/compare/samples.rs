//! The repeats of one cell of the table.

/// Rates of one peer for one measure and position, in millions per second.
#[derive(Debug, Clone, Default)]
pub(crate) struct Samples {
    rates: Vec<f64>,
}

impl Samples {
    /// Adds the rate of one batch.
    pub(crate) fn push(&mut self, rate: f64) {
        self.rates.push(rate);
        self.rates.sort_by(f64::total_cmp);
    }

    /// Returns the median of the rates; 0 without a sample.
    pub(crate) fn median(&self) -> f64 {
        let middle = self.rates.len() / 2;
        match self.rates.as_slice() {
            [] => 0.0,
            rates if rates.len() % 2 == 1 => rates[middle],
            rates => f64::midpoint(rates[middle - 1], rates[middle]),
        }
    }

    /// Returns the highest rate; 0 without a sample.
    pub(crate) fn best(&self) -> f64 {
        self.rates.last().copied().unwrap_or(0.0)
    }

    /// Returns the difference between highest and lowest rate as a share of the median.
    pub(crate) fn spread(&self) -> f64 {
        match self.rates.first() {
            Some(worst) => (self.best() - worst) / self.median(),
            None => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Samples;

    #[test]
    fn the_median_ignores_the_order() {
        let mut samples = Samples::default();
        for rate in [5.0, 1.0, 3.0] {
            samples.push(rate);
        }
        assert_eq!((samples.median(), samples.best()), (3.0, 5.0));
        samples.push(4.0);
        assert_eq!(samples.median(), 3.5);
    }
}
