//! The conditions of the games of all subcommands.

use std::fmt;
use std::path::PathBuf;

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
    /// A network for both players in place of the bundled one.
    #[arg(long, value_name = "FILE")]
    pub(crate) network: Option<PathBuf>,
}

impl fmt::Display for Terms {
    /// Writes the conditions that determine the games.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes, adjudicated at {}", self.nodes, self.adjudicate)?;
        self.network.iter().try_for_each(|file| write!(f, ", network {}", file.display()))
    }
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
        let players = players.map(|player| self.with_network(player));
        Ok(*arena.play([(&parts, &players[0]), (&parts, &players[1])])?.pairs())
    }

    /// Returns the settings with the network of these terms.
    fn with_network(&self, player: &Settings) -> Settings {
        let eval_file = self.network.clone().or_else(|| player.eval_file.clone());
        Settings { eval_file, ..player.clone() }
    }
}
