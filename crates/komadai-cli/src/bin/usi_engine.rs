//! A shogi engine for graphical interfaces (ShogiHome, Shogidokoro, ShogiGUI) and match runners.
//!
//! ```text
//! cargo build --release --bin usi_engine     # then register target/release/usi_engine
//! cargo run --release --bin usi_engine -- bench
//! printf 'position startpos\ngo nodes 100000\n' | cargo run --release --bin usi_engine
//! ```

use std::process::ExitCode;

fn main() -> ExitCode {
    komadai_console::run_as::<komadai_cli::engine::EngineArgs>("usi_engine")
}
