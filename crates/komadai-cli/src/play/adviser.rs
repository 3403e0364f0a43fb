//! The adviser of the person: the embedded engine at full strength, and the mate solver.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use komadai::core::{Budget, Line, Position, Pv};
use komadai::engine::{MoveRequest, Player, Settings};
use komadai::movegen::MateResult;
use komadai::tsume::{DfPn, DfPnOptions, threatmate};

/// About the nodes for a hint: less than a second.
const NODES: u64 = 200_000;

/// Nodes of the mate solver for a threat of mate.
const MATE_NODES: u64 = 20_000;

/// Size of each table in MiB.
const HASH_MIB: usize = 16;

/// The adviser. It has no memory: its answers depend on the position alone.
pub(super) struct Adviser {
    /// Made for the first question.
    player: Option<Player>,
    solver: Option<DfPn>,
    stop: Arc<AtomicBool>,
}

impl Adviser {
    pub(super) fn new(stop: Arc<AtomicBool>) -> Self {
        Self { player: None, solver: None, stop }
    }

    /// Returns the best line, for the side to move; `None` if it has no move or Ctrl-C ended the
    /// search before it found one.
    pub(super) fn best(&mut self, position: &Position) -> anyhow::Result<Option<Line>> {
        let player = match &mut self.player {
            Some(player) => player,
            none => {
                let settings = Settings { hash_mib: HASH_MIB, ..Settings::default() };
                none.insert(Player::new(settings)?)
            }
        };
        player.new_game();
        let budget = Budget { stop: Some(Arc::clone(&self.stop)), ..Budget::about(NODES) };
        let choice = player.choose(&MoveRequest::new(position, budget), &mut |_| {});
        Ok(choice.analysis.lines.into_iter().next().filter(|line| !line.pv.is_empty()))
    }

    /// Returns the mate that the opponent of the side to move threatens (詰めろ), if one is proven.
    pub(super) fn threat(&mut self, position: &Position) -> Option<Pv> {
        let options = DfPnOptions { hash_mib: HASH_MIB, ..DfPnOptions::default() };
        let solver = self.solver.get_or_insert_with(|| DfPn::new(options));
        let budget = Budget { stop: Some(Arc::clone(&self.stop)), ..Budget::nodes(MATE_NODES) };
        match threatmate::find(solver, position, &budget)?.result {
            MateResult::Mate { line, .. } => Some(line),
            _ => None,
        }
    }
}
