//! Measures a network: the time to load it, to evaluate positions of one line of play, and to
//! evaluate a position from scratch, with each set of vector instructions.
//!
//! ```console
//! $ cargo run --release -p komadai-lab -- nnue-speed nn.bin
//! $ cargo run --release -p komadai-lab -- nnue-speed halfkp_256x2-32-32
//! ```
//!
//! The second form makes a network from a seed. Times are those of the processor where Linux tells
//! them, else those of the clock.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use komadai::core::{Move, Position, SplitMix64};
use komadai::eval::Evaluator;
use komadai::movegen::MoveGen;
use komadai::nnue::{Kernels, Network, Nnue};

use crate::thread_clock::now;

/// The number of times that every line is played.
const ROUNDS: usize = 10;

/// Plies of each random game.
const PLIES: usize = 120;

/// Legal moves chosen at random from the start position.
fn random_line(seed: u64) -> Vec<Move> {
    let (mut random, mut position, mut line) =
        (SplitMix64::new(seed), Position::hirate(), Vec::new());
    while line.len() < PLIES {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let m = moves[random.below(moves.len() as u64) as usize];
        position.do_move(m);
        line.push(m);
    }
    line
}

/// Plays lines forward and back, as a search does. Returns the time of a move with its evaluation,
/// if there is one.
fn time_lines(nnue: &Nnue, lines: &[Vec<Move>], evaluates: bool) -> Duration {
    let (start, mut moves) = (now(), 0);
    // Many rounds, because the system counts in milliseconds.
    for line in lines.iter().cycle().take(ROUNDS * lines.len()) {
        let mut position = Position::hirate();
        let mut accumulator = nnue.refresh(&position);
        for &m in line {
            nnue.do_move(&mut position, m, &mut accumulator);
            if evaluates {
                black_box(nnue.raw(&position, &mut accumulator));
            }
        }
        for _ in line {
            nnue.undo_move(&mut position, &mut accumulator);
        }
        moves += line.len() as u32;
    }
    (now() - start) / moves
}

/// Measure a network: the time to load it, to evaluate positions of one line of play, and from
/// scratch.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A network file, or an architecture such as `halfkp_256x2-32-32` for random weights.
    network: String,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let name = &arguments.network;
    let start = now();
    let network = if Path::new(name).exists() {
        Network::open(name).with_context(|| name.clone())?
    } else {
        Network::random(name.parse().with_context(|| "neither a file nor an architecture")?, 1)
    };
    println!("{}, there after {:.0?}", network.architecture(), now() - start);
    let lines: Vec<Vec<Move>> = (0..200).map(random_line).collect();
    let shared = std::sync::Arc::new(network);
    for kernels in Kernels::available() {
        let nnue = Nnue::new(shared.as_ref().clone().with_kernels(kernels));
        let best = |evaluates| {
            let times = (0..5).map(|_| time_lines(&nnue, &lines, evaluates));
            times.min().expect("five measurements")
        };
        let (moves, both) = (best(false), best(true));
        let position = Position::hirate();
        let start = now();
        for _ in 0..20_000 {
            black_box(nnue.evaluate_position(&position));
        }
        println!(
            "{kernels:>14}: {:.1?} a move, {:.1?} more with its evaluation, {:.1?} from scratch",
            moves,
            both - moves,
            (now() - start) / 20_000
        );
    }
    Ok(())
}
