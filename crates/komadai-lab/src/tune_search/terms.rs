//! The conditions of the games of all subcommands.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::Args;
use komadai::book::Fingerprint;
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
        self.network.iter().try_for_each(|file| write!(f, ", network {}", named(file)))
    }
}

/// Returns the name of a file with the fingerprint of its content: another file under the same name
/// is another condition.
pub(super) fn named(file: &Path) -> String {
    match Fingerprint::of_file(file) {
        Ok(content) => format!("{} {:016x}", file.display(), content.number()),
        // Whoever uses the file reports the reason.
        Err(_) => format!("{} unreadable", file.display()),
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

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn another_content_under_the_same_name_is_another_condition() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.tsv");
        assert!(named(&file).ends_with(" unreadable"));
        std::fs::write(&file, "one").expect("it can be written");
        let one = named(&file);
        std::fs::write(&file, "two").expect("it can be written");
        assert_ne!(named(&file), one);
        std::fs::write(&file, "one").expect("it can be written");
        assert_eq!(named(&file), one);
    }
}
