//! Learns the values of the pieces from zero, by several seeds.
//!
//! ```text
//! cargo run --release -p komadai-train --example piece_values -- 5 1000
//! ```

use anyhow::Context as _;
use komadai_core::PieceKind;
use komadai_train::methods::{PieceValues, PieceValuesOptions};

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |name| arguments.next().with_context(|| format!("the number of {name}"));
    let (seeds, games): (u64, u64) = (number("seeds")?.parse()?, number("games")?.parse()?);
    for seed in 1..=seeds {
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
