//! The guarantees of linear evaluations, on positions reached by random legal moves.

use komadai_core::{Position, SplitMix64};
use komadai_eval::Evaluator as _;
use komadai_movegen::{MoveList, generate_legal};
use komadai_testdata::{positions, tsume};
use proptest::prelude::*;

use super::{ActiveFeatures, FeatureGroups, LinearEvaluator, LinearInputs, LinearModel};

/// An evaluation with random weights in whole sixteenths of a centipawn, so that nothing is
/// rounded.
fn random(groups: FeatureGroups) -> (LinearModel, LinearEvaluator) {
    let (mut model, mut numbers) = (LinearModel::new(groups), SplitMix64::new(7));
    for weight in model.weights_mut() {
        *weight = numbers.below(641) as f32 / 16.0 - 20.0;
    }
    let evaluator = LinearEvaluator::of(&model);
    (model, evaluator)
}

fn start() -> impl Strategy<Value = Position> {
    let mut sfens: Vec<_> = positions::bench().map(|position| position.sfen).to_vec();
    sfens.extend(tsume::set(tsume::Set::Classic).map(|problem| problem.sfen).take(8));
    let read = |sfen| Position::from_sfen(sfen).expect("test data are positions");
    proptest::sample::select(sfens).prop_map(read)
}

fn check(groups: &str, mut position: Position, choices: &[u16]) -> Result<(), TestCaseError> {
    let (model, evaluator) = random(groups.parse().expect("the groups exist"));
    let mut active = ActiveFeatures::default();
    let mut state = evaluator.refresh(&position);
    let first = state.clone();
    for choice in choices {
        let mut moves = MoveList::new();
        generate_legal(&position, &mut moves);
        if moves.is_empty() {
            break;
        }
        let chosen = moves[usize::from(*choice) % moves.len()];
        evaluator.do_move(&mut position, chosen, &mut state);
        prop_assert_eq!(&state, &evaluator.refresh(&position));
        let score = evaluator.evaluate(&position, &mut state);
        prop_assert_eq!(score, evaluator.evaluate_position(&position.flipped()));
        prop_assert_eq!(score, evaluator.evaluate_position(&position.mirrored()));
        let inputs = LinearInputs::of(&position);
        inputs.features(model.groups(), &mut active);
        let value = model.value(&inputs, &active);
        prop_assert!((value - score.raw() as f32).abs() < 1.0, "{} {}", value, score.raw());
    }
    while !position.history().is_empty() {
        evaluator.undo_move(&mut position, &mut state);
    }
    prop_assert_eq!(state, first);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn updated_states_are_fresh_ones(
        position in start(),
        choices in proptest::collection::vec(any::<u16>(), 0..60),
    ) {
        check("p+kp", position.clone(), &choices)?;
        check("p+kp+pp+kss", position, &choices)?;
    }
}

#[test]
fn groups_add_up() {
    let position = Position::from_sfen(positions::bench()[1].sfen).unwrap();
    let inputs = LinearInputs::of(&position);
    let count = |groups: &str| {
        let mut active = ActiveFeatures::default();
        inputs.features(groups.parse().unwrap(), &mut active);
        active.plus.len() + active.minus.len()
    };
    assert_eq!(count("p"), 40);
    assert_eq!(count("kp"), 2 * 39);
    assert_eq!(count("pp"), 2 * 780);
    assert_eq!(count("p+kp+pp+kss"), 40 + 78 + 1_560 + count("kss"));
    assert!(count("kss") >= 2 * 66);
}

#[test]
fn rounding_is_kept_by_a_second_rounding() {
    let (_, evaluator) = random(FeatureGroups::P);
    assert_eq!(LinearEvaluator::of(&evaluator.to_model()), evaluator);
}
