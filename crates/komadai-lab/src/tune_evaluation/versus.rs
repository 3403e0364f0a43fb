//! Matches between two sets of parameters.

use std::path::PathBuf;

use clap::Args;
use komadai::engine::Parts;
use komadai::matches::{Adjudication, Rules};

use crate::arena::{Arena, counts, elo, settings};
use crate::evaluators::evaluation;

/// Options of `match`.
#[derive(Debug, Args)]
pub(crate) struct Versus {
    /// File with the parameters of the first player, or `hand-set`.
    first: PathBuf,
    /// File with the parameters of the second player [default: the built-in ones].
    second: Option<PathBuf>,
    /// Number of games; each opening is played with both colours.
    #[arg(long, default_value_t = 400)]
    games: usize,
    /// Number of nodes per move.
    #[arg(long, default_value_t = 3_000)]
    nodes: u64,
}

/// The end of a game that one side leads by so much that both agree on it twice.
const RESIGNATION: Adjudication = Adjudication { score_cp: 3_000, moves: 2 };

impl Versus {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let first = Parts::alpha_beta(evaluation(Some(&self.first))?);
        let second = Parts::alpha_beta(evaluation(self.second.as_deref())?);
        let arena = Arena {
            games: self.games,
            nodes: [self.nodes; 2],
            seed: 1,
            rules: Rules { adjudication: Some(RESIGNATION), ..Rules::default() },
            concurrency: 0,
        };
        let settings = settings(8);
        let tally = arena.play([(&first, &settings), (&second, &settings)])?;
        println!("{}", counts(&tally));
        if let Some(elo) = elo(tally.pairs()) {
            println!("Elo {elo}");
        }
        Ok(())
    }
}
