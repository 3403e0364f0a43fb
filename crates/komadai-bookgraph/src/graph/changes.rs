//! Changes of a graph.

use komadai_core::{Move, Position};

use komadai_bookfile::BookRecord;

/// A change of a [`BookGraph`](crate::graph::BookGraph).
///
/// # Examples
///
/// ```
/// use komadai_bookfile::{BookRecord, RecordMove};
/// use komadai_bookgraph::{BookGraph, GraphChange};
/// use komadai_core::{Position, Score};
///
/// let start = Position::hirate();
/// let mut listed = RecordMove::new("7g7f".parse()?);
/// listed.score = Some(Score::cp(35));
/// let mut record = BookRecord::new(start.clone());
/// record.moves.push(listed);
///
/// let mut book = BookGraph::from_records([])?;
/// book.apply(&[GraphChange::Add(record.clone())])?;
/// assert_eq!(book.value(&start).map(|value| value.score), Some(Score::cp(35)));
/// record.moves.clear();
/// book.apply(&[GraphChange::Set(record)])?; // a record without moves removes the position
/// assert!(!book.contains(&start));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphChange {
    /// Adds a position, or updates a present one: values replace older ones, and numbers of games are
    /// added. A record without moves changes nothing.
    Add(BookRecord),
    /// Replaces the list of a position. A record without moves removes the position.
    Set(BookRecord),
    /// Removes a move from the list of a position.
    RemoveMove {
        /// The position before the move.
        position: Position,
        /// The move.
        m: Move,
    },
    /// Bars exactly these moves of a position. The graph ignores them: neither their listed values, present
    /// or later, nor the positions that they lead to count. The list entry of a barred move is lost, and
    /// does not return when the move is no longer barred.
    Bar {
        /// The position, in the book or not.
        position: Position,
        /// The moves.
        moves: Vec<Move>,
    },
    /// Removes a position with all of its moves. Its barred moves stay barred.
    RemovePosition(Position),
}
