//! What a move may cost: the part of the command line about time, nodes and depth.

use std::time::Duration;

use clap::Args;
use komadai::engine::arena::TimeControl;

/// Limits of both players, and of each alone.
#[derive(Debug, Args)]
pub(crate) struct Limits {
    /// Nodes for each move.
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Depth of each search, in plies.
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<u32>,
    /// Time for each move, said as `movetime`.
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
    /// Time for each move after the main time, said as `byoyomi`.
    #[arg(long, value_name = "MS")]
    pub byoyomi: Option<u64>,
    /// Main time of the game.
    #[arg(long, value_name = "MS")]
    pub time: Option<u64>,
    /// Time that each move adds.
    #[arg(long, value_name = "MS")]
    pub increment: Option<u64>,
    /// Limits of the first player alone, in place of those above: nodes …
    #[arg(long, value_name = "N")]
    pub nodes_first: Option<u64>,
    /// … depth …
    #[arg(long, value_name = "PLIES")]
    pub depth_first: Option<u32>,
    /// … time for each move …
    #[arg(long, value_name = "MS")]
    pub movetime_first: Option<u64>,
    /// … or byoyomi.
    #[arg(long, value_name = "MS")]
    pub byoyomi_first: Option<u64>,
    /// Limits of the second player alone: nodes …
    #[arg(long, value_name = "N")]
    pub nodes_second: Option<u64>,
    /// … depth …
    #[arg(long, value_name = "PLIES")]
    pub depth_second: Option<u32>,
    /// … time for each move …
    #[arg(long, value_name = "MS")]
    pub movetime_second: Option<u64>,
    /// … or byoyomi.
    #[arg(long, value_name = "MS")]
    pub byoyomi_second: Option<u64>,
}

impl Limits {
    /// What the first player and the second may spend.
    pub(crate) fn controls(&self) -> [TimeControl; 2] {
        let common = TimeControl {
            main: ms(self.time).unwrap_or_default(),
            increment: ms(self.increment).unwrap_or_default(),
            ..control(self.nodes, self.depth, self.movetime, self.byoyomi)
        };
        let first =
            control(self.nodes_first, self.depth_first, self.movetime_first, self.byoyomi_first);
        let second = control(
            self.nodes_second,
            self.depth_second,
            self.movetime_second,
            self.byoyomi_second,
        );
        [first, second].map(|own| if own.is_unlimited() { common.clone() } else { own })
    }
}

fn ms(milliseconds: Option<u64>) -> Option<Duration> {
    milliseconds.map(Duration::from_millis)
}

fn control(
    nodes: Option<u64>,
    depth: Option<u32>,
    move_time: Option<u64>,
    byoyomi: Option<u64>,
) -> TimeControl {
    let byoyomi = ms(byoyomi).unwrap_or_default();
    TimeControl { byoyomi, move_time: ms(move_time), nodes, depth, ..TimeControl::default() }
}
