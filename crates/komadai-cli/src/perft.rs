//! Perft: the number of move sequences of a position, the usual test and benchmark of move
//! generators.

use std::io::{self, Write as _};
use std::num::NonZero;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;
use komadai::core::{Move, Position};
use komadai::movegen::{MoveGen, perft, perft_full, perft_parallel};
use komadai_console::{Program, note, stdout};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::arguments::position::PositionArgs;

/// Count the move sequences of a position ("perft").
///
/// The last line of the output is `nodes N`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  komadai perft --depth 4 --threads 2\n  nodes 719731\n\n\
                  Exit codes: 0 counted, 1 failed, 2 bad usage.")]
pub struct PerftArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Length of the sequences in plies.
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=32))]
    depth: u32,
    /// Print the count after each first move.
    #[arg(long)]
    divide: bool,
    /// Number of threads.
    #[arg(long, default_value = "1")]
    threads: NonZero<usize>,
    /// Play the moves of the last ply instead of only counting them.
    #[arg(long)]
    full: bool,
}

impl Program for PerftArgs {
    const SUBCOMMAND: &'static str = "perft";

    fn run(&self) -> anyhow::Result<ExitCode> {
        let position = self.position.position()?;
        let pool = ThreadPoolBuilder::new().num_threads(self.threads.get()).build();
        let pool = pool.context("cannot start the threads")?;
        let start = Instant::now();
        let nodes = pool.install(|| {
            if self.divide && self.depth > 0 {
                divide(&position, self)
            } else {
                Ok(count(&position, self.depth, self))
            }
        })?;
        report_speed(nodes, start.elapsed());
        writeln!(stdout(), "nodes {nodes}")?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Prints the counts of the first moves, sorted by their text, and returns the sum.
fn divide(position: &Position, arguments: &PerftArgs) -> io::Result<u64> {
    let mut moves: Vec<Move> = position.legal_moves().to_vec();
    moves.sort_by_key(Move::to_string);
    let rest = arguments.depth - 1;
    let counts = moves.iter().map(|&m| (m, count(&position.after(m), rest, arguments)));
    let printed = counts.map(|(m, nodes)| writeln!(stdout(), "{m}: {nodes}").map(|()| nodes));
    printed.sum()
}

fn count(position: &Position, depth: u32, arguments: &PerftArgs) -> u64 {
    match (arguments.full, arguments.threads.get()) {
        (false, 1) => perft(&position.clone(), depth),
        (false, _) => perft_parallel(position, depth, arguments.threads),
        (true, 1) => perft_full(&position.clone(), depth),
        (true, _) if depth == 0 => 1,
        (true, _) => {
            let moves = position.legal_moves().to_vec();
            moves.into_par_iter().map(|m| perft_full(&position.after(m), depth - 1)).sum()
        }
    }
}

/// Prints the speed on standard error; standard output is for the counts.
fn report_speed(nodes: u64, elapsed: Duration) {
    let seconds = elapsed.as_secs_f64();
    let millions = nodes as f64 / seconds.max(1e-9) / 1e6;
    note!("{seconds:.3} s, {millions:.1} M nodes/s");
}
