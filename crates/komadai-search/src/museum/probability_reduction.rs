//! Reduction by probability: a late move is reduced the more, the less probable a model finds it.
//!
//! The usual reduction depends on the place of a move in the order, which is the same for the fifth
//! of five moves that take back and for the fifth of a hundred that do nothing. A probability tells
//! them apart. The model needs all moves of a position and takes microseconds, so it is asked at
//! nodes far from the leaves only, and there not before a late move is searched.
//!
//! Source of the idea: Y. Tsuruoka, D. Yokoyama and T. Chikayama, "Game-tree search algorithm based
//! on realization probability", ICGA Journal 25(3), 2002, where −ln p is the whole depth of a move;
//! `selective/` has that search.

use core::cell::OnceCell;

use komadai_core::{Move, Position};
use komadai_eval::Evaluator;
use komadai_movegen::{MoveList, generate_useful};

use crate::move_probability::MoveProbability;
use crate::move_probability::softmax::SoftmaxMoves;
use crate::node::node_state::{Candidate, Node};
use crate::pruning;
use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::worker::Worker;

/// The moves of a node with −ln p of each, computed at the first request.
#[derive(Debug, Default)]
pub(crate) struct Improbabilities(OnceCell<Vec<(Move, f32)>>);

impl Improbabilities {
    /// Returns −ln p of a move; `None` for one that the search does not generate.
    pub(super) fn of(&self, position: &Position, m: Move) -> Option<f32> {
        let all = self.0.get_or_init(|| {
            let mut moves = MoveList::new();
            generate_useful(position, &mut moves);
            let probabilities = SoftmaxMoves::bundled().probabilities(position, &moves);
            moves.iter().copied().zip(probabilities.into_iter().map(|p| -p.ln())).collect()
        });
        all.iter().find(|(known, _)| *known == m).map(|&(_, nats)| nats)
    }
}

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the part of a late move's reduction by its probability.
    #[inline]
    pub(crate) fn probability_reduction(
        &self,
        node: &Node,
        candidate: &Candidate,
        improbabilities: &Improbabilities,
    ) -> i32 {
        let p = self.parameters();
        if !self.uses(Techniques::PROBABILITY_REDUCTION)
            || candidate.index == 0
            || node.inputs.depth < p.probability_depth
        {
            return 0;
        }
        let nats = improbabilities.of(&self.position, candidate.moved.m);
        nats.map_or(0, |nats| pruning::probability_reduction(p, nats))
    }
}

#[cfg(test)]
mod tests {
    use komadai_movegen::MoveGen;
    use komadai_testdata::positions;

    use super::*;

    #[test]
    fn improbabilities_are_those_of_the_model_and_computed_once() {
        for bench in positions::bench() {
            let position = Position::from_sfen(bench.sfen).unwrap();
            let mut moves = MoveList::new();
            generate_useful(&position, &mut moves);
            let probabilities = SoftmaxMoves::default().probabilities(&position, &moves);
            let found = Improbabilities::default();
            assert!(found.0.get().is_none());
            for (&m, p) in moves.iter().zip(&probabilities) {
                assert_eq!(found.of(&position, m), Some(-p.ln()), "{m} {}", bench.name);
            }
            let first = found.0.get().map(Vec::as_ptr);
            let other = position.legal_moves().into_iter().find(|m| !moves.contains(m));
            assert_eq!(other.and_then(|m| found.of(&position, m)), None);
            assert_eq!(found.0.get().map(Vec::as_ptr), first);
            let sum: f32 = found.0.get().unwrap().iter().map(|(_, nats)| (-nats).exp()).sum();
            assert!((sum - 1.0).abs() < 1e-3, "{sum}");
        }
    }
}
