//! The conditions of the games of all subcommands.

use clap::Args;
use komadai::engine::{Parts, Settings};
use komadai::matches::{Adjudication, Pentanomial, Rules};

use crate::arena::Arena;

/// The conditions of the games.
#[derive(Debug, Clone, Args)]
pub(crate) struct Terms {
    /// Nodes per move.
    #[arg(long, default_value_t = 5_000)]
    pub(crate) nodes: u64,
    /// Number of games played at the same time; 0 for one per processor.
    #[arg(long, default_value_t = 0)]
    pub(crate) concurrency: usize,
    /// Value in centipawns at which a game ends, when for three moves of each side both agree on
    /// it; 0 to play all games to their end.
    #[arg(long, default_value_t = 0)]
    pub(crate) adjudicate: i32,
}

impl Terms {
    /// Plays `games` games in pairs with colours exchanged, and returns the counts of pairs from
    /// the first player's point of view.
    pub(crate) fn play(
        &self,
        players: [&Settings; 2],
        games: usize,
        seed: u64,
    ) -> anyhow::Result<Pentanomial> {
        let agreed = Adjudication { score_cp: self.adjudicate, moves: 3 };
        let adjudication = (self.adjudicate > 0).then_some(agreed);
        let arena = Arena {
            games,
            nodes: [self.nodes; 2],
            seed,
            rules: Rules { adjudication, ..Rules::default() },
            concurrency: self.concurrency,
        };
        let parts = Parts::default();
        Ok(*arena.play(players.map(|settings| (&parts, settings)))?.pairs())
    }
}
