//! Counts the move sequences of a position (perft): the usual correctness and speed test of move
//! generators.
//!
//! ```text
//! cargo run --release --example perft -- --depth 5
//! cargo run --release --example perft -- --depth 3 --divide \
//!     --sfen "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
//! ```

use std::num::NonZero;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Parser;
use komadai::core::{Move, Position};
use komadai::movegen::{MoveGen, perft, perft_full, perft_parallel};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

/// Count the move sequences of a position (perft). The last line of the output is `nodes N`.
#[derive(Debug, Parser)]
#[command(
    name = "perft",
    version,
    after_help = "Example:\n  perft --depth 4 --threads 2\n  nodes 719731\n\n\
                  Exit codes: 0 counted, 1 failed, 2 bad usage."
)]
struct Arguments {
    /// Position as SFEN or `startpos` [default: startpos].
    #[arg(long, value_parser = parse_position)]
    sfen: Option<Position>,
    /// Length of the sequences in plies.
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=32))]
    depth: u32,
    /// Print the count after each first move.
    #[arg(long)]
    divide: bool,
    /// Number of threads.
    #[arg(long, default_value = "1")]
    threads: NonZero<usize>,
    /// Make the moves of the last ply as well, instead of counting them only.
    #[arg(long)]
    full: bool,
}

fn parse_position(sfen: &str) -> Result<Position, String> {
    match sfen {
        "startpos" => Ok(Position::hirate()),
        _ => Position::from_sfen(sfen).map_err(|error| error.to_string()),
    }
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let position = arguments.sfen.clone().unwrap_or_default();
    let pool = ThreadPoolBuilder::new().num_threads(arguments.threads.get()).build();
    let pool = pool.context("cannot start the threads")?;
    let start = Instant::now();
    let nodes = pool.install(|| match arguments.divide && arguments.depth > 0 {
        true => divide(&position, &arguments),
        false => count(&position, arguments.depth, &arguments),
    });
    report_speed(nodes, start.elapsed());
    println!("nodes {nodes}");
    Ok(())
}

/// Prints the counts after each first move, sorted by the text of the move, and returns their sum.
fn divide(position: &Position, arguments: &Arguments) -> u64 {
    let mut moves: Vec<Move> = position.legal_moves().to_vec();
    moves.sort_by_key(Move::to_string);
    let rest = arguments.depth - 1;
    let counts = moves.iter().map(|&m| (m, count(&position.after(m), rest, arguments)));
    counts.inspect(|(m, nodes)| println!("{m}: {nodes}")).map(|(_, nodes)| nodes).sum()
}

fn count(position: &Position, depth: u32, arguments: &Arguments) -> u64 {
    match (arguments.full, arguments.threads.get()) {
        (false, 1) => perft(&mut position.clone(), depth),
        (false, _) => perft_parallel(position, depth),
        (true, 1) => perft_full(&mut position.clone(), depth),
        (true, _) if depth == 0 => 1,
        (true, _) => {
            let moves = position.legal_moves().to_vec();
            moves.into_par_iter().map(|m| perft_full(&mut position.after(m), depth - 1)).sum()
        }
    }
}

/// Prints the speed to stderr, because stdout is for the counts.
fn report_speed(nodes: u64, elapsed: Duration) {
    let seconds = elapsed.as_secs_f64();
    let millions = nodes as f64 / seconds.max(1e-9) / 1e6;
    eprintln!("{seconds:.3} s, {millions:.1} M nodes/s");
}
