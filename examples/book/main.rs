//! Opening books: reading, converting, valuing, growing, pruning, showing.
//!
//! ```console
//! cargo run --release --example book -- propagate in.db out.db
//! ```
//!
//! Each subcommand is a few lines over `komadai::book`; its module tells which.

mod source;

mod propagate;
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
    Report(report::Options),
}

fn main() -> ExitCode {
    let result = match Options::parse().command {
        Command::Propagate(options) => propagate::run(&options),
        Command::Report(options) => report::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
