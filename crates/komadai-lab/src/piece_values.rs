//! Learns the values of the pieces from zero, by several seeds.
//!
//! ```text
//! cargo run --release -p komadai-lab -- piece-values 4000 1 2 3 4 5
//! ```

use clap::Args;
use komadai::core::PieceKind;
use komadai::train::methods::{PieceValues, PieceValuesOptions};

/// Learn the values of the pieces from zero.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Number of games.
    games: u64,
    /// Seeds, a run each.
    #[arg(required = true)]
    seeds: Vec<u64>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let games = arguments.games;
    for &seed in &arguments.seeds {
        let mut learned = PieceValues::new(PieceValuesOptions::default(), seed);
        for game in 1..=games {
            learned.play();
            if game % (games / 4).max(1) == 0 {
                let kinds = PieceKind::ALL.into_iter().filter(|kind| *kind != PieceKind::King);
                let values = kinds.map(|kind| format!("{kind:?} {:.0}", learned.value(kind)));
                println!("seed {seed}, {game} games: {}", values.collect::<Vec<_>>().join(", "));
            }
        }
    }
    Ok(())
}
