//! The guarantees of `Evaluator`, tested on positions reached by random legal moves.

use std::fmt::Debug;
use std::sync::Arc;

use komadai_core::{Color, Position, Score};
use komadai_eval::{Classical, Evaluator, Material, from_fn};
use komadai_movegen::{MoveList, generate_legal};
use komadai_testdata::{positions, tsume};
use proptest::prelude::*;

/// Start positions with two kings and with one, with full and with empty hands.
fn start() -> impl Strategy<Value = Position> {
    let mut sfens: Vec<_> = positions::bench().map(|position| position.sfen).to_vec();
    sfens.extend(tsume::set(tsume::Set::Classic).map(|problem| problem.sfen).take(8));
    let read = |sfen| Position::from_sfen(sfen).expect("test data are positions");
    proptest::sample::select(sfens).prop_map(read)
}

/// An evaluator that updates its state by the default methods: material for Black.
#[derive(Debug)]
struct Refreshed;

impl Evaluator for Refreshed {
    type State = Score;

    fn refresh(&self, position: &Position) -> Score {
        let score = Material.evaluate_position(position);
        if position.side() == Color::Black { score } else { -score }
    }

    fn evaluate(&self, position: &Position, state: &mut Score) -> Score {
        if position.side() == Color::Black { *state } else { -*state }
    }
}

fn choices() -> impl Strategy<Value = Vec<u16>> {
    proptest::collection::vec(any::<u16>(), 0..120)
}

/// Plays the chosen legal moves and undoes them; checks every guarantee in each position.
fn check<E>(evaluator: &E, mut position: Position, choices: &[u16]) -> Result<(), TestCaseError>
where
    E: Evaluator<State: PartialEq + Debug>,
{
    let mut state = evaluator.refresh(&position);
    let mut scores = Vec::new();
    for choice in choices {
        scores.push(evaluator.evaluate(&position, &mut state));
        let mut moves = MoveList::new();
        generate_legal(&position, &mut moves);
        if moves.is_empty() {
            break;
        }
        let chosen = moves[usize::from(*choice) % moves.len()];
        evaluator.do_move(&mut position, chosen, &mut state);
        prop_assert_eq!(&state, &evaluator.refresh(&position));
        let score = evaluator.evaluate(&position, &mut state);
        prop_assert_eq!(score, evaluator.evaluate_position(&position));
        prop_assert_eq!(score, evaluator.evaluate_position(&position.flipped()));
        prop_assert_eq!(score, evaluator.evaluate_position(&position.mirrored()));
        prop_assert!(score.to_cp().is_some());
    }
    while !position.history().is_empty() {
        evaluator.undo_move(&mut position, &mut state);
        prop_assert_eq!(&state, &evaluator.refresh(&position));
        let before: Score = scores[position.history().len()];
        prop_assert_eq!(evaluator.evaluate(&position, &mut state), before);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn material_keeps_its_guarantees(position in start(), choices in choices()) {
        check(&Material, position, &choices)?;
    }

    #[test]
    fn classical_keeps_its_guarantees(position in start(), choices in choices()) {
        check(&Arc::new(Classical::default()), position, &choices)?;
    }

    #[test]
    fn default_methods_keep_the_guarantees(position in start(), choices in choices()) {
        check(&Refreshed, position.clone(), &choices)?;
        check(&from_fn(|position| Material.evaluate_position(position).raw()), position, &choices)?;
    }
}

#[test]
fn a_function_returns_any_number() {
    let score = |value| from_fn(move |_| value).evaluate_position(&Position::hirate());
    assert_eq!(score(i32::MAX), Score::cp(Score::MAX_CP));
    assert_eq!(score(i32::MIN), Score::cp(-Score::MAX_CP));
}

#[test]
fn a_null_move_negates_the_score() {
    for opening in komadai_testdata::openings::sfens() {
        let mut position = Position::from_sfen(opening).unwrap();
        if position.in_check() {
            continue;
        }
        let mut state = Material.refresh(&position);
        let before = Material.evaluate(&position, &mut state);
        position.do_null_move();
        assert_eq!(Material.evaluate(&position, &mut state), -before);
    }
}
