//! Studies of Monte Carlo tree search: speed, proofs, chosen moves, and matches between settings.
//!
//! ```text
//! cargo run --release -p komadai-lab -- monte-carlo-study speed
//! cargo run --release -p komadai-lab -- monte-carlo-study proofs --playouts 10000
//! cargo run --release -p komadai-lab -- monte-carlo-study choices modern modern,c=2 --nodes 20000
//! cargo run --release -p komadai-lab -- monte-carlo-study choices modern --played moves.txt --every 1
//! cargo run --release -p komadai-lab -- monte-carlo-study match modern ym2012 --games 200 --nodes 20000
//! cargo run --release -p komadai-lab -- monte-carlo-study match modern,c=1.5 modern --playouts 2000
//! cargo run --release -p komadai-lab -- monte-carlo-study skill --games 200
//! cargo run --release -p komadai-lab -- monte-carlo-study stops --stops 100
//! cargo run --release -p komadai-lab -- monte-carlo-study tree --svg > docs/tree.svg
//! cargo run --release -p komadai-lab -- monte-carlo-study tree --playouts 50000 startpos moves 7g7f 3c3d
//! ```

mod choices;
pub(crate) mod player;
mod proofs;
mod settings;
mod skill;
mod speed;
mod stops;
mod tree;
mod versus;

use clap::{Args, Subcommand};

/// Study Monte Carlo tree search.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Measure playouts and leaves per CPU second.
    Speed(speed::Speed),
    /// Count the mates that the tree proves, and look for false proofs.
    Proofs(Box<proofs::Proofs>),
    /// Value the moves chosen in positions of real games by a long search.
    Choices(Box<choices::Choices>),
    /// Play a match between two settings.
    Match(Box<versus::Versus>),
    /// Play matches between neighbouring levels of strength.
    Skill(skill::Levels),
    /// Measure the time between `stop` and the answer of the engine, in all search modes.
    Stops(stops::Stops),
    /// Print the moves of the root of a tree, or draw the tree.
    Tree(tree::Tree),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Speed(speed) => speed.run(),
        Command::Proofs(proofs) => proofs.run(),
        Command::Choices(choices) => choices.run(),
        Command::Match(versus) => versus.run(),
        Command::Skill(levels) => levels.run(),
        Command::Stops(stops) => stops.run(),
        Command::Tree(tree) => tree.run(),
    }
}
