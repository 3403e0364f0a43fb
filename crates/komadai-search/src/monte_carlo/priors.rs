//! The moves of a node and their priors, the most probable first.

use std::sync::Arc;

use komadai_core::{Move, Position};
use komadai_movegen::{MoveList, generate_legal};

use super::advantages::MeanAdvantages;
use super::move_weights::{MoveContext, MoveWeights, UNIT};
use crate::move_probability::MoveProbability;

/// The model of the priors.
#[derive(Debug, Clone)]
pub(super) enum Model {
    /// Integer weights, without a call for each position.
    Weights,
    Other(Arc<dyn MoveProbability>),
}

/// The model of the priors, and what has been learnt in the tree besides.
#[derive(Debug)]
pub(super) struct PriorKnowledge {
    pub(super) model: Model,
    pub(super) advantages: Option<MeanAdvantages>,
}

/// Weights are compared with the largest one up to this difference; beyond it they are as good as
/// zero.
const DIFFERENCES: usize = 512;

/// The ranking of moves by one thread, which keeps its memory from one node to the next.
#[derive(Debug)]
pub(super) struct Ranking<'a> {
    knowledge: &'a PriorKnowledge,
    temperature: f32,
    /// The factor of a weight, by its difference from the largest one.
    factors: Box<[f32]>,
    list: MoveList,
    moves: Vec<Move>,
    keys: Vec<u32>,
    ranked: Vec<(Move, f32)>,
}

impl<'a> Ranking<'a> {
    pub(super) fn new(knowledge: &'a PriorKnowledge, temperature: f32) -> Self {
        let factor = |difference| (-(difference as f32) * UNIT / temperature).exp();
        Self {
            knowledge,
            temperature,
            factors: (0..DIFFERENCES).map(factor).collect(),
            list: MoveList::new(),
            moves: Vec::new(),
            keys: Vec::new(),
            ranked: Vec::new(),
        }
    }

    /// Returns the legal moves, only those in `only` if given, with priors whose sum is 1. A move
    /// that is known to be good gets a share of its own, the others the rest.
    pub(super) fn rank(
        &mut self,
        position: &Position,
        only: Option<&[Move]>,
        good: Option<(Move, f32)>,
    ) -> &[(Move, f32)] {
        self.list.clear();
        generate_legal(position, &mut self.list);
        let is_allowed = |m: &&Move| only.is_none_or(|only| only.contains(m));
        self.moves.clear();
        self.moves.extend(self.list.iter().filter(is_allowed));
        self.ranked.clear();
        match (&self.knowledge.model, &self.knowledge.advantages) {
            (Model::Weights, None) => self.rank_by_weights(position),
            (Model::Weights, _) => self.rank_by_scores(position, &MoveWeights),
            (Model::Other(model), _) => self.rank_by_scores(position, &**model),
        }
        let scale = 1.0 / self.ranked.iter().map(|(_, weight)| weight).sum::<f32>();
        self.ranked.iter_mut().for_each(|(_, weight)| *weight *= scale);
        if let Some((good, share)) = good {
            self.raise(good, share);
        }
        &self.ranked
    }

    /// Gives a move a share of the priors, and its place among the others.
    fn raise(&mut self, good: Move, share: f32) {
        let Some(index) = self.ranked.iter().position(|&(m, _)| m == good) else { return };
        self.ranked.iter_mut().for_each(|(_, prior)| *prior *= 1.0 - share);
        self.ranked[index].1 += share;
        let prior = self.ranked[index].1;
        let place = self.ranked[..index].partition_point(|&(_, other)| other >= prior);
        self.ranked[place..=index].rotate_right(1);
    }

    fn rank_by_scores(&mut self, position: &Position, model: &dyn MoveProbability) {
        let mut scores = model.scores(position, &self.moves);
        if let Some(advantages) = &self.knowledge.advantages {
            let side = position.side();
            let before = position.current().last_move();
            for (score, &m) in scores.iter_mut().zip(&self.moves) {
                *score += advantages.bonus(side, before, m);
            }
        }
        self.ranked = weigh(&self.moves, scores, self.temperature);
    }

    /// Sorts the moves as integers, the score above the complement of the number.
    fn rank_by_weights(&mut self, position: &Position) {
        const ZERO: i32 = 1 << 15;
        let context = MoveContext::new(position);
        let key = |&m: &Move| {
            let score = context.score(m).clamp(-ZERO, ZERO - 1) + ZERO;
            (score as u32) << 16 | u32::from(!m.to_bits())
        };
        self.keys.clear();
        self.keys.extend(self.moves.iter().map(key));
        self.keys.sort_unstable_by(|a, b| b.cmp(a));
        let most = self.keys.first().map_or(0, |key| key >> 16);
        for key in &self.keys {
            let difference = ((most - (key >> 16)) as usize).min(DIFFERENCES - 1);
            if let Some(m) = Move::from_bits(!(*key as u16)) {
                self.ranked.push((m, self.factors[difference]));
            }
        }
    }
}

/// Returns moves with the probabilities that follow from their scores, the most probable first.
pub(super) fn weigh(moves: &[Move], scores: Vec<f32>, temperature: f32) -> Vec<(Move, f32)> {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights = scores.into_iter().map(|score| ((score - most) / temperature).exp());
    let mut weighted: Vec<(Move, f32)> = moves.iter().copied().zip(weights).collect();
    let sum: f32 = weighted.iter().map(|(_, weight)| weight).sum();
    weighted.iter_mut().for_each(|(_, weight)| *weight /= sum);
    // Of equally probable moves the order is that of their numbers.
    weighted.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    weighted
}

#[cfg(test)]
mod tests {
    use komadai_testdata::positions;

    use super::*;

    #[test]
    fn a_good_move_gets_its_share_and_its_place() {
        let knowledge = PriorKnowledge { model: Model::Weights, advantages: None };
        let mut ranking = Ranking::new(&knowledge, 1.0);
        let position = Position::hirate();
        let before = ranking.rank(&position, None, None).to_vec();
        let (m, prior) = before[7];
        for (share, place) in [(0.0, 7), (0.5, 0)] {
            let after = ranking.rank(&position, None, Some((m, share))).to_vec();
            assert_eq!(after[place].0, m);
            assert!((after[place].1 - (share + (1.0 - share) * prior)).abs() < 1e-6);
            assert!(after.is_sorted_by(|a, b| a.1 >= b.1) && after.len() == before.len());
            assert!((after.iter().map(|(_, prior)| prior).sum::<f32>() - 1.0).abs() < 1e-4);
        }
    }

    #[test]
    fn integers_rank_moves_as_the_formula_does() {
        let models = [Model::Weights, Model::Other(Arc::new(MoveWeights))];
        let [fast, slow] = models.map(|model| PriorKnowledge { model, advantages: None });
        for temperature in [0.7, 1.0, f32::INFINITY] {
            let mut rankings = [&fast, &slow].map(|model| Ranking::new(model, temperature));
            for bench in positions::bench() {
                let position = Position::from_sfen(bench.sfen).unwrap();
                let [fast, slow] =
                    rankings.each_mut().map(|ranking| ranking.rank(&position, None, None).to_vec());
                assert_eq!(fast.len(), slow.len());
                let of = |m: Move| slow.iter().find(|other| other.0 == m).unwrap().1;
                assert!(fast.iter().all(|&(m, prior)| (prior - of(m)).abs() < 1e-4));
                assert!(fast.is_sorted_by(|a, b| a.1 >= b.1));
                assert!((fast.iter().map(|(_, prior)| prior).sum::<f32>() - 1.0).abs() < 1e-4);
            }
        }
    }
}
