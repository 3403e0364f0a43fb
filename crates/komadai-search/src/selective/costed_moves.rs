//! The costs of the moves of a node, from their probabilities.

use komadai_core::{Move, Position};
use smallvec::SmallVec;

use super::cost::{Cost, cost_of};
use super::options::RealizationOptions;
use crate::move_probability::MoveProbability;

/// A move and its cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct CostedMove {
    pub(super) m: Move,
    pub(super) cost: Cost,
}

/// The moves of a node.
pub(super) type CostedMoves = SmallVec<[CostedMove; 128]>;

/// Returns moves in the order of their costs, the table's move first and at its lower cost.
pub(super) fn costed_moves(
    position: &Position,
    moves: &[Move],
    model: &dyn MoveProbability,
    table_move: Option<Move>,
    options: &RealizationOptions,
) -> CostedMoves {
    let probabilities = model.probabilities(position, moves);
    let costed = moves.iter().zip(probabilities);
    let mut moves: CostedMoves =
        costed.map(|(&m, probability)| CostedMove { m, cost: cost_of(probability) }).collect();
    moves.sort_by_key(|costed| (Some(costed.m) != table_move, costed.cost));
    if let Some(first) = moves.first_mut()
        && Some(first.m) == table_move
    {
        first.cost = first.cost.min(options.most_of_table_move());
    }
    moves
}

#[cfg(test)]
mod tests {
    use komadai_movegen::MoveGen;

    use super::*;
    use crate::move_probability::classes::ClassMoves;
    use crate::move_probability::softmax::SoftmaxMoves;

    #[test]
    fn the_only_reply_costs_nothing() {
        // The king can only take the gold.
        let position = Position::from_sfen("4k4/4G4/9/9/9/9/9/9/4K4 w - 1").unwrap();
        let moves = position.legal_moves();
        assert_eq!(moves.len(), 1);
        let options = RealizationOptions::default();
        let models: [&dyn MoveProbability; 2] = [&SoftmaxMoves::default(), &ClassMoves::default()];
        for model in models {
            let costed = costed_moves(&position, &moves, model, None, &options);
            assert_eq!((costed[0].m, costed[0].cost), (moves[0], 0));
        }
    }

    #[test]
    fn costs_are_logarithms_and_the_table_move_comes_first() {
        let position = Position::hirate();
        let moves = position.legal_moves();
        let model = SoftmaxMoves::default();
        let probabilities = model.probabilities(&position, &moves);
        let options = RealizationOptions::default();
        let costed = costed_moves(&position, &moves, &model, None, &options);
        assert!(costed.is_sorted_by_key(|costed| costed.cost));
        for (m, p) in moves.iter().zip(probabilities) {
            let costed = costed.iter().find(|costed| costed.m == *m).unwrap();
            assert!((costed.cost as f32 + 100.0 * p.ln()).abs() < 0.51);
        }
        let last = costed.last().unwrap().m;
        let costed = costed_moves(&position, &moves, &model, Some(last), &options);
        assert_eq!((costed[0].m, costed[0].cost), (last, 35));
    }
}
