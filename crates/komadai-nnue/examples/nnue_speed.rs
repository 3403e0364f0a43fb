//! Measures a network: the time to load it, to evaluate positions of one line of play, and to evaluate a
//! position from scratch, with each set of vector instructions.
//!
//! ```console
//! $ cargo run --release -p komadai-nnue --example nnue_speed -- nn.bin
//! $ cargo run --release -p komadai-nnue --example nnue_speed -- halfkp_256x2-32-32
//! ```
//!
//! The second form makes a network from a seed. Times are those of the processor where Linux tells them, else
//! those of the clock.

use std::env;
use std::hint::black_box;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use komadai_base::file::read_text;
use komadai_core::{Move, Position, SplitMix64};
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;
use komadai_nnue::{Kernels, Network, Nnue};

/// The number of times that every line is played.
const ROUNDS: usize = 10;

/// Plies of each random game.
const PLIES: usize = 120;

/// Returns the time that this thread has had a processor, or the time since the first call.
fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let text = read_text("/proc/thread-self/schedstat", u64::MAX).unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|number| number.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

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

/// Plays lines forward and back, as a search does. Returns the time of a move with its evaluation, if
/// there is one.
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

fn main() -> anyhow::Result<()> {
    let Some(name) = env::args().nth(1) else {
        bail!("usage: nnue_speed FILE | ARCHITECTURE");
    };
    let start = now();
    let network = if Path::new(&name).exists() {
        Network::open(&name).with_context(|| name.clone())?
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
