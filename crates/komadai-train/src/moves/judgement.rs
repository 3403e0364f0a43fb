//! The comparison of a model of move probabilities with best moves.

use komadai_movegen::{MoveList, generate_useful};
use komadai_search::MoveProbability;

use super::move_set::Choice;

/// The agreement of a model with the best moves of positions.
///
/// The candidates are the useful legal moves: those without promotion where promotion has no
/// drawback do not count, and a position whose best move is one of them neither.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MoveJudgement {
    /// The number of positions with at least two useful moves.
    pub positions: u64,
    /// The number of their moves.
    pub moves: u64,
    first: f64,
    first_three: f64,
    /// The sum of the logarithms of the probabilities of the best moves.
    log_sum: f64,
}

impl MoveJudgement {
    /// Judges a model.
    pub fn of<'a>(
        model: &dyn MoveProbability,
        choices: impl IntoIterator<Item = &'a Choice>,
    ) -> Self {
        let mut found = Self::default();
        let mut moves = MoveList::new();
        for choice in choices {
            let Ok(position) = choice.position() else { continue };
            moves.clear();
            generate_useful(&position, &mut moves);
            let best = moves.iter().position(|&m| m == choice.best());
            if let Some(best) = best.filter(|_| moves.len() > 1) {
                found.add(&model.probabilities(&position, &moves), best);
            }
        }
        found
    }

    fn add(&mut self, probabilities: &[f32], best: usize) {
        let probability = probabilities[best];
        let better = probabilities.iter().filter(|&&other| other > probability).count() as f64;
        // Moves of the same probability share their places.
        let equal = probabilities.iter().filter(|&&other| other == probability).count() as f64;
        self.positions += 1;
        self.moves += probabilities.len() as u64;
        self.first += ((1.0 - better) / equal).clamp(0.0, 1.0);
        self.first_three += ((3.0 - better) / equal).clamp(0.0, 1.0);
        self.log_sum += f64::from(probability.max(f32::MIN_POSITIVE)).ln();
    }

    /// Returns the mean of the logarithms of the probabilities of the best moves: 0 is perfect.
    pub fn log_likelihood(&self) -> f64 {
        self.log_sum / self.positions.max(1) as f64
    }

    /// Returns the share of positions whose best move is the most probable one. Of equally probable
    /// moves each counts with the probability that it comes first in a random order.
    pub fn top_one(&self) -> f64 {
        self.first / self.positions.max(1) as f64
    }

    /// Returns the share of positions whose best move is among the three most probable ones.
    pub fn top_three(&self) -> f64 {
        self.first_three / self.positions.max(1) as f64
    }
}
