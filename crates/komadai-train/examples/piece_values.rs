//! Learns the values of the pieces from zero, by several seeds.
//!
//! ```text
//! cargo run --release -p komadai-train --example piece_values -- 4000 1 2 3 4 5
//! ```

use anyhow::Context as _;
use komadai_core::PieceKind;
use komadai_train::methods::{PieceValues, PieceValuesOptions};

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |name| arguments.next().with_context(|| format!("expected {name}"));
    let games: u64 = number("the number of games and the seeds")?.parse()?;
    for seed in std::env::args().skip(2) {
        let mut learned = PieceValues::new(PieceValuesOptions::default(), seed.parse()?);
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
