//! What can be put into a store.

use komadai_core::{Move, Position};

use crate::analyst::AnalystId;
use crate::input::Input;
use crate::logged_analysis::LoggedAnalysis;
use komadai_bookfile::BookRecord;
use komadai_bookgraph::BookGame;

/// Something to put into a [`Store`](crate::store::Store).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// An analysis of a position. One that the log has already, or that says less than one that it
    /// has, adds nothing; nor does one of which no line begins with a move.
    Analysis(LoggedAnalysis),
    /// A move that is known, whatever it is worth.
    Move(KnownMove),
    /// A source that has been read; nothing if one of the same fingerprint is there.
    Input(Input),
    /// A game of a match. Equal games are different games.
    Game(BookGame),
}

/// A move of a position, and in how many games it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownMove {
    /// The position.
    pub position: Position,
    /// The move.
    pub m: Move,
    /// The answer expected, if one is known.
    pub ponder: Option<Move>,
    /// The number of games to add; may be 0.
    pub games: u32,
}

impl Change {
    /// Everything that a record of a book file says about values and games; the values as those of
    /// `analyst`. Comments, marks and results of games are left out.
    #[must_use]
    pub fn of_record(record: &BookRecord, analyst: &AnalystId) -> Vec<Self> {
        let moves = record.moves.iter().map(|listed| {
            Self::Move(KnownMove {
                position: record.position.clone(),
                m: listed.m,
                ponder: listed.ponder,
                games: listed.count.unwrap_or(0),
            })
        });
        // The moves go first: they keep the order of the record.
        moves
            .chain(LoggedAnalysis::of_record(record, analyst).into_iter().map(Self::Analysis))
            .collect()
    }
}

impl From<LoggedAnalysis> for Change {
    fn from(logged: LoggedAnalysis) -> Self {
        Self::Analysis(logged)
    }
}

impl From<KnownMove> for Change {
    fn from(known: KnownMove) -> Self {
        Self::Move(known)
    }
}
