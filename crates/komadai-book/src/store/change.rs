//! Changes to a store.

use komadai_bookfile::BookRecord;
use komadai_bookgraph::BookGame;
use komadai_core::{AnalystId, Move, Position};

use crate::logged_analysis::LoggedAnalysis;
use crate::merge::Input;

/// A change to a [`Store`](crate::store::Store).
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Change {
    /// An analysis of a position. An analysis that the log contains already, possibly with more
    /// details, adds nothing; nor does one without a line that starts with a move.
    Analysis(LoggedAnalysis),
    /// A move, without a value. If a book cannot hold the position after it, it is left out and
    /// [counted](crate::Merged::unheld).
    Move(KnownMove),
    /// A source that has been read. A source with a known fingerprint adds nothing.
    Input(Input),
    /// A game of a match. Equal games are counted separately.
    Game(BookGame),
}

/// A move of a position with the number of games in which it was played.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KnownMove {
    /// The position.
    pub position: Position,
    /// The move.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub m: Move,
    /// The expected answer, if one is known.
    pub ponder: Option<Move>,
    /// The number of games to add; may be 0.
    pub games: u32,
}

impl Change {
    /// The moves with their games and the values of a record of a book file; the values are
    /// evaluations by `analyst`. Comments, marks and results of games are skipped.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::file::BookRecord;
    /// use komadai_book::store::Change;
    /// use komadai_core::{AnalystId, Position};
    ///
    /// let record = BookRecord::with_moves(Position::hirate(), ["7g7f".parse()?]);
    /// let changes = Change::of_record(&record, &AnalystId::new("book", ""));
    /// assert!(matches!(&changes[..], [Change::Move(known)] if known.m == record.moves[0].m));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_record(record: &BookRecord, analyst: &AnalystId) -> Vec<Self> {
        let moves = record.moves.iter().map(|listed| {
            Self::Move(KnownMove {
                position: record.position.clone(),
                m: listed.m,
                ponder: listed.ponder,
                games: listed.count.unwrap_or(0),
            })
        });
        // The moves come first because they keep the order of the record; analyses are grouped by
        // depth.
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
