//! `book propagate`: the values that follow from everything the book knows.

use std::fs::File;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use komadai::book::{BookGraph, DbOptions, GraphBuilder, WrittenMoves};
use komadai::kifu::Tolerance;

/// Values every position by the best of all that the book knows, and writes the book with them.
#[derive(Debug, Args)]
#[command(after_help = "Example: book propagate in.db out.db --shrink")]
pub(crate) struct Options {
    /// The book, in YaneuraOu's format.
    input: PathBuf,
    /// The book to write; its positions keep their orientation.
    output: PathBuf,
    /// Write only the moves that are worth as much as the best.
    #[arg(long)]
    shrink: bool,
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
    let mut builder = GraphBuilder::new();
    let file = File::open(&options.input)
        .with_context(|| format!("cannot open {}", options.input.display()))?;
    let import = builder
        .read_db(file, Tolerance::Lenient)
        .with_context(|| format!("cannot read {}", options.input.display()))?;
    if import.skipped.count() > 0 {
        eprintln!("warning: {} lines or positions skipped", import.skipped.count());
    }
    say("read");
    let graph: BookGraph = builder.finish()?;
    say("solved");
    let moves = if options.shrink { WrittenMoves::Best } else { WrittenMoves::All };
    let written = graph.save_db(&options.output, &DbOptions { moves, ..DbOptions::default() })?;
    say("written");
    println!("{written} positions: {}", options.output.display());
    Ok(())
}
