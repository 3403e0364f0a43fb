//! Grows an opening book from games: values their moves, then searches the positions where good
//! play ends.
//!
//! ```text
//! cargo run --release --example grow_book                                  # 77 bundled games, a minute
//! cargo run --release --example grow_book -- --out my_book --nodes 500000 games/
//! cargo run --release --example grow_book -- --out my_book --positions 1000         # continues the book
//! ```

use std::process::ExitCode;

fn main() -> ExitCode {
    komadai_console::run_as::<komadai_grow::GrowArgs>("grow_book")
}
