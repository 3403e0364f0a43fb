//! Measures the time of each model of move probabilities per position of the bundled tournament
//! games.
//!
//! ```console
//! $ cargo run --release -p komadai-lab -- move-probability-speed
//! ```
//!
//! Times are those of the processor where Linux tells them, else those of the clock.

use std::hint::black_box;

use komadai::core::{Move, Position};
use komadai::movegen::MoveGen;
use komadai::search::{ClassMoves, LogisticMoves, MoveProbability, SoftmaxMoves};
use komadai_testdata::games;

use crate::games::plies;
use crate::thread_clock::now;

pub(crate) fn run() -> anyhow::Result<()> {
    let mut positions: Vec<(Position, Vec<Move>)> = Vec::new();
    for game in games::tournament().take(40) {
        for (mut position, m) in plies(game.moves) {
            position.do_move(m);
            let moves: Vec<Move> = position.legal_moves().into_iter().collect();
            positions.push((position, moves));
        }
    }
    let models: [(&str, Box<dyn MoveProbability>); 3] = [
        ("LogisticMoves", Box::new(LogisticMoves::default())),
        ("ClassMoves", Box::new(ClassMoves::default())),
        ("SoftmaxMoves", Box::new(SoftmaxMoves::default())),
    ];
    let mut least = [f64::INFINITY; 3];
    // In turn, because other programs may share the processor.
    for _ in 0..5 {
        for ((_, model), least) in models.iter().zip(&mut least) {
            let start = now();
            for (position, moves) in &positions {
                black_box(model.scores(position, moves));
            }
            let per_position = (now() - start).as_secs_f64() * 1e6 / positions.len() as f64;
            *least = least.min(per_position);
        }
    }
    let moves: usize = positions.iter().map(|(_, moves)| moves.len()).sum();
    println!(
        "{} positions, {:.1} legal moves each, least of 5 rounds",
        positions.len(),
        moves as f64 / positions.len() as f64
    );
    for ((name, _), least) in models.iter().zip(least) {
        println!("{name}: {least:.1} µs a position");
    }
    Ok(())
}
