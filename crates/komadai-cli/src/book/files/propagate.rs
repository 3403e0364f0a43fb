//! `book propagate`: values propagated through the whole book.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use komadai::bookgraph::{DbOptions, DrawValue, WrittenMoves};
use komadai_console::{note, print_json, stdout};
use serde_json::json;

use crate::book::files::source::{check_keeps_store, read_graph_with};

/// Propagate the values of a book to all its positions, and write the book with these values.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai book propagate in.db out.db --shrink")]
pub(crate) struct Options {
    /// Book: .db, .ybb, .bin, .sbk, or a working book, .kbook.
    input: PathBuf,
    /// Book to write in YaneuraOu's format .db; its positions keep their orientation.
    output: PathBuf,
    /// Write only the moves with the best value.
    #[arg(long)]
    shrink: bool,
    /// Value of a draw for Black, in centipawns.
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
    draw_value: i32,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
    /// Print the time of each step.
    #[arg(long)]
    verbose: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let started = Instant::now();
    let log = |what: &str| {
        if options.verbose {
            note!("{:8.3} s {what}", started.elapsed().as_secs_f64());
        }
    };
    check_keeps_store(&options.input, &options.output)?;
    let graph = read_graph_with(&options.input, DrawValue::for_black(options.draw_value))?;
    log("read and solved");
    let moves = if options.shrink { WrittenMoves::Best } else { WrittenMoves::All };
    let written = graph.save_db(&options.output, &DbOptions { moves, ..DbOptions::default() })?;
    log("written");
    if options.json {
        print_json(&json!({ "output": options.output, "positions": written }))?;
    } else {
        writeln!(stdout(), "{written} positions: {}", options.output.display())?;
    }
    Ok(())
}
