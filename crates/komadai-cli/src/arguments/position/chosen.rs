//! A moment of a game.

use anyhow::anyhow;
use komadai::Position;
use komadai::kifu::{Record, RecordMove};
use komadai::movegen::check_legality;
use komadai_console::{bad_usage, note};

/// A game and the moment of it that the command line names.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) record: Record,
    /// The number of moves to make; by default all.
    pub(crate) ply: Option<usize>,
    /// The source, if it is no text of the command line.
    pub(crate) place: Option<String>,
    /// The number of moves that were left out while the record was read.
    pub(crate) lost_moves: u64,
}

impl Chosen {
    /// Returns the position, with the moves that led to it as its history.
    ///
    /// Without a number of moves, that of a game with an illegal move is the one before it, because
    /// the last move of a game may be a foul.
    pub(super) fn position(&self) -> anyhow::Result<Position> {
        let start = Position::from_setup(&self.record.setup);
        let mut position = start.map_err(|error| self.refusal(error))?;
        for (number, played) in (1..).zip(self.moves()?) {
            match check_legality(&position, played.m) {
                Ok(()) => position.do_move(played.m),
                Err(reason) => {
                    let fault = format!("move {number}, {}, is illegal: {reason}", played.m);
                    match &self.place {
                        Some(place) if self.ply.is_none() => {
                            note!("{place}: {fault}; the position before it is taken");
                        }
                        _ => return Err(self.refusal(fault)),
                    }
                    break;
                }
            }
        }
        Ok(position)
    }

    /// Returns the moves to make.
    pub(crate) fn moves(&self) -> anyhow::Result<&[RecordMove]> {
        let all = &self.record.moves;
        let Some(ply) = self.ply else { return Ok(all) };
        all.get(..ply).ok_or_else(|| {
            self.refusal(format!("there is no ply {ply}: the game has {} moves", all.len()))
        })
    }

    /// Returns the error that a file has no such position; for the words of the command line it is
    /// bad usage.
    pub(crate) fn refusal(&self, reason: impl std::fmt::Display) -> anyhow::Error {
        match &self.place {
            Some(place) => anyhow!("{place}: {reason}"),
            None => bad_usage(reason),
        }
    }
}
