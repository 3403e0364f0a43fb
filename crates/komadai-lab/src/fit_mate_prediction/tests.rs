//! Tests of labels, fit and questions.

use komadai::core::Position;
use komadai::eval::MatePrediction;
use komadai_base::file::read_text;

use super::questions::Questions;
use super::*;
use crate::recorded_games::Game;

fn some_games(count: usize) -> Vec<Game> {
    game_sources::read(&[]).unwrap().into_iter().take(count).collect()
}

#[test]
fn a_mate_in_one_is_labelled_and_what_has_no_check_is_not() {
    // The game ends with a mate in one by the gold.
    let start = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
    let shuffle = ["5i5h", "5a6a", "5h5i", "6a5a"];
    let moves = shuffle.iter().cycle().take(32).chain(&["G*5b"]);
    let moves = moves.map(|m| m.parse().unwrap()).collect();
    let data = Labelled::of(&[Game { start, moves }], 1_000);
    let samples: Vec<&Sample> = data.train.iter().chain(&data.test).collect();
    // Moves 31 to 33: Black has the king moves and the drop of a gold, White no check at all.
    let mates = samples.iter().filter(|sample| sample.is_mate).count();
    assert!(mates > 0 && samples.len() == 2, "{mates} of {}", samples.len());
}

#[test]
fn a_fit_to_all_features_separates_better_than_one_to_checks() {
    let data = Labelled::of(&some_games(20), 500);
    let all: Vec<Sample> = data.train.iter().chain(&data.test).cloned().collect();
    assert!(all.iter().filter(|sample| sample.is_mate).count() > 20);
    let rates = |count| Rates::of(&Model::fit(count, &all).scored(&all));
    let (checks, full) = (rates(MateFeatures::OF_CHECKS), rates(MateFeatures::COUNT));
    assert!(full.area_under_curve > checks.area_under_curve && checks.area_under_curve > 0.5);
    assert!(full.log_loss < checks.log_loss);
}

#[test]
fn what_is_shipped_is_what_a_fit_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("coefficients.rs");
    let coefficients = MatePrediction::FITTED.coefficients.map(|weight| {
        // As the fit rounds them.
        (f64::from(weight) * 1_000.0).round() / 1_000.0
    });
    write_rust(&path, &Model { coefficients: coefficients.to_vec() }).unwrap();
    let text = read_text(&path, 100_000).unwrap();
    let shipped = include_str!("../../../komadai-eval/src/mate_prediction/coefficients.rs");
    assert_eq!(text, shipped);
}

#[test]
fn a_higher_probability_asks_less_and_finds_more_a_question() {
    let one = |log_odds, is_yes| Scored { log_odds, is_yes, game: 0 };
    let scored = [one(3.0, true), one(1.0, true), one(0.5, false), one(-4.0, false)];
    let of = |least| Questions::of(&scored, 4, least);
    assert_eq!(of(0.0), Questions { asked: 0.5, found: 1.0, mates_in_a_hundred: 50.0 });
    assert_eq!(of(0.7), Questions { asked: 0.25, found: 1.0, mates_in_a_hundred: 100.0 });
    assert_eq!(of(0.9), Questions { asked: 0.125, found: 0.5, mates_in_a_hundred: 100.0 });
}
