//! Tunes the parameters of the search, and measures the gain of each technique and of several threads.
//!
//! ```text
//! cargo run --release --example tune_search -- spsa --steps 2000 --state tuning.txt
//! cargo run --release --example tune_search -- compare reduction_slope=450 late_base=5 --nodes 20000
//! cargo run --release --example tune_search -- ablate --games 400 --nodes 10000
//! cargo run --release --example tune_search -- mates --nodes 20000
//! cargo run --release --example tune_search -- scale --threads 2 --depth 19
//! ```

mod ablate;
mod arena;
mod compare;
mod mates;
mod scale;
mod sources;
mod tuned;
mod spsa;

use clap::{Parser, Subcommand};

/// Tune the search by playing it against itself.
#[derive(Debug, Parser)]
#[command(
    name = "tune_search",
    version,
    after_help = "Examples:\n  tune_search spsa --steps 2000 --state tuning.txt\n  \
                  tune_search ablate --games 400 --nodes 10000 NULL_MOVE PROBCUT"
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Tune parameters by simultaneous perturbation (SPSA), continuing from the saved state.
    Spsa(spsa::Spsa),
    /// Play with changed parameters against the defaults.
    Compare(compare::Compare),
    /// Turn each technique off (or on, if it is off by default) and measure the change.
    Ablate(ablate::Ablate),
    /// Count the mates that the search finds with a mate solver and without.
    Mates(mates::Mates),
    /// Compare the time to a depth with several threads and with one.
    Scale(scale::Scale),
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Spsa(spsa) => spsa.run(),
        Command::Compare(compare) => compare.run(),
        Command::Ablate(ablate) => ablate.run(),
        Command::Mates(mates) => {
            mates.run();
            Ok(())
        }
        Command::Scale(scale) => scale.run(),
    }
}
