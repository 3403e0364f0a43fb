//! The position to show.

use anyhow::anyhow;
use komadai::core::{Move, Position, Setup};
use komadai::kifu::{Record, RecordMove, carry_out};
use komadai::movegen::check_legality;
use komadai_console::note;

use crate::arguments::position::Chosen;

/// A position, and the move that led to it.
pub(super) struct Shown {
    pub(super) setup: Setup,
    pub(super) last: Option<Move>,
}

impl Shown {
    /// Returns the position that the command line names.
    ///
    /// A foul of a game that can be made on the board is shown and named, whereas one among words is
    /// a slip of the pen. Without a number of moves, a game with another illegal move is shown
    /// before that move.
    pub(super) fn of(chosen: &Chosen) -> anyhow::Result<Self> {
        let Chosen { record, ply, place, .. } = chosen;
        if let Err(fault) = first_fault(record, chosen.moves()?) {
            match place {
                Some(place) => note!("{place}: {fault}"),
                None => return Err(chosen.refusal(fault)),
            }
        }
        let count = ply.unwrap_or_else(|| possible_moves(record));
        Self::after(record, count).map_err(|fault| chosen.refusal(fault))
    }

    fn after(record: &Record, ply: usize) -> anyhow::Result<Self> {
        let moves = &record.moves[..ply];
        // A start position that breaks a rule can be shown, too.
        let mut setup = record.setup.clone();
        for (number, played) in (1..).zip(moves) {
            setup = carry_out(&setup, played.m)
                .map_err(|reason| anyhow!("move {number}, {}: {reason}", played.m))?;
        }
        Ok(Self { setup, last: moves.last().map(|played| played.m) })
    }
}

/// Finds an illegal move among these first ones.
fn first_fault(record: &Record, moves: &[RecordMove]) -> anyhow::Result<()> {
    let Ok(mut position) = Position::from_setup_leniently(&record.setup) else { return Ok(()) };
    for (number, played) in (1..).zip(moves) {
        check_legality(&position, played.m)
            .map_err(|reason| anyhow!("move {number}, {}, is illegal: {reason}", played.m))?;
        position.do_move(played.m);
    }
    Ok(())
}

/// Returns the number of moves before the first that cannot be made.
fn possible_moves(record: &Record) -> usize {
    let mut setup = record.setup.clone();
    let is_possible = |played: &&RecordMove| match carry_out(&setup, played.m) {
        Ok(after) => {
            setup = after;
            true
        }
        Err(_) => false,
    };
    record.moves.iter().take_while(is_possible).count()
}
