//! Known answers and symmetries of the prediction.

use std::collections::HashSet;

use komadai_core::UsiPosition;
use komadai_movegen::{MoveGen as _, play};
use komadai_testdata::games;
use komadai_testdata::tsume::{Expected, Set, set};

use super::*;

/// Every fifth position of the bundled games from move 40 on.
fn late_positions() -> Vec<Position> {
    let mut positions = Vec::new();
    for game in games::tournament() {
        let line = format!("startpos moves {}", game.moves);
        let mut position = play(&UsiPosition::from_usi(&line).unwrap()).unwrap();
        while position.ply() > 40 {
            if position.ply().is_multiple_of(5) {
                positions.push(position.clone());
            }
            position.undo_move();
        }
    }
    positions
}

#[test]
fn names_differ_and_each_has_a_value() {
    let names: HashSet<_> = MateFeatures::names().collect();
    assert_eq!(names.len(), MateFeatures::COUNT);
    assert_eq!(MateFeatures::names().nth(MateFeatures::OF_CHECKS), Some("at an edge"));
}

#[test]
fn features_are_those_of_a_hand_made_position() {
    // The king on 5一 has five neighbours. A gold on 5二 is supported by the pawn; a rook checks
    // from seven squares of the first rank and, if not in front of the pawn, from 5二.
    let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b RG2p 1").unwrap();
    let features = MateFeatures::of(&position).unwrap();
    for (name, expected) in [
        ("constant", 1.0),
        ("in check", 0.0),
        // Golds on 6一, 4一, 6二, 5二 and 4二, rooks on eight squares of the rank and on 5二: 14,
        // but twelve are enough.
        ("checks by drops", 12.0),
        // The pawn steps to 5二, with and without promotion.
        ("checks by moves", 2.0),
        ("8 checks or more", 1.0),
        ("16 checks or more", 1.0),
        ("at an edge", 1.0),
        ("rank 1", 1.0),
        ("attacked", 1.0),
        ("rook", 1.0),
        ("gold", 1.0),
        ("pawn", 0.0),
        ("pieces in hand", 2.0),
    ] {
        assert_eq!(features.value(name), Some(expected), "{name}");
    }
    assert_eq!(features.value("an unknown name"), None);
}

#[test]
fn without_a_check_there_is_no_mate() {
    let prediction = MatePrediction::default();
    let mut without = 0;
    for position in late_positions() {
        let has_check = position.legal_moves().iter().any(|&m| position.gives_check(m));
        assert_eq!(MateFeatures::of(&position).is_some(), has_check, "{position}");
        if !has_check {
            assert_eq!(prediction.log_odds(&position), f32::NEG_INFINITY);
            assert_eq!(prediction.probability(&position), 0.0);
            without += 1;
        }
    }
    assert!(without > 100, "{without}");
    // A tsume problem has one king, and the other side has none to mate.
    let alone = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 w G 1").unwrap();
    assert_eq!(MateFeatures::of(&alone), None);
}

#[test]
fn colours_and_sides_of_the_board_have_the_same_odds() {
    let prediction = MatePrediction::default();
    for position in late_positions() {
        let odds = prediction.log_odds(&position);
        assert_eq!(prediction.log_odds(&position.mirrored()), odds, "{position}");
        assert_eq!(prediction.log_odds(&position.flipped()), odds, "{position}");
    }
}

#[test]
fn mates_have_higher_odds_than_other_positions_with_checks() {
    let prediction = MatePrediction::default();
    let problems = set(Set::ShortSelfplay)
        .filter(|problem| matches!(problem.expected, Expected::ShortestMate(3..=7)));
    let of_mates: Vec<f32> = problems
        .take(100)
        .map(|problem| prediction.log_odds(&Position::from_sfen(problem.sfen).unwrap()))
        .collect();
    let of_others: Vec<f32> = late_positions()
        .iter()
        .map(|position| prediction.log_odds(position))
        .filter(|odds| odds.is_finite())
        .collect();
    let median = |mut odds: Vec<f32>| {
        odds.sort_by(f32::total_cmp);
        odds[odds.len() / 2]
    };
    assert!(of_mates.len() > 50 && of_others.len() > 100);
    let (mates, others) = (median(of_mates), median(of_others));
    assert!(mates > others + 2.0, "{mates} {others}");
}
