//! Matches between two settings.

use clap::Args;
use komadai::matches::Rules;

use crate::arena::{Arena, counts, elo, settings};
use crate::monte_carlo_study::player::Description;

/// Options of `match`.
#[derive(Debug, Args)]
pub(crate) struct Versus {
    /// The first player: a preset and changes.
    first: Description,
    /// The second player.
    second: Description,
    /// Number of games, in pairs with colours exchanged.
    #[arg(long, default_value_t = 100)]
    games: usize,
    /// Nodes per move of each player.
    #[arg(long, num_args = 1..=2, default_values_t = [u64::MAX])]
    nodes: Vec<u64>,
    /// Results per move of each player.
    #[arg(long, num_args = 1..=2)]
    playouts: Vec<u64>,
    /// Memory of each player in MiB.
    #[arg(long, default_value_t = 64)]
    hash: usize,
    /// Seed of the random moves after the openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Versus {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let nodes = [0, 1].map(|side| of_side(&self.nodes, side).unwrap_or(u64::MAX));
        let arena = Arena {
            games: self.games,
            nodes,
            seed: self.seed,
            rules: Rules::default(),
            concurrency: 0,
        };
        let mut players = [self.first.clone(), self.second.clone()];
        for (side, player) in players.iter_mut().enumerate() {
            player.set_playouts(of_side(&self.playouts, side));
        }
        let [first, second] = players.map(Description::parts);
        let settings = settings(self.hash);
        let tally = arena.play([(&first, &settings), (&second, &settings)])?;
        println!("{}", counts(&tally));
        for (name, usage) in ["first", "second"].into_iter().zip(tally.usage()) {
            let cpu = usage.mean_cpu().unwrap_or_default();
            println!("{name}: {cpu:.1?} of CPU time and {:.0} nodes a move", usage.mean_nodes());
        }
        if let Some(elo) = elo(tally.pairs()) {
            println!("Elo {elo}");
        }
        Ok(())
    }
}

/// Returns the value of a side: its own, or the only one.
fn of_side(values: &[u64], side: usize) -> Option<u64> {
    values.get(side).or(values.first()).copied()
}
