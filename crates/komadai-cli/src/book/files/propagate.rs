//! `book propagate`: the values that follow from everything the book knows.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use komadai::bookgraph::{DbOptions, DrawValue, WrittenMoves};
use serde_json::json;

use crate::source::read_graph_with;

/// Values every position by the best that the book knows of it, and writes the book with these values.
#[derive(Debug, Args)]
#[command(after_help = "Example: book propagate in.db out.db --shrink")]
pub(crate) struct Options {
    /// The book: .db, .ybb, .bin, .sbk, or a working book, .kbook.
    input: PathBuf,
    /// The book to write, in YaneuraOu's format .db; its positions keep their orientation.
    output: PathBuf,
    /// Write only the moves that are worth as much as the best.
    #[arg(long)]
    shrink: bool,
    /// What a draw is worth to Black, in centipawns.
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
    draw_value: i32,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
    /// Say how long each step takes.
    #[arg(long)]
    verbose: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let started = Instant::now();
    let say = |what: &str| {
        if options.verbose {
            eprintln!("{:8.3} s {what}", started.elapsed().as_secs_f64());
        }
    };
    let graph = read_graph_with(&options.input, DrawValue::for_black(options.draw_value))?;
    say("read and solved");
    let moves = if options.shrink { WrittenMoves::Best } else { WrittenMoves::All };
    let written = graph.save_db(&options.output, &DbOptions { moves, ..DbOptions::default() })?;
    say("written");
    match options.json {
        true => println!("{}", json!({ "output": options.output, "positions": written })),
        false => println!("{written} positions: {}", options.output.display()),
    }
    Ok(())
}
