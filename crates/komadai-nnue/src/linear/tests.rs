//! The guarantees of linear evaluations, on positions reached by random legal moves.

use std::collections::BTreeMap;

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
        prop_assert_eq!(state.inputs(position.side()), LinearInputs::of(&position));
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
        check("p+kp+pp+kss+v", position, &choices)?;
    }
}

/// Returns how often each feature counts.
fn counts(active: &ActiveFeatures) -> BTreeMap<u32, i32> {
    let mut counts = BTreeMap::new();
    for (indices, sign) in [(&active.plus, 1), (&active.minus, -1)] {
        indices.iter().for_each(|index| *counts.entry(*index).or_insert(0) += sign);
    }
    counts.retain(|_, count| *count != 0);
    counts
}

#[test]
fn features_beyond_those_of_another_position_are_the_difference() {
    let groups: FeatureGroups = "p+kp+pp+kss+v".parse().unwrap();
    let mut random = SplitMix64::new(5);
    let mut lengths = [0, 0];
    for start in positions::bench().map(|position| position.sfen) {
        let root = Position::from_sfen(start).unwrap();
        let mut position = root.clone();
        for _ in 0..60 {
            let mut moves = MoveList::new();
            generate_legal(&position, &mut moves);
            if moves.is_empty() {
                break;
            }
            position.do_move(moves[random.below(moves.len() as u64) as usize]);
            let (base, inputs) = (LinearInputs::of(&root), LinearInputs::of(&position));
            let is_same_side = position.side() == root.side();
            let seen = if is_same_side { inputs } else { inputs.flipped() };
            let mut actives = [(); 3].map(|()| ActiveFeatures::default());
            let [before, after, beyond] = &mut actives;
            base.features(groups, before);
            seen.features(groups, after);
            seen.features_beyond(&base, groups, beyond);
            let mut sums = counts(before);
            for (index, count) in counts(beyond) {
                *sums.entry(index).or_insert(0) += count;
            }
            sums.retain(|_, count| *count != 0);
            assert_eq!(sums, counts(after), "{start} {position}");
            if position.history().len() < 4 {
                lengths[0] += after.plus.len();
                lengths[1] += beyond.plus.len();
            }
        }
    }
    assert!(4 * lengths[1] < lengths[0], "{lengths:?}");
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
