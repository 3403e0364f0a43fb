//! The limits of a move: time, nodes and depth.

use std::time::Duration;

use clap::Args;
use komadai::matches::TimeControl;

/// Limits of both players, and of each player alone.
#[derive(Debug, Args)]
pub(crate) struct Limits {
    /// Nodes per move.
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Search depth in plies.
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<u32>,
    /// Time per move, sent as `movetime`.
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
    /// Time per move after the main time, sent as `byoyomi`.
    #[arg(long, value_name = "MS")]
    pub byoyomi: Option<u64>,
    /// Main time of a game.
    #[arg(long, value_name = "MS")]
    pub time: Option<u64>,
    /// Time added by each move. A move may use the rest of the main time, its own increment and the
    /// byoyomi.
    #[arg(long, value_name = "MS")]
    pub increment: Option<u64>,
    /// Nodes per move of the first player, in place of all limits above.
    #[arg(long, value_name = "N")]
    pub nodes_first: Option<u64>,
    /// Search depth of the first player.
    #[arg(long, value_name = "PLIES")]
    pub depth_first: Option<u32>,
    /// Time per move of the first player, sent as `movetime`.
    #[arg(long, value_name = "MS")]
    pub movetime_first: Option<u64>,
    /// Byoyomi of the first player.
    #[arg(long, value_name = "MS")]
    pub byoyomi_first: Option<u64>,
    /// Nodes per move of the second player, in place of all limits above.
    #[arg(long, value_name = "N")]
    pub nodes_second: Option<u64>,
    /// Search depth of the second player.
    #[arg(long, value_name = "PLIES")]
    pub depth_second: Option<u32>,
    /// Time per move of the second player, sent as `movetime`.
    #[arg(long, value_name = "MS")]
    pub movetime_second: Option<u64>,
    /// Byoyomi of the second player.
    #[arg(long, value_name = "MS")]
    pub byoyomi_second: Option<u64>,
}

impl Limits {
    /// Returns the time controls of the first and the second player.
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
