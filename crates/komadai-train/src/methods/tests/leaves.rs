//! The search of leaves beside a plain one, which evaluates every position anew.

use komadai_core::{Move, Position, SplitMix64};
use komadai_eval::{Evaluator as _, Material};
use komadai_movegen::{MoveClass, MoveGen as _, MoveList, generate_class};
use komadai_nnue::linear::{ActiveFeatures, LinearEvaluator, LinearInputs, LinearModel};

use super::planted::planted_data;
use crate::methods::bonanza::{Rival, rivals, seen_by};
use crate::methods::leaf_search::LeafSearch;
use crate::methods::{BonanzaOptions, LearningData};

/// A model with weights of all sizes, so that equal values are rare.
fn model(groups: &str) -> LinearModel {
    let (mut model, mut random) =
        (LinearModel::new(groups.parse().expect("the groups exist")), SplitMix64::new(9));
    for weight in model.weights_mut() {
        *weight = random.below(401) as f32 / 16.0 - 12.5;
    }
    model
}

/// The quiescence search by its definition: alpha-beta whose value is no less than the window, with
/// the position of the value.
fn plain(
    evaluator: &LinearEvaluator,
    position: &Position,
    [mut alpha, beta]: [i32; 2],
    ply: usize,
) -> (i32, Position) {
    let is_evasion = position.in_check() && ply < 3;
    let stand = evaluator.evaluate_position(position).raw();
    let mut best = if is_evasion { -31_000 + ply as i32 } else { stand };
    let mut leaf = position.clone();
    if best >= beta || ply == 12 {
        return (best, leaf);
    }
    alpha = alpha.max(best);
    let mut list = MoveList::new();
    let mut moves: Vec<Move> = if is_evasion {
        position.legal_moves().to_vec()
    } else {
        generate_class(position, MoveClass::TACTICAL, &mut list);
        list.iter().copied().filter(|m| position.see_at_least(*m, 0)).collect()
    };
    moves.sort_by_key(|m| {
        let captured = position.piece_on(m.to());
        let captured = captured.map_or(0, |piece| Material::board_value(piece.kind()));
        -captured - 50 * i32::from(m.is_promotion())
    });
    for m in moves {
        let (value, end) = plain(evaluator, &position.after(m), [-beta, -alpha], ply + 1);
        if -value > best {
            best = -value;
            if best > alpha {
                (alpha, leaf) = (best, end);
            }
            if best >= beta {
                break;
            }
        }
    }
    (best, leaf)
}

#[test]
fn leaves_are_those_of_the_plain_search() {
    let data = planted_data(&model("p"), 6);
    for groups in ["p", "p+kp+v", "p+kss", "p+kp+pp+kss"] {
        let evaluator = LinearEvaluator::of(&model(groups));
        let mut found = 0;
        for record in data.records.iter().step_by(7) {
            let (position, Some(desired)) = (record.position(), record.best_move) else { continue };
            let mut siblings = position.legal_moves().to_vec();
            siblings.retain(|m| *m != desired);
            let options = BonanzaOptions::default();
            let fast = rivals(&evaluator, &position, desired, &siblings, &options);
            let after = |m: Move, [alpha, beta]: [i32; 2]| {
                let (value, leaf) = plain(&evaluator, &position.after(m), [-beta, -alpha], 0);
                (-value, seen_by(position.side(), &leaf))
            };
            let (best, base) = after(desired, [-30_000, 30_000]);
            let bounds = [best - 400, best + 400];
            let slow = siblings.iter().map(|m| after(*m, bounds));
            let near = slow.filter(|(value, _)| *value > bounds[0] && *value < bounds[1]);
            let slow: Vec<Rival> =
                near.map(|(_, leaf)| Rival::new(&leaf, &base, evaluator.groups())).collect();
            assert!(fast == slow, "{groups} {position}");
            found += slow.len();
        }
        assert!(found > 500, "{groups}: {found}");
    }
}

/// The value of a position by some plies of all moves without bounds, then the plain search.
fn minimax(evaluator: &LinearEvaluator, position: &Position, depth: usize, ply: usize) -> i32 {
    if depth == 0 {
        return plain(evaluator, position, [-32_000, 32_000], 0).0;
    }
    let moves = position.legal_moves();
    let values = moves.iter().map(|m| -minimax(evaluator, &position.after(*m), depth - 1, ply + 1));
    values.max().unwrap_or(-31_000 + ply as i32)
}

/// Checks the values of some moves, and those of their leaves, in positions with few pieces.
fn check_depth(depth: usize, data: &LearningData, stride: usize, most_moves: usize) {
    let model = model("p+kp");
    let evaluator = LinearEvaluator::of(&model);
    let mut compared = 0;
    for record in data.records.iter().step_by(stride) {
        let position = record.position();
        let mut search = LeafSearch::new(&evaluator, position.clone(), depth);
        for m in position.legal_moves().iter().take(most_moves) {
            let expected = -minimax(&evaluator, &position.after(*m), depth, 0);
            if expected.abs() > 20_000 {
                continue;
            }
            for window in [[-30_000, 30_000], [expected - 1, expected + 1]] {
                assert_eq!(search.value(*m, window), expected, "{position} {m} {depth}");
                let leaf: LinearInputs = search.leaf().inputs(position.side());
                let value = model_value(&model, &leaf);
                assert!(
                    (value - expected as f32).abs() < 1.0,
                    "{position} {m}: {value} {expected}"
                );
            }
            // Beyond the window the value is a bound.
            assert!(search.value(*m, [expected, expected + 9]) <= expected);
            assert!(search.value(*m, [expected - 9, expected]) >= expected);
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
}

/// The value of a leaf by all of its features.
fn model_value(model: &LinearModel, leaf: &LinearInputs) -> f32 {
    let mut active = ActiveFeatures::default();
    leaf.features(model.groups(), &mut active);
    model.value(leaf, &active)
}

#[test]
fn searches_of_one_and_two_plies_are_minimax() {
    let data = planted_data(&model("p"), 2);
    check_depth(1, &data, 17, 6);
    check_depth(2, &data, 40, 6);
}
