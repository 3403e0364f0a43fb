//! The costs of the moves of a node, from their probabilities or their forcedness.

use komadai_core::{Move, Position};
use smallvec::SmallVec;

use super::cost::{Cost, cost_of};
use super::forcedness;
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
pub(super) fn by_probability(
    position: &Position,
    moves: &[Move],
    model: &dyn MoveProbability,
    table_move: Option<Move>,
    table_move_cost: Cost,
) -> CostedMoves {
    let probabilities = model.probabilities(position, moves);
    let costed = moves.iter().zip(probabilities);
    let mut moves: CostedMoves =
        costed.map(|(&m, probability)| CostedMove { m, cost: cost_of(probability) }).collect();
    moves.sort_by_key(|costed| (Some(costed.m) != table_move, costed.cost));
    if let Some(first) = moves.first_mut()
        && Some(first.m) == table_move
    {
        first.cost = first.cost.min(table_move_cost);
    }
    moves
}

/// Returns moves with the costs of their forcedness, the table's move first and then the most
/// probable.
pub(super) fn by_forcedness(
    position: &Position,
    moves: &[Move],
    model: &dyn MoveProbability,
    table_move: Option<Move>,
    margin: i32,
) -> CostedMoves {
    let scores = model.scores(position, moves);
    let costs = forcedness::costs(position, moves, margin);
    let mut order: SmallVec<[usize; 128]> = (0..moves.len()).collect();
    order.sort_by(|&a, &b| {
        let is_table_move = |index: usize| Some(moves[index]) == table_move;
        let first = is_table_move(b).cmp(&is_table_move(a));
        first.then(scores[b].total_cmp(&scores[a]))
    });
    order.into_iter().map(|index| CostedMove { m: moves[index], cost: costs[index] }).collect()
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
        let models: [&dyn MoveProbability; 2] = [&SoftmaxMoves::default(), &ClassMoves::default()];
        for model in models {
            let costed = by_probability(&position, &moves, model, None, 35);
            assert_eq!((costed[0].m, costed[0].cost), (moves[0], 0));
        }
    }

    #[test]
    fn costs_are_logarithms_and_the_table_move_comes_first() {
        let position = Position::hirate();
        let moves = position.legal_moves();
        let model = SoftmaxMoves::default();
        let probabilities = model.probabilities(&position, &moves);
        let costed = by_probability(&position, &moves, &model, None, 35);
        assert!(costed.is_sorted_by_key(|costed| costed.cost));
        for (m, p) in moves.iter().zip(probabilities) {
            let costed = costed.iter().find(|costed| costed.m == *m).unwrap();
            assert!((costed.cost as f32 + 100.0 * p.ln()).abs() < 0.51);
        }
        let last = costed.last().unwrap().m;
        let costed = by_probability(&position, &moves, &model, Some(last), 35);
        assert_eq!((costed[0].m, costed[0].cost), (last, 35));
    }

    #[test]
    fn forced_moves_keep_the_order_of_the_model() {
        let position = Position::hirate();
        let moves = position.legal_moves();
        let model = SoftmaxMoves::default();
        let ordered: Vec<Move> =
            by_probability(&position, &moves, &model, None, 0).iter().map(|c| c.m).collect();
        let last = *ordered.last().unwrap();
        let costed = by_forcedness(&position, &moves, &model, Some(last), 150);
        assert_eq!(costed[0].m, last);
        assert_eq!(costed[1].m, ordered[0]);
        assert_eq!(costed.len(), moves.len());
    }
}
