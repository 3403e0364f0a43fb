//! Successive records as games, for the formats of whole games.

use komadai_core::{Hcp, Position};

use super::blocks::{Block, Part};
use crate::records::{
    MOST_MOVES, PackedSfenValue, RecordFault, TrainingEnd, TrainingGame, TrainingMove,
};

/// Successive records of one game: each leads by its move to the position of the next one.
pub(super) struct Run {
    pub(super) game: TrainingGame,
    /// The move numbers of the first and the last record, and the position after the last move.
    first: u16,
    last: u16,
    after: Position,
}

impl Run {
    /// Returns the run of one record; `None` if it has no move.
    pub(super) fn of(record: &PackedSfenValue) -> Result<Option<Self>, RecordFault> {
        let start = record.check()?;
        let Some(best) = record.best_move else { return Ok(None) };
        if !record.position.has_both_kings() {
            // Every record is named that cannot start a game, also if it would go on with one.
            Hcp::of(&start)?;
        }
        let after = start.after(best);
        let outcome = record.result.outcome(start.side());
        let moves = vec![TrainingMove::new(best, record.score)];
        let game = TrainingGame { start, outcome, end: TrainingEnd::Other, moves };
        Ok(Some(Self { game, first: record.ply, last: record.ply, after }))
    }

    /// Appends a run that goes on with the game; returns any other one.
    pub(super) fn append(&mut self, next: Self) -> Option<Self> {
        let moves = self.game.moves.len() + next.game.moves.len();
        // The move number 0 is an unknown one, as HCPE has.
        let goes_on = ((self.last, next.first) == (0, 0)
            || self.last.checked_add(1) == Some(next.first))
            && self.game.outcome == next.game.outcome
            && moves <= MOST_MOVES
            && self.after.same_placement(&next.game.start);
        if !goes_on {
            return Some(next);
        }
        self.game.moves.extend(next.game.moves);
        (self.last, self.after) = (next.last, next.after);
        None
    }
}

/// Joins the records of a block without games to runs.
pub(super) fn runs(block: &Block) -> Vec<Part<Option<Run>>> {
    let mut runs: Vec<Part<Option<Run>>> = Vec::new();
    for (at, record) in block.examined(|record| Ok(Run::of(record)?)) {
        let other = match (runs.last_mut(), record) {
            (Some((_, Ok(Some(run)))), Ok(Some(next))) => match run.append(next) {
                None => continue,
                other => Ok(other),
            },
            (_, record) => record,
        };
        runs.push((at, other));
    }
    runs
}
