//! Tunes the parameters of the search, and measures the gain of each technique and of several
//! threads.
//!
//! ```text
//! cargo run --release -p komadai-lab -- tune-search spsa --steps 2000 --state tuning.txt
//! cargo run --release -p komadai-lab -- tune-search compare reduction_slope=450,late_base=5 --record games
//! cargo run --release -p komadai-lab -- tune-search errors positions.tsv capture_probcut_margin=300
//! cargo run --release -p komadai-lab -- tune-search slopes positions.tsv --record samples
//! cargo run --release -p komadai-lab -- tune-search ablate --nodes 10000 --record games
//! cargo run --release -p komadai-lab -- tune-search mates --nodes 20000
//! cargo run --release -p komadai-lab -- tune-search scale --threads 2 --depth 19
//! ```

mod ablate;
mod change;
mod compare;
mod errors;
mod factorial;
mod judged;
mod mates;
mod scale;
mod slopes;
mod spsa;
mod terms;
mod tuned;

use clap::{Args, Subcommand};

/// Tune the search by playing it against itself.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tune-search spsa --steps 2000 --state tuning.txt\n  \
                  tune-search ablate --games 400 --nodes 10000 --record games NULL_MOVE CAPTURE_PROBCUT")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Tune parameters by simultaneous perturbation (SPSA), continuing from the saved state.
    Spsa(spsa::Spsa),
    /// Play with changed parameters against the defaults.
    Compare(compare::Compare),
    /// Measure how far values of short searches are from those of long ones.
    Errors(errors::Errors),
    /// Measure how these errors change with each parameter, all of them moving at once.
    Slopes(slopes::Slopes),
    /// Turn each technique off (or on, if it is off by default) and measure the change.
    Ablate(ablate::Ablate),
    /// Count the mates that the search finds with a mate solver and without.
    Mates(mates::Mates),
    /// Compare the time to a depth with several threads and with one.
    Scale(scale::Scale),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Spsa(spsa) => spsa.run(),
        Command::Compare(compare) => compare.run(),
        Command::Errors(errors) => errors.run(),
        Command::Slopes(slopes) => slopes.run(),
        Command::Ablate(ablate) => ablate.run(),
        Command::Mates(mates) => mates.run(),
        Command::Scale(scale) => scale.run(),
    }
}
