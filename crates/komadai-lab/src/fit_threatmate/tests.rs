//! Tests of the sources and of the labels.

use std::fs;

use komadai::core::Budget;
use komadai::data::records::{PackedSfenValue, RecordResult};
use komadai::eval::{NetworkThreatmate, ThreatmatePredictor as _};
use komadai::movegen::MateResult;
use komadai::tsume::{DfPn, DfPnOptions, threatmate};
use komadai_testdata::games;

use crate::fit_threatmate::model::{Model, Odds as _, Set};
use crate::fit_threatmate::network::Network;
use crate::fit_threatmate::samples::Labelled;
use crate::game_sources;
use crate::recorded_games::Game;

fn some_games(count: usize) -> Vec<Game> {
    game_sources::read(&[]).unwrap().into_iter().take(count).collect()
}

#[test]
fn records_and_training_data_give_the_same_games() {
    let folder = tempfile::tempdir().unwrap();
    let (records, training) = (folder.path().join("games.usi"), folder.path().join("games.psv"));
    let (mut text, mut bytes) = (String::new(), Vec::new());
    for game in games::tournament().take(2) {
        text += &format!("startpos moves {}\n", game.moves);
        for (position, m) in crate::games::plies(game.moves) {
            let record = PackedSfenValue::new(&position, 0, Some(m), RecordResult::Draw).unwrap();
            bytes.extend(record.to_bytes());
        }
    }
    fs::write(&records, text).unwrap();
    fs::write(&training, bytes).unwrap();
    let expected = some_games(2);
    for path in [records, training] {
        let found = game_sources::read(&[path]).unwrap();
        assert_eq!(found.len(), 2);
        for (found, expected) in found.iter().zip(&expected) {
            assert!(found.start.same_placement(&expected.start));
            assert_eq!(found.moves, expected.moves);
        }
    }
}

#[test]
fn missing_and_damaged_files_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.kif");
    assert!(game_sources::read(std::slice::from_ref(&path)).is_err());
    fs::write(&path, "1 no move").unwrap();
    assert!(game_sources::read(&[path]).is_err());
}

#[test]
fn other_moves_are_exactly_twice_as_many_in_every_game() {
    let games = some_games(6);
    let data = Labelled::of(&games, 500, 1);
    for game in &games {
        let samples = || data.train.iter().chain(&data.test).filter(|s| s.game == game.hash());
        let threatmates = samples().filter(|sample| sample.mate.is_some()).count();
        assert_eq!(samples().count(), 3 * threatmates);
    }
    let is_test = |hash| games.iter().any(|game| game.hash() == hash && game.is_held_out());
    assert!(data.test.iter().chain(&data.played).all(|sample| is_test(sample.game)));
    assert!(!data.train.iter().any(|sample| is_test(sample.game)));
    // The labels depend neither on the order of the games nor on their number.
    let first = Labelled::of(&games[..1], 500, 1);
    let of_first = data.train.iter().chain(&data.test).filter(|s| s.game == games[0].hash());
    let again: Vec<_> = first.train.iter().chain(&first.test).map(|s| &s.features[..]).collect();
    assert_eq!(of_first.map(|s| &s.features[..]).collect::<Vec<_>>(), again);
}

#[test]
fn a_fit_separates_its_training_data() {
    let data = Labelled::of(&some_games(8), 500, 1);
    let all: Vec<_> = data.train.iter().chain(&data.test).cloned().collect();
    let model = Model::fit(Set::Nine, &all);
    let right = all.iter().filter(|s| (model.log_odds(s) > 0.0) == s.mate.is_some()).count();
    assert!(right * 10 > all.len() * 7, "{right} of {}", all.len());
    let network = Network::<4>::fit(Set::Nine, &all);
    let right = all.iter().filter(|s| (network.log_odds(s) > 0.0) == s.mate.is_some()).count();
    assert!(right * 10 > all.len() * 7, "{right} of {}", all.len());
    // The model without a feature is a fit to the others, closely: so few moves bend the likelihood
    // so much that the old curvature takes more steps than are made.
    let features = Set::Nine.features();
    for (left_out, without) in Model::without_each(Set::Nine, &all) {
        assert_eq!(without.coefficients[left_out], 0.0);
        let others: Vec<usize> = features.iter().copied().filter(|&f| f != left_out).collect();
        let again = Model::fit_to(Set::Nine, &others, &all);
        for (found, expected) in without.coefficients.iter().zip(again.coefficients) {
            assert!((found - expected).abs() < 0.02, "{found} {expected}");
        }
    }
    // Threatmates are rarer in games than among the training data.
    let shift = model.shift_for(&all.iter().filter(|s| s.mate.is_none()).collect::<Vec<_>>());
    assert!(shift < -10.0);
}

#[test]
fn the_network_that_ships_is_right_in_held_out_games() {
    let mut solver = DfPn::new(DfPnOptions { hash_mib: 4, ..DfPnOptions::default() });
    let predictor = NetworkThreatmate::FULL.for_games();
    let (mut right, mut all) = ([0; 2], [0; 2]);
    let games = game_sources::read(&[]).unwrap().into_iter().filter(Game::is_held_out);
    for game in games.take(6) {
        let mut position = game.start.clone();
        for &m in &game.moves {
            position.do_move(m);
            if position.ply() <= 30 {
                continue;
            }
            let budget = Budget::nodes(1_000);
            let Some(threat) = threatmate::find(&mut solver, &position, &budget) else { continue };
            let is_threatmate = matches!(threat.result, MateResult::Mate { .. });
            all[usize::from(is_threatmate)] += 1;
            if predictor.is_threatmate(&position) == is_threatmate {
                right[usize::from(is_threatmate)] += 1;
            }
        }
    }
    assert!(all[1] > 20 && right[1] * 10 > all[1] * 6, "{right:?} of {all:?}");
    assert!(right[0] * 100 > all[0] * 95, "{right:?} of {all:?}");
}
