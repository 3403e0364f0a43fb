//! Reads, converts, values, grows, prunes and shows opening books.
//!
//! ```text
//! cargo run --release --example book -- propagate in.db out.db
//! ```

use std::process::ExitCode;

fn main() -> ExitCode {
    komadai_console::run_as::<komadai_cli::book::BookArgs>("book")
}
