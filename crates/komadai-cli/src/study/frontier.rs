//! `study frontier`.

use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use komadai_study::Source;
use komadai_study::frontier::FrontierStudyOptions;

use crate::study::output::{CommandLine, Output};

const GROWN: NonZero<usize> = NonZero::new(11).expect("11 is not 0");
const POSITIONS: usize = 200;
const NODES: u64 = 5_000;
const EVAL_DIFF: i32 = 30;

/// Selection of the positions of a book to search next (やねうらお).
///
/// Grows small books from parts of 77 bundled games and counts the positions that each rule selects,
/// or counts them in the books that --book names. Each book that is grown is kept in the folder.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// Book in YaneuraOu's format to count in place of grown ones; may be given several times.
    #[arg(long, value_name = "FILE")]
    book: Vec<PathBuf>,
    /// Number of books to grow.
    #[arg(long, value_name = "N", default_value_t = GROWN)]
    books: NonZero<usize>,
    /// Number of positions that each book is grown by.
    #[arg(long, value_name = "N", default_value_t = POSITIONS)]
    positions: usize,
    /// About the nodes of each position.
    #[arg(long, value_name = "N", default_value_t = NODES)]
    nodes: u64,
    /// Width of the window of the claims in centipawns.
    #[arg(long, value_name = "CP", default_value_t = EVAL_DIFF,
          value_parser = clap::value_parser!(i32).range(0..=50))]
    eval_diff: i32,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let Options { book, books, positions, nodes, eval_diff, output } = options;
    let command = CommandLine::new(Source::Frontier)
        .with("books", books, &GROWN)
        .with("positions", positions, &POSITIONS)
        .with("nodes", nodes, &NODES)
        .with("eval-diff", eval_diff, &EVAL_DIFF)
        .with_files("book", book);
    let study = FrontierStudyOptions {
        books: book.clone(),
        folder: output.out.join("frontier"),
        grown: *books,
        positions: *positions,
        nodes: *nodes,
        eval_diff: *eval_diff,
        threads: output.threads(),
    };
    output.write(Source::Frontier, |stop| study.measure(command.text(), stop))
}
