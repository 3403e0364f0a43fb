//! Methods find the weights that made their data.

use std::sync::Arc;

use komadai_core::{Position, SplitMix64};
use komadai_eval::Evaluator as _;
use komadai_movegen::MoveGen as _;
use komadai_nnue::linear::{
    ActiveFeatures, FeatureGroups, LinearEvaluator, LinearInputs, LinearModel,
};

use crate::methods::leaf_search::LeafSearch;
use crate::methods::records::LearningRecord;
use crate::methods::{
    Bonanza, BonanzaOptions, LearningData, Method, Regression, RegressionOptions, StrapNodes,
    TreeStrap, TreeStrapOptions,
};

/// A teacher with weights for pieces on squares.
pub(crate) fn planted_model() -> LinearModel {
    let (mut model, mut random) = (LinearModel::new(FeatureGroups::P), SplitMix64::new(3));
    for weight in model.weights_mut() {
        *weight = random.below(161) as f32 - 80.0;
    }
    model
}

/// Positions of random games with the values of the teacher and its best moves.
pub(crate) fn planted_data(teacher: &LinearModel, games: u64) -> LearningData {
    planted_in(teacher, random_games(games))
}

/// These positions with the values of the teacher and its best moves.
pub(crate) fn planted_in(teacher: &LinearModel, positions: Vec<Position>) -> LearningData {
    let evaluator = LinearEvaluator::of(teacher);
    let records = positions.iter().map(|position| {
        let score = evaluator.evaluate_position(position).raw().clamp(-9_000, 9_000);
        LearningRecord::planted(position, score as i16, best_move(&evaluator, position))
    });
    LearningData::from_records(records.collect())
}

/// The positions of random games.
pub(crate) fn random_games(games: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    for game in 0..games {
        let mut random = SplitMix64::new(SplitMix64::mix(game));
        let mut position = Position::hirate();
        for _ in 0..80 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.do_move(moves[random.below(moves.len() as u64) as usize]);
            positions.push(position.clone());
        }
    }
    positions
}

/// The move with the highest value after it.
fn best_move(evaluator: &LinearEvaluator, position: &Position) -> Option<komadai_core::Move> {
    let mut search = LeafSearch::new(evaluator, position.clone(), 0);
    let moves = position.legal_moves();
    let value = |m: &&komadai_core::Move| search.value(**m, [-31_000, 31_000]);
    // Of equal values the first one, as agreement counts them.
    moves.iter().rev().max_by_key(value).copied()
}

/// The correlation of the positional values of two models on random positions.
fn correlation(a: &LinearModel, b: &LinearModel, data: &LearningData) -> f64 {
    let mut active = ActiveFeatures::default();
    let mut value = |model: &LinearModel, inputs: &LinearInputs| {
        inputs.features(model.groups(), &mut active);
        f64::from(model.value(inputs, &active)) - f64::from(inputs.material())
    };
    let pairs: Vec<(f64, f64)> = data
        .held_out_records
        .iter()
        .map(|record| (value(a, &record.inputs), value(b, &record.inputs)))
        .collect();
    crate::network::judgement::correlation(pairs.into_iter())
}

#[test]
fn regression_finds_the_weights_behind_scores() {
    let teacher = planted_model();
    let data = Arc::new(planted_data(&teacher, 40));
    let options = RegressionOptions { l1: 0.0, ..RegressionOptions::default() };
    let mut method = Regression::new(FeatureGroups::P, data.clone(), options, 1);
    (0..960).for_each(|_| method.step());
    let found = correlation(&teacher, method.model(), &data);
    assert!(found > 0.995, "{found}");
    let evaluator = LinearEvaluator::of(method.model());
    let loss = data.loss(&evaluator, 600.0);
    assert!(loss.loss < 1e-3, "{loss:?}");
}

#[test]
fn the_bonanza_method_finds_the_moves_of_its_teacher() {
    let teacher = planted_model();
    let data = Arc::new(planted_data(&teacher, 12));
    let options =
        BonanzaOptions { rate: 8.0, fits: 40, temperature: 40.0, ..BonanzaOptions::default() };
    let mut method = Bonanza::new(FeatureGroups::P, data.clone(), options, 1);
    let before = data.agreement(&LinearEvaluator::of(method.model()), 400);
    // A round has 256 searches and 40 times 8 batches.
    (0..16 * (256 + 40 * 8)).for_each(|_| method.step());
    let after = data.agreement(&LinearEvaluator::of(method.model()), 400);
    assert!(before.first < 0.6 && after.first > 0.9, "{before:?} {after:?}");
}

/// Mean errors of the static values of the nodes in searches of these positions, before and after
/// learning.
fn errors(learned: StrapNodes, sfens: &[&str]) -> [f64; 2] {
    let options = TreeStrapOptions {
        learned,
        nodes: 400,
        rate: 60.0,
        quiet: false,
        ..TreeStrapOptions::default()
    };
    let positions: Vec<Position> =
        sfens.iter().map(|sfen| Position::from_sfen(sfen).unwrap()).collect();
    let rounds = positions.len();
    let mut method =
        TreeStrap::on_positions(FeatureGroups::P | FeatureGroups::KP, options, positions);
    let mut mean = || {
        let errors = (0..rounds).map(|_| {
            method.step();
            method.mean_error()
        });
        errors.sum::<f64>() / rounds as f64
    };
    let first = mean();
    for _ in 0..200 {
        mean();
    }
    [first, mean()]
}

/// A pawn of the side to move promotes, or a piece is lost: material does not see it, and searches
/// of a few plies do.
const SOON: [&str; 4] = [
    "k8/9/9/4P4/9/9/9/9/K8 b - 1",
    "k8/9/9/2S3P2/9/9/9/9/K8 b - 1",
    "k8/9/9/9/9/6p2/9/9/K8 w - 1",
    "k8/9/9/9/2g6/2p6/2P6/9/K8 w - 1",
];

#[test]
fn tree_strap_makes_static_values_those_of_searches() {
    for learned in [StrapNodes::Tree, StrapNodes::Root] {
        let [first, last] = errors(learned, &SOON);
        assert!(first > 20.0 && last < 0.2 * first, "{learned:?}: {first} {last}");
    }
}
