//! Plays a match between two engines: which is the stronger one, and how certain that is.
//!
//! ```text
//! cargo run --release --example match_engines -- --first komadai --second 'komadai:MateNodes=0' \
//!     --nodes 2000 --games 400 --concurrency 2 --out target/match
//! cargo run --release --example match_engines -- --first target/release/usi_engine \
//!     --second '/opt/engines/other --quiet' --option-second Threads=1 --byoyomi 100 --games 100
//! cargo run --release --example match_engines -- --first komadai --second /opt/engines/previous \
//!     --nodes 20000 --sprt 0,5 --games 10000 --out target/sprt
//! ```

use std::process::ExitCode;

fn main() -> ExitCode {
    komadai_console::run_as::<komadai_cli::matches::MatchArgs>("match_engines")
}
