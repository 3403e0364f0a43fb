//! The loss of any evaluation.

use komadai_eval::Evaluator;
use rayon::prelude::*;

use super::options::TrainingOptions;
use super::target::{Target, excess};
use super::training_set::TrainingSet;

/// The agreement of an evaluation with the scores and results of the held-out games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement {
    /// The mean cross-entropy in excess of the entropy of the targets.
    pub loss: f64,
    /// The factor of the evaluation for which the loss is least, to a hundredth.
    pub best_factor: f64,
    /// The loss of the evaluation with this factor.
    pub best_loss: f64,
    /// The correlation with the scores of the search.
    pub correlation: f64,
}

/// The largest value that counts, in centipawns.
const MOST: i32 = 3_000;

impl TrainingSet {
    /// Judges an evaluation by the held-out games, with the targets of a training.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_eval::Material;
    /// use komadai_train::network::{TrainingOptions, TrainingSet};
    ///
    /// let nothing = TrainingSet::new().judge(&Material, &TrainingOptions::default());
    /// assert_eq!(nothing.loss, 0.0);
    /// ```
    pub fn judge<E: Evaluator>(&self, evaluator: &E, options: &TrainingOptions) -> Judgement {
        let target = Target::of_options(options);
        let rated: Vec<(i32, i32, f32)> = self
            .held_out_samples
            .par_iter()
            .map(|sample| {
                let value = evaluator.evaluate_position(&sample.position()).raw();
                (value.clamp(-MOST, MOST), sample.score(), target.of(sample))
            })
            .collect();
        let loss = |factor: f64| {
            let of = |(value, _, aim): &(i32, i32, f32)| {
                excess(factor as f32 * target.logit(*value), *aim)
            };
            rated.iter().map(of).sum::<f64>() / rated.len().max(1) as f64
        };
        let factors = (10..=300).into_par_iter().map(|hundredths| f64::from(hundredths) / 100.0);
        // In their order, so that of equal losses the first is taken.
        let losses: Vec<(f64, f64)> = factors.map(|factor| (factor, loss(factor))).collect();
        let (best_factor, best_loss) =
            losses.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
        let pairs = rated.iter().map(|(value, score, _)| (f64::from(*value), f64::from(*score)));
        Judgement { loss: loss(1.0), best_factor, best_loss, correlation: correlation(pairs) }
    }
}

/// The correlation of pairs of numbers; 0 if there is none.
pub(crate) fn correlation(pairs: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let count = pairs.clone().count().max(1) as f64;
    let mean =
        |of: fn(&(f64, f64)) -> f64| pairs.clone().map(|pair| of(&pair)).sum::<f64>() / count;
    let (mean_a, mean_b) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (a, b) in pairs {
        let (a, b) = (a - mean_a, b - mean_b);
        (ab, aa, bb) = (ab + a * b, aa + a * a, bb + b * b);
    }
    if aa > 0.0 && bb > 0.0 { ab / (aa * bb).sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use komadai_core::Position;
    use komadai_eval::from_fn;

    use super::super::sample::Sample;
    use super::*;

    #[test]
    fn correlations_are_known() {
        let line = [(1.0, 5.0), (2.0, 7.0), (4.0, 11.0)];
        assert!((correlation(line.into_iter()) - 1.0).abs() < 1e-12);
        let mixed = [(-1.0, 1.0), (0.0, -2.0), (1.0, 1.0)];
        assert_eq!(correlation(mixed.into_iter()), 0.0);
        assert_eq!(correlation([(1.0, 1.0), (1.0, 2.0)].into_iter()), 0.0);
    }

    #[test]
    fn the_scores_themselves_have_no_loss() {
        let sfens = ["4k4/9/9/9/9/9/9/9/4K4 b R 1", "4k4/9/9/9/9/9/9/9/4K4 b G 1"];
        let positions = sfens.map(|sfen| Position::from_sfen(sfen).unwrap());
        let scores = [800, -300];
        let samples = [0, 1].map(|at| Sample::new(&positions[at], scores[at], 0));
        let set = TrainingSet::from_samples(Vec::new(), samples.to_vec());
        let half = from_fn(move |position: &Position| {
            let at = positions.iter().position(|known| known == position).unwrap();
            i32::from(scores[at]) / 2
        });
        let judgement = set.judge(&half, &TrainingOptions::default());
        assert!(judgement.loss > 1e-3 && judgement.best_loss.abs() < 1e-6, "{judgement:?}");
        assert_eq!(judgement.best_factor, 2.0);
        assert!((judgement.correlation - 1.0).abs() < 1e-12);
    }
}
