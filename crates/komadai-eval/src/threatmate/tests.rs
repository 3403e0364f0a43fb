//! Tests of the features by their definitions, and of the predictor by its symmetries.

use std::collections::HashSet;

use komadai_core::{Bitboard, PieceKind, Position, Square, UsiPosition};
use komadai_movegen::{MoveGen as _, play};
use komadai_testdata::games;

use super::surroundings::{RING, Surroundings};
use super::*;

const PREDICTORS: [&dyn ThreatmatePredictor; 3] =
    [&LogisticThreatmate::CHEAP, &LogisticThreatmate::FULL, &NetworkThreatmate::FULL];

fn after(sfen: &str, m: &str) -> Position {
    Position::from_sfen(sfen).unwrap().after(m.parse().unwrap())
}

/// Every third position of the bundled games from move 40 on.
fn late_positions() -> Vec<Position> {
    let mut positions = Vec::new();
    for game in games::tournament() {
        let line = format!("startpos moves {}", game.moves);
        let mut position = play(&UsiPosition::from_usi(&line).unwrap()).unwrap();
        while position.ply() > 40 {
            if position.ply().is_multiple_of(3) {
                positions.push(position.clone());
            }
            position.undo_move();
        }
    }
    positions
}

#[test]
fn features_are_those_of_a_hand_made_position() {
    // The gold takes a promoted silver on 5三. It attacks 6二 and 5二, which are empty, and 4二,
    // where a silver stands; the rook behind it backs 5二 only. 6一 and 4一 are free.
    let position = after("4k4/5s3/4+s4/4G4/4R4/9/9/9/4K4 b - 1", "5d5c");
    let features = ThreatmateFeatures::of(&position).unwrap();
    for (name, expected) in [
        ("constant", 1.0),
        ("captures a silver", 1.0),
        ("captures a gold", 0.0),
        ("attacks a neighbour", 1.0),
        ("neighbours attacked by the piece", 3.0),
        ("drop", 0.0),
        ("distance 2", 1.0),
        ("at an edge", 1.0),
        ("rank 1", 1.0),
        ("files from the centre", 0.0),
        ("silvers", 1.0),
        ("attacked", 3.0),
        ("attacked twice or backed", 1.0),
        ("squares for drops", 2.0),
        ("squares for moves", 1.0),
        ("free", 2.0),
        ("silver", 1.0),
        ("2 silvers", 0.0),
        ("pieces in hand", 1.0),
        ("attackers", 1.0),
        // The gold on 5二 would leave 6一 and 4一 to the king, but attacks both.
        ("safe moves", 1.0),
        ("move: 0", 1.0),
    ] {
        assert_eq!(features.value(name), Some(expected), "{name}");
    }
    assert_eq!(features.value("an unknown name"), None);
}

#[test]
fn names_differ_and_each_has_a_value() {
    let names: HashSet<_> = ThreatmateFeatures::names().chain(CheckFeatures::NAMES).collect();
    assert_eq!(names.len(), ThreatmateFeatures::COUNT + CheckFeatures::COUNT);
}

#[test]
fn attacks_near_the_king_are_those_of_each_square() {
    for position in late_positions() {
        let around = Surroundings::of(
            &position,
            position.side(),
            position.king_square(position.side()).unwrap(),
        );
        let without_king = around.occupied - around.king.into();
        let at_least = |least: u32, count: &dyn Fn(Square) -> u32| -> Bitboard {
            RING[around.king].iter().filter(|&square| count(square) >= least).collect()
        };
        let attackers = |square| position.attackers_to(around.attacker, square, without_king).len();
        for (index, found) in around.attacked.into_iter().enumerate() {
            assert_eq!(found & RING[around.king], at_least(index as u32 + 1, &attackers));
        }
        let guards = |square| {
            let all = position.attackers_to(position.side(), square, around.occupied);
            (all - position.kind(PieceKind::King)).len()
        };
        for (index, found) in around.guarded.into_iter().enumerate() {
            assert_eq!(found & RING[around.king], at_least(index as u32 + 1, &guards));
        }
        assert!((around.attacked[1] & RING[around.king]).is_subset(around.backed));
    }
}

#[test]
fn a_drop_next_to_the_king_that_leaves_no_square_is_mate() {
    let mut mates = 0;
    for position in late_positions() {
        let Some(features) = ThreatmateFeatures::of(&position) else { continue };
        let is_mate = ["gold held: 0", "silver held: 0", "knight held: 0"]
            .into_iter()
            .any(|name| features.value(name) == Some(1.0));
        if is_mate {
            let mut passed = position.without_history();
            passed.do_null_move();
            assert!(passed.mate_in_one().is_some(), "{position}");
            mates += 1;
        }
    }
    assert!(mates > 20, "{mates}");
}

#[test]
fn replies_are_those_of_every_check_after_a_pass() {
    for position in late_positions().into_iter().step_by(5) {
        let Some(features) = CheckFeatures::of(&position) else {
            assert!(position.in_check());
            continue;
        };
        let mut passed = position.without_history();
        passed.do_null_move();
        assert_eq!(features.value("mate in one") == Some(1.0), passed.mate_in_one().is_some());
        let moves = passed.legal_moves();
        let checks = moves.iter().map(|&m| passed.after(m)).filter(Position::in_check);
        let fewest = checks.map(|after| after.legal_moves().len()).min();
        assert_eq!(features.value("fewest replies: 1") == Some(1.0), fewest == Some(1));
        assert_eq!(features.value("1 check or more") == Some(1.0), fewest.is_some());
    }
}

#[test]
fn impossible_threatmates_have_no_odds() {
    let mut passed = after("6knl/7p1/5PP2/9/9/9/9/9/4K4 b S2G 1", "S*5b");
    passed.do_move("1a1b".parse().unwrap());
    passed.do_null_move();
    let check = after("4k4/9/4P4/9/9/9/9/9/4K4 b R 1", "R*5b");
    for position in [Position::hirate(), check, passed] {
        assert_eq!(ThreatmateFeatures::of(&position), None);
        for predictor in PREDICTORS {
            assert_eq!(predictor.log_odds(&position), f32::NEG_INFINITY);
            assert_eq!(predictor.probability(&position), 0.0);
            assert!(!predictor.is_threatmate(&position));
        }
    }
}

#[test]
fn colours_and_sides_of_the_board_have_the_same_odds() {
    let mut same_odds = 0;
    // Parrying a check is a feature, so that each position needs the one before.
    for position in late_positions().into_iter().step_by(3) {
        let Some(last) = position.current().last_move() else { continue };
        let mut before = position.clone();
        before.undo_move();
        let features = ThreatmateFeatures::of(&position);
        let mirrored = before.mirrored().after(last.mirrored());
        let flipped = before.flipped().after(last.flipped());
        for other in [mirrored, flipped] {
            let same = ThreatmateFeatures::of(&other);
            let without_history = |features: Option<ThreatmateFeatures>| {
                features.map(|found| {
                    let mut array = found.to_array();
                    let index = ThreatmateFeatures::names().position(|n| n == "parries a check");
                    array[index.unwrap()] = 0.0;
                    array
                })
            };
            assert_eq!(without_history(same), without_history(features), "{position}");
            assert_eq!(CheckFeatures::of(&other), CheckFeatures::of(&position));
            if same == features {
                for predictor in PREDICTORS {
                    assert_eq!(predictor.log_odds(&other), predictor.log_odds(&position));
                }
                same_odds += 1;
            }
        }
    }
    assert!(same_odds > 100, "{same_odds}");
}

#[test]
fn a_gold_in_front_of_the_king_is_threatened() {
    // The pawn in front of the king, and a gold in hand: G*5b.
    let threat = after("4k4/9/9/4P4/9/9/9/9/4K4 b Grb3g4s4n4l17p 1", "5d5c");
    let quiet = after("4k4/9/9/4P4/9/9/9/9/4K4 b Grb3g4s4n4l17p 1", "5i5h");
    for predictor in PREDICTORS {
        assert!(predictor.is_threatmate(&threat), "{predictor:?} {}", predictor.log_odds(&threat));
        assert!(!predictor.is_threatmate(&quiet));
    }
    for regression in [LogisticThreatmate::CHEAP, LogisticThreatmate::FULL] {
        assert!(regression.for_games().log_odds(&threat) < regression.log_odds(&threat));
    }
    let network = NetworkThreatmate::FULL;
    let change = network.for_games().log_odds(&threat) - network.log_odds(&threat);
    assert!((change - network_weights::IN_GAMES).abs() < 1e-5 && change < 0.0);
}

#[test]
fn a_sum_in_eight_parts_is_the_sum() {
    let values: [f32; 11] = std::array::from_fn(|index| index as f32);
    assert_eq!(product(&values, &[2.0; 11]), 110.0);
}

#[test]
fn a_network_is_the_sum_of_its_rectified_units() {
    let mut compared = 0;
    for position in late_positions().into_iter().step_by(7) {
        let (Some(cheap), Some(checks)) =
            (ThreatmateFeatures::of(&position), CheckFeatures::of(&position))
        else {
            continue;
        };
        let values: Vec<f32> = cheap.to_array().into_iter().chain(checks.to_array()).collect();
        let weights = || network_weights::HIDDEN.iter().chain(&network_weights::HIDDEN_CHECKS);
        let unit = |unit: usize| -> f64 {
            values.iter().zip(weights()).map(|(x, w)| f64::from(*x) * f64::from(w[unit])).sum()
        };
        let expected = network_weights::OUTPUT
            .into_iter()
            .enumerate()
            .map(|(index, weight)| unit(index).max(0.0) * f64::from(weight))
            .sum::<f64>()
            + f64::from(network_weights::CONSTANT);
        let found = f64::from(NetworkThreatmate::FULL.log_odds(&position));
        assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}
