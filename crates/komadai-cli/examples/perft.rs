//! Counts the move sequences of a position, the usual test and benchmark of move generators.
//!
//! ```text
//! cargo run --release --example perft -- --depth 5
//! cargo run --release --example perft -- --depth 3 --divide \
//!     --sfen "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
//! ```

use std::process::ExitCode;

fn main() -> ExitCode {
    komadai_console::run_as::<komadai_cli::perft::PerftArgs>("perft")
}
