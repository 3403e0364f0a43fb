//! Opening books: reading, converting, valuing, growing, pruning, showing.
//!
//! ```console
//! cargo run --release --example book -- propagate in.db out.db
//! ```
//!
//! Each subcommand is a few lines over `komadai::book`; its module tells which.

#[path = "../match_engines/engine.rs"]
mod engine;
#[path = "../match_engines/openings.rs"]
mod openings;

mod failure;
mod interrupt;
mod counted;
mod progress;
mod source;
mod usage;
mod value;
mod warnings;

mod listing;
mod next;
mod opponent;
mod analysts;
mod growth;
mod players;
mod varied;

mod match_report;
mod match_tables;

mod frontier_diff;
mod grow;
mod play;
mod propagate;
mod refutations;
mod rejoin;
mod selection;
mod side;
mod unsolved;
mod window;
mod report;
mod state_json;
mod clock;
mod lookup;
mod now;
mod output;
mod position;

mod convert;
mod import;
mod info;
mod log;
mod maintenance;
mod merge;
mod policy;
mod probe;
mod prune;
mod refresh;
mod scale_plot;
mod snapshot;
mod sort;
mod sources;
mod undo;
mod validate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Opening books: reading, converting, valuing, growing, pruning, showing.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Example: book propagate in.db out.db\n\n\
                  Exit codes: 0 done, 1 failed or faults found, 2 bad usage. What a book is, its content \
                  tells. Working books (.kbook) keep every evaluation with its engine, games, deletions \
                  that can be undone, and jobs."
)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Info(info::Options),
    Probe(probe::Options),
    Convert(convert::Options),
    Sort(sort::Options),
    Merge(merge::Options),
    Validate(validate::Options),
    Propagate(propagate::Options),
    Next(next::Options),
    FrontierDiff(frontier_diff::Options),
    Refutations(refutations::Options),
    Rejoin(rejoin::Options),
    Unsolved(unsolved::Options),
    Opponent(opponent::Options),
    Grow(grow::Options),
    Match(Box<play::Options>),
    Report(report::Options),
    Import(import::Options),
    Sources(sources::Options),
    Refresh(refresh::Options),
    Policy(policy::Options),
    Prune(prune::Options),
    Undo(undo::Options),
    Snapshot(snapshot::Options),
    Log(log::Options),
    Check(maintenance::CheckOptions),
    Compact(maintenance::CompactOptions),
}

fn main() -> ExitCode {
    let result = match Options::parse().command {
        Command::Info(options) => info::run(&options),
        Command::Probe(options) => probe::run(&options),
        Command::Convert(options) => convert::run(&options),
        Command::Sort(options) => sort::run(&options),
        Command::Merge(options) => merge::run(&options),
        Command::Validate(options) => validate::run(&options),
        Command::Propagate(options) => propagate::run(&options),
        Command::Next(options) => next::run(&options),
        Command::FrontierDiff(options) => frontier_diff::run(&options),
        Command::Refutations(options) => refutations::run(&options),
        Command::Rejoin(options) => rejoin::run(&options),
        Command::Unsolved(options) => unsolved::run(&options),
        Command::Opponent(options) => opponent::run(&options),
        Command::Grow(options) => grow::run(&options),
        Command::Match(options) => play::run(&options),
        Command::Report(options) => report::run(&options),
        Command::Import(options) => import::run(&options),
        Command::Sources(options) => sources::run(&options),
        Command::Refresh(options) => refresh::run(&options),
        Command::Policy(options) => policy::run(&options),
        Command::Prune(options) => prune::run(&options),
        Command::Undo(options) => undo::run(&options),
        Command::Snapshot(options) => snapshot::run(&options),
        Command::Log(options) => log::run(&options),
        Command::Check(options) => maintenance::check(&options),
        Command::Compact(options) => maintenance::compact(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => match error.downcast_ref::<clap::Error>() {
            // It says by itself that it is an error, and ends with code 2.
            Some(usage) => usage.exit(),
            None => {
                eprintln!("error: {}", failure::describe(&error));
                ExitCode::FAILURE
            }
        },
    }
}
