//! The position to show.

use std::path::Path;

use anyhow::{Context as _, anyhow};
use komadai::core::{Move, Position, Setup, UsiPosition};
use komadai::kifu::{Record, RecordMove, carry_out};
use komadai::movegen::check_legality;
use komadai_console::{bad_usage, note};

use crate::arguments::position::without_escapes;

/// A position, and the move that led to it.
pub(super) struct Shown {
    pub(super) setup: Setup,
    pub(super) last: Option<Move>,
}

impl Shown {
    /// Returns the position that words of the command line describe, after `ply` of its moves or
    /// after all.
    pub(super) fn of_words(words: &[String], ply: Option<usize>) -> anyhow::Result<Self> {
        let line = if words.is_empty() { "startpos".to_owned() } else { words.join(" ") };
        let line = without_escapes(&line);
        let usi = UsiPosition::from_usi(line.trim()).map_err(|error| {
            bad_usage(format_args!(
                "{line:?}: {error}; expected a file, an SFEN, or `startpos moves …`"
            ))
        })?;
        let mut record = Record::new(usi.setup);
        record.moves = usi.moves.into_iter().map(RecordMove::new).collect();
        let ply = ply.unwrap_or(record.moves.len());
        // A foul among words is a slip of the pen, whereas games contain them.
        if let Err(fault) = first_fault(&record, ply) {
            return Err(bad_usage(fault));
        }
        Self::after(&record, ply).map_err(bad_usage)
    }

    /// Returns the position of a game after `ply` moves, or after all.
    ///
    /// A foul that can be made on the board is shown and named. Without a number, a game with
    /// another illegal move is shown before that move.
    pub(super) fn of_game(
        record: &Record,
        ply: Option<usize>,
        path: &Path,
    ) -> anyhow::Result<Self> {
        let last = ply.unwrap_or(record.moves.len());
        if let Err(fault) = first_fault(record, last) {
            note!("{}: {fault}", path.display());
        }
        let count = ply.unwrap_or_else(|| possible_moves(record));
        Self::after(record, count).with_context(|| path.display().to_string())
    }

    fn after(record: &Record, ply: usize) -> anyhow::Result<Self> {
        let moves = record.moves.get(..ply).with_context(|| {
            format!("there is no ply {ply}: the game has {} moves", record.moves.len())
        })?;
        // A start position that breaks a rule can be shown, too.
        let mut setup = record.setup.clone();
        for (number, played) in (1..).zip(moves) {
            setup = carry_out(&setup, played.m)
                .map_err(|reason| anyhow!("move {number}, {}: {reason}", played.m))?;
        }
        Ok(Self { setup, last: moves.last().map(|played| played.m) })
    }
}

/// Finds an illegal move among the first ones.
fn first_fault(record: &Record, ply: usize) -> anyhow::Result<()> {
    let moves = record.moves.iter().take(ply);
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
