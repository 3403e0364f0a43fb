//! The time of a prediction.

use std::hint::black_box;
use std::time::Duration;

use clap::ValueEnum;
use komadai::eval::{LogisticThreatmate, NetworkThreatmate, ThreatmatePredictor};

use crate::recorded_games::Game;
use crate::thread_clock;

/// Largest number of positions in a measurement; they fit the cache of a processor.
const MOST_POSITIONS: usize = 2_000;
/// Number of measurements. Other work on the machine only lengthens one, so that the shortest is
/// reported.
const REPEATS: usize = 20;

/// The predictors that ship.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Predictor {
    Cheap,
    Full,
    Network,
}

/// Prints the time per prediction in the positions after the moves of held-out games, by the
/// processor time of this thread.
pub(super) fn report(predictor: Predictor, predictions: usize, games: &[Game]) {
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
    let with: &dyn ThreatmatePredictor = match predictor {
        Predictor::Cheap => &LogisticThreatmate::CHEAP,
        Predictor::Full => &LogisticThreatmate::FULL,
        Predictor::Network => &NetworkThreatmate::FULL,
    };
    let each = predictions / REPEATS;
    let (mut sum, mut shortest) = (0.0, Duration::MAX);
    for _ in 0..REPEATS {
        let started = thread_clock::now();
        for position in positions.iter().cycle().take(each) {
            sum += with.log_odds(black_box(position));
        }
        shortest = shortest.min(thread_clock::now() - started);
    }
    let ns = shortest.as_nanos() as f64 / each.max(1) as f64;
    println!(
        "{predictor:?}: {ns:.0} ns a prediction, the shortest of {REPEATS} measurements of {each} \
         predictions in {} positions (sum of the log-odds {sum:.0})",
        positions.len(),
    );
}
