//! The quality of an evaluation, measured on held-out games.

use komadai_core::{Move, Position};
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen as _;

use crate::network::target::{excess, sigmoid};

use super::leaf_search::LeafSearch;
use super::records::LearningData;

/// The loss of an evaluation on held-out games.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HeldOutLoss {
    /// The loss of the evaluation as it is.
    pub loss: f64,
    /// The factor of the values for which the loss is least. Values of material are larger than
    /// those of searches with a finer evaluation, and methods that learn from their own searches
    /// keep that scale.
    pub best_factor: f32,
    /// The loss with this factor.
    pub best: f64,
}

/// The share of positions in which an evaluation finds the best move of the records.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Agreement {
    /// The positions.
    pub positions: usize,
    /// The share in which the best move of the record has the highest value.
    pub first: f64,
    /// The share in which it is among the three highest.
    pub among_three: f64,
}

/// The largest value that counts, in centipawns.
const MOST: i32 = 3_000;

impl LearningData {
    /// Returns the mean cross-entropy of an evaluation on the quiet held-out positions, in excess
    /// of the entropy of the scores' expected results: as it is, and times the factor from 0.1 to 3
    /// for which it is least.
    pub fn loss<E: Evaluator>(&self, evaluator: &E, score_scale: f32) -> HeldOutLoss {
        let quiet = self.held_out_records.iter().filter(|record| record.is_quiet);
        let rated: Vec<(f32, f32)> = quiet
            .map(|record| {
                let value = evaluator.evaluate_position(&record.position()).raw();
                let target = sigmoid(f32::from(record.score) / score_scale);
                (value.clamp(-MOST, MOST) as f32 / score_scale, target)
            })
            .collect();
        let loss = |factor: f32| {
            let sum: f64 = rated.iter().map(|(logit, aim)| excess(factor * logit, *aim)).sum();
            sum / rated.len().max(1) as f64
        };
        let factors = (5..=150).map(|fiftieths| fiftieths as f32 / 50.0);
        let best = factors.map(|factor| (factor, loss(factor)));
        let (best_factor, best) = best.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
        HeldOutLoss { loss: loss(1.0), best_factor, best }
    }

    /// Returns the share of held-out positions in which the best move of the record is the best one
    /// of the evaluation as well: by the value of a quiescence search after each move. `most`
    /// limits the number of positions, which are taken at equal distances.
    pub fn agreement<E: Evaluator>(&self, evaluator: &E, most: usize) -> Agreement {
        let records = &self.held_out_records;
        let stride = records.len().div_ceil(most.max(1)).max(1);
        let (mut positions, mut first, mut among_three) = (0, 0, 0);
        for record in records.iter().step_by(stride) {
            let Some(best) = record.best_move else { continue };
            let before = better(evaluator, &record.position(), best);
            positions += 1;
            first += usize::from(before == 0);
            among_three += usize::from(before < 3);
        }
        let share = |count: usize| count as f64 / positions.max(1) as f64;
        Agreement { positions, first: share(first), among_three: share(among_three) }
    }
}

/// Returns the number of moves with a higher value than `best`. Of equal values the first generated
/// counts as higher.
fn better<E: Evaluator>(evaluator: &E, position: &Position, best: Move) -> usize {
    let mut search = LeafSearch::new(evaluator, position.clone(), 0);
    let wanted = search.value(best, [-31_000, 31_000]);
    let mut is_before = true;
    let mut count = 0;
    for m in position.legal_moves() {
        if m == best {
            is_before = false;
        } else {
            let least = wanted + i32::from(!is_before);
            count += usize::from(search.value(m, [least - 1, least]) >= least);
        }
    }
    count
}
