//! A shogi engine for graphical interfaces (ShogiHome, Shogidokoro, ShogiGUI, …) and match runners.
//!
//! ```text
//! cargo build --release --example usi_engine     # then register target/release/examples/usi_engine
//! cargo run --release --example usi_engine -- bench
//! printf 'position startpos\ngo nodes 100000\n' | cargo run --release --example usi_engine
//! ```

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use komadai::engine::UsiEngine;
use komadai::eval::Classical;
use komadai::search::SearchOptions;
use komadai::search::bench::{BENCH_DEPTH, bench};
use komadai::usi::serve_stdio;

/// Speak USI on stdin and stdout until `quit`.
#[derive(Debug, Parser)]
#[command(
    name = "usi_engine",
    version,
    after_help = "Example:\n  printf 'usi\\nposition startpos\\ngo nodes 100000\\n' | usi_engine\n\n\
                  Options are set by `setoption`, as `usi` lists them. `quit` ends it at once; where the \n\
                  input ends, a search with a limit of its own is finished first.\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage."
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Search a fixed list of positions; print the nodes, which only a change of the search
    /// changes, and how many were visited a second.
    Bench {
        /// How deep to search each position, in plies. The signature is taken at the default.
        #[arg(long, default_value_t = BENCH_DEPTH)]
        #[arg(value_parser = clap::value_parser!(u32).range(1..=64))]
        depth: u32,
    },
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        None => serve_stdio(UsiEngine::new()),
        Some(Command::Bench { depth }) => {
            let report = bench(&Classical::default(), &SearchOptions::default(), depth);
            let first = report.statistics.first_move_cut_rate().unwrap_or_default();
            println!("first-move cut rate {:.1} %", 100.0 * first);
            println!("nodes {}\nnps {}", report.nodes, report.nodes_per_second());
            Ok(())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The interface is gone: nobody is left to be told.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("usi_engine: {error}");
            ExitCode::FAILURE
        }
    }
}
