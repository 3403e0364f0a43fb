//! Opening books: reading, converting, valuing, growing, pruning, showing.
//!
//! ```console
//! cargo run --release --example book -- propagate in.db out.db
//! ```
//!
//! Each subcommand is a few lines over `komadai::book`; its module tells which.

#[path = "../match_engines/engine.rs"]
mod engine;

mod interrupt;
mod progress;
mod source;
mod usage;

mod listing;
mod next;
mod opponent;
mod analysts;
mod growth;
mod players;
mod varied;

mod match_report;
mod match_tables;

mod grow;
mod play;
mod propagate;
mod refutations;
mod rejoin;
mod selection;
mod unsolved;
mod report;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Opening books: reading, converting, valuing, growing, pruning, showing.
#[derive(Debug, Parser)]
#[command(version, after_help = "Example: book propagate in.db out.db")]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Propagate(propagate::Options),
    Next(next::Options),
    Refutations(refutations::Options),
    Rejoin(rejoin::Options),
    Unsolved(unsolved::Options),
    Opponent(opponent::Options),
    Grow(grow::Options),
    Match(Box<play::Options>),
    Report(report::Options),
}

fn main() -> ExitCode {
    let result = match Options::parse().command {
        Command::Propagate(options) => propagate::run(&options),
        Command::Next(options) => next::run(&options),
        Command::Refutations(options) => refutations::run(&options),
        Command::Rejoin(options) => rejoin::run(&options),
        Command::Unsolved(options) => unsolved::run(&options),
        Command::Opponent(options) => opponent::run(&options),
        Command::Grow(options) => grow::run(&options),
        Command::Match(options) => play::run(&options),
        Command::Report(options) => report::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => match error.downcast_ref::<clap::Error>() {
            // It says by itself that it is an error, and ends with code 2.
            Some(usage) => usage.exit(),
            None => {
                eprintln!("error: {error:#}");
                ExitCode::FAILURE
            }
        },
    }
}
