use komadai_core::{PieceKind, Square};
use komadai_movegen::MoveGen;
use komadai_testdata::{openings, positions};
use proptest::prelude::*;

use super::*;

fn start_positions() -> Vec<Position> {
    let sfens = openings::sfens().take(20).chain(positions::bench().map(|position| position.sfen));
    sfens.map(|sfen| Position::from_sfen(sfen).unwrap()).collect()
}

fn check(position: &Position, state: &mut ClassicalState) -> Result<(), TestCaseError> {
    let classical = Classical::default();
    let score = classical.evaluate(position, state);
    prop_assert_eq!(state.sums, classical.refresh(position).sums);
    prop_assert_eq!(score, classical.evaluate_position(position));
    prop_assert_eq!(score, classical.evaluate_position(&position.flipped()));
    prop_assert_eq!(score, classical.evaluate_position(&position.mirrored()));
    prop_assert!(score.raw().abs() <= MAX_EVALUATION);
    let difference = difference(&classical, position);
    prop_assert!(difference < largest_rounding(position), "{}", difference);
    let difference = difference_of_exact_tables(position);
    prop_assert!(difference < OTHER_ROUNDINGS, "{}", difference);
    Ok(())
}

/// Returns the distance of an evaluation from the sum of its terms, in centipawns.
fn difference(classical: &Classical, position: &Position) -> f32 {
    let sum = features(position).evaluate(&classical.tables.parameters);
    let limit = MAX_EVALUATION as f32;
    let score = classical.evaluate_position(position).raw();
    (owned(position.side(), score) as f32 - sum.clamp(-limit, limit)).abs()
}

/// More than the rounding besides that of the tables: seven times less than a unit, of threats,
/// phases and the whole.
const OTHER_ROUNDINGS: f32 = 2.0;

/// Returns the largest difference by rounding: every piece has an entry in both sides' tables, each
/// rounded by less than a unit.
pub(super) fn largest_rounding(position: &Position) -> f32 {
    let entries = 2 * position.occupied().len() as i32;
    OTHER_ROUNDINGS + entries as f32 / Parameters::UNIT as f32
}

/// Returns the difference with weights of which every fraction is whole, so that a term that is
/// wrong by little is not taken for rounding.
fn difference_of_exact_tables(position: &Position) -> f32 {
    static EXACT: LazyLock<Classical> = LazyLock::new(|| {
        let mut parameters = Parameters::default();
        let whole = placement::WHOLE as i16;
        for index in 0..PARAMETER_COUNT {
            let Weight { early, late } = parameters.get(index);
            let [early, late] = [early, late].map(|units| units / whole * whole);
            parameters.set(index, Weight { early, late });
        }
        Classical::new(&parameters)
    });
    difference(&EXACT, position)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn follows_random_games_forwards_and_backwards(start in 0..24usize, choices in prop::collection::vec(any::<u16>(), 1..120)) {
        let classical = Classical::default();
        let starts = start_positions();
        let mut position = starts[start % starts.len()].clone();
        let mut state = classical.refresh(&position);
        let mut done = 0;
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[usize::from(choice) % moves.len()];
            classical.do_move(&mut position, m, &mut state);
            check(&position, &mut state)?;
            done += 1;
        }
        for _ in 0..done {
            classical.undo_move(&mut position, &mut state);
            check(&position, &mut state)?;
        }
    }
}

#[test]
fn a_state_created_in_mid_game_can_be_undone() {
    let classical = Classical::default();
    let mut position = Position::hirate();
    position.do_move("7g7f".parse().unwrap());
    let mut state = classical.refresh(&position);
    classical.undo_move(&mut position, &mut state);
    assert_eq!(state.sums, classical.refresh(&position).sums);
}

#[test]
fn few_pieces_and_missing_kings_are_evaluated() {
    for sfen in [
        "9/9/9/9/9/9/9/9/4K4 b - 1",
        "4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
        "9/9/9/4k4/9/9/9/9/9 w - 1",
        "k8/9/9/9/9/9/9/9/8K b 2r2b4g4s4n4l18p 1",
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        check(&position, &mut Classical::default().refresh(&position)).unwrap();
    }
}

#[test]
fn the_largest_weights_do_not_overflow() {
    for amount in [i16::MAX, -i16::MAX] {
        let mut parameters = Parameters::default();
        for index in 0..PARAMETER_COUNT {
            parameters.set(index, Weight::constant(amount));
        }
        let classical = Classical::new(&parameters);
        for position in start_positions() {
            let difference = difference(&classical, &position);
            assert!(difference < largest_rounding(&position), "{difference}");
        }
    }
}

#[test]
fn a_pawn_is_about_a_hundred() {
    let parameters = Parameters::default();
    let pawn = parameters.get(Group::Piece.index(&[PieceKind::Pawn.index()]));
    let cp = f32::from(pawn.early) / Parameters::UNIT as f32;
    assert!((50.0..200.0).contains(&cp), "{cp}");
}

#[test]
fn guards_are_good_and_attackers_bad() {
    // The tuned weights have learned nothing about boards with so few pieces.
    let classical = Classical::new(&Parameters::hand_set());
    let evaluate = |sfen| classical.evaluate_position(&Position::from_sfen(sfen).unwrap());
    let near = evaluate("4k4/9/9/9/9/9/9/4S4/4K4 b - 1");
    assert!(near > evaluate("4k4/9/9/9/9/9/9/S8/4K4 b - 1"));
    let attacked = evaluate("4k4/9/9/9/9/9/4s4/9/4K4 b - 1");
    assert!(attacked < evaluate("4k4/9/9/9/9/9/s8/9/4K4 b - 1"));
}

#[test]
fn white_sees_the_board_rotated() {
    for square in Square::ALL {
        assert_eq!(placement::seen_by(square, Color::White), square.flipped());
    }
}
