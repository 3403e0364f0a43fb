//! The time of a prediction.

use std::hint::black_box;

use komadai::eval::{LogisticThreatmate, ThreatmatePredictor as _};

use crate::fit_threatmate::game::Game;
use crate::thread_clock;

/// Largest number of positions in a measurement; they fit the cache of a processor.
const MOST_POSITIONS: usize = 2_000;
/// Number of predictions of a measurement.
const PREDICTIONS: usize = 1_000_000;

/// Prints the time per prediction of both predictors, in the positions after the moves of held-out
/// games, by the processor time of this thread.
pub(super) fn report(games: &[Game]) {
    let mut positions = Vec::new();
    for game in games.iter().filter(|game| game.is_held_out()) {
        let mut position = game.start.clone();
        for &m in &game.moves {
            position.do_move(m);
            if position.ply() > 30 && !position.in_check() && positions.len() < MOST_POSITIONS {
                positions.push(position.clone());
            }
        }
    }
    if positions.is_empty() {
        return;
    }
    for (name, predictor, predictions) in [
        ("cheap", LogisticThreatmate::CHEAP, PREDICTIONS),
        ("full", LogisticThreatmate::FULL, PREDICTIONS / 20),
    ] {
        let mut sum = 0.0;
        let started = thread_clock::now();
        for position in positions.iter().cycle().take(predictions) {
            sum += predictor.log_odds(black_box(position));
        }
        let ns = (thread_clock::now() - started).as_nanos() as f64 / predictions as f64;
        println!("{name}: {ns:.0} ns a prediction ({sum:.0})");
    }
}
