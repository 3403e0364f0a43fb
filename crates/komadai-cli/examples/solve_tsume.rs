//! Solves tsume problems (詰将棋): mate, no mate, or unknown when the budget is spent.
//!
//! ```text
//! cargo run --release --example solve_tsume -- --sfen "4k4/9/4P4/9/9/9/9/9/9 b G 1"
//! cargo run --release --example solve_tsume -- --shortest \
//!     --file crates/komadai-testdata/data/tsume/short_selfplay.tsv
//! ```

use std::process::ExitCode;

fn main() -> ExitCode {
    komadai_console::run_as::<komadai_cli::tsume::TsumeArgs>("solve_tsume")
}
