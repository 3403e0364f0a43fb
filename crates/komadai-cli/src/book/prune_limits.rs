//! The limits of pruning, as `book match`, `book shiba` and `book prune` have them.

use anyhow::ensure;
use clap::{Args, ValueEnum};
use komadai::book::games::{PruneOptions, PruneScope};

/// The arguments for [`PruneOptions`]; their names and defaults are those of its fields.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits of pruning")]
pub(super) struct PruneLimits {
    /// Minimum number of games of a pruned move.
    #[arg(long, default_value_t = PruneOptions::default().min_games, value_name = "N")]
    min_games: u32,
    /// Minimum number of games of a pruned move that differ in their moves.
    #[arg(long, default_value_t = PruneOptions::default().min_distinct_games, value_name = "N")]
    min_distinct_games: u32,
    /// Share of points, from 0 to 1, below which a move is pruned; a draw counts half.
    #[arg(long, default_value_t = PruneOptions::default().min_rate, value_name = "SHARE")]
    min_rate: f64,
    /// Games that are counted together.
    #[arg(long, value_enum, default_value_t = Scope::EachOpponent)]
    scope: Scope,
    /// Keep a move whose value leads every other move by this much, while its games are few.
    #[arg(long, default_value_t = PruneOptions::default().guard_cp, value_name = "CP")]
    guard_cp: u16,
    /// Number of different games up to which such a move is kept; 0 keeps none.
    #[arg(long, default_value_t = PruneOptions::default().guard_games, value_name = "N")]
    guard_games: u32,
}

/// The games that are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scope {
    /// All games.
    Together,
    /// All games, and also those against each opponent separately.
    EachOpponent,
}

impl PruneLimits {
    /// Returns the limits, or the fault of an argument.
    pub(super) fn options(&self) -> anyhow::Result<PruneOptions> {
        let min_rate = self.min_rate;
        ensure!((0.0..=1.0).contains(&min_rate), "--min-rate {min_rate}: expected 0 to 1");
        Ok(PruneOptions {
            min_games: self.min_games,
            min_distinct_games: self.min_distinct_games,
            min_rate,
            scope: match self.scope {
                Scope::Together => PruneScope::Together,
                Scope::EachOpponent => PruneScope::EachOpponent,
            },
            guard_cp: self.guard_cp,
            guard_games: self.guard_games,
        })
    }
}
