//! The position to show.

use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Context as _;
use komadai::core::{Move, Position, Setup, UsiPosition};
use komadai::kifu::{Record, RecordMove};
use komadai::movegen::check_legality;
use komadai_console::{bad_usage, note};

/// A position, and the move that led to it.
pub(super) struct Shown {
    pub(super) setup: Setup,
    pub(super) last: Option<Move>,
}

impl Shown {
    /// Returns the position that words of the command line describe, after `ply` of its moves or after all.
    pub(super) fn of_words(words: &[String], ply: Option<usize>) -> anyhow::Result<Self> {
        let line = if words.is_empty() { "startpos".to_owned() } else { words.join(" ") };
        let usi = UsiPosition::from_usi(line.trim()).map_err(|error| {
            bad_usage(format_args!(
                "{line:?}: {error}; expected a file, an SFEN, or `startpos moves …`"
            ))
        })?;
        let mut record = Record::new(usi.setup);
        record.moves = usi.moves.into_iter().map(RecordMove::new).collect();
        Self::after(&record, ply.unwrap_or(record.moves.len())).map_err(bad_usage)
    }

    /// Returns the position of a game after `ply` moves, or after all.
    ///
    /// Without a number, a game with an illegal move is shown before that move.
    pub(super) fn of_game(
        record: &Record,
        ply: Option<usize>,
        path: &Path,
    ) -> anyhow::Result<Self> {
        let place = || path.display().to_string();
        if let Some(ply) = ply {
            return Self::after(record, ply).with_context(place);
        }
        let mut count = record.moves.len();
        if let Err(error) = Self::after(record, count) {
            note!("{}: {error}", path.display());
            count = legal_moves(record);
        }
        Self::after(record, count).with_context(place)
    }

    fn after(record: &Record, ply: usize) -> anyhow::Result<Self> {
        let moves = record.moves.get(..ply).with_context(|| {
            format!("there is no ply {ply}: the game has {} moves", record.moves.len())
        })?;
        // A start position that breaks a rule can be shown, too.
        let Some((last, _)) = moves.split_last() else {
            return Ok(Self { setup: record.setup.clone(), last: None });
        };
        let mut position = Position::from_setup_leniently(&record.setup)?;
        for (number, played) in (1..).zip(moves) {
            check_legality(&position, played.m).map_err(|reason| {
                anyhow::anyhow!("move {number}, {}, is illegal: {reason}", played.m)
            })?;
            position.do_move(played.m);
        }
        Ok(Self { setup: position.to_setup(), last: Some(last.m) })
    }
}

/// Returns the number of moves before the first illegal one.
fn legal_moves(record: &Record) -> usize {
    let mut count = 0;
    // The error names the illegal move, which the caller has reported.
    let _ = record.replay(|_, _| {
        count += 1;
        ControlFlow::Continue(())
    });
    count
}
