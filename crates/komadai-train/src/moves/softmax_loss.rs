//! The loss of a softmax over sums of weights, and its gradient.

/// The features of the candidates of a position, one after another, and the one that was chosen.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sample {
    features: Vec<u32>,
    /// For each candidate the end of its features.
    ends: Vec<u32>,
    chosen: usize,
}

impl Sample {
    pub(super) fn new(chosen: usize) -> Self {
        Self { features: Vec::new(), ends: Vec::new(), chosen }
    }

    /// Adds a feature to a candidate, which is the last one or the next.
    pub(super) fn add(&mut self, candidate: usize, feature: u32) {
        self.features.push(feature);
        self.ends.resize(candidate + 1, 0);
        self.ends[candidate] = self.features.len() as u32;
    }

    fn candidates(&self) -> impl Iterator<Item = &[u32]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let features = &self.features[start..end as usize];
            start = end as usize;
            features
        })
    }

    /// Returns the probabilities of the candidates.
    pub(super) fn probabilities(&self, weights: &[f32]) -> Vec<f32> {
        let score = |features: &[u32]| features.iter().map(|&f| weights[f as usize]).sum();
        let mut scores: Vec<f32> = self.candidates().map(score).collect();
        let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        scores.iter_mut().for_each(|score| *score = (*score - most).exp());
        let sum: f32 = scores.iter().sum();
        scores.iter_mut().for_each(|score| *score /= sum);
        scores
    }

    /// Adds the gradient of the loss to `gradient`, and returns the loss: minus the logarithm of
    /// the probability of the chosen candidate.
    pub(super) fn add_gradient(&self, probabilities: &[f32], gradient: &mut [f32]) -> f64 {
        for (index, (features, &probability)) in self.candidates().zip(probabilities).enumerate() {
            let slope = if index == self.chosen { probability - 1.0 } else { probability };
            for &feature in features {
                gradient[feature as usize] += slope;
            }
        }
        let chosen = probabilities.get(self.chosen).copied().unwrap_or(0.0);
        -f64::from(chosen.max(f32::MIN_POSITIVE)).ln()
    }
}
