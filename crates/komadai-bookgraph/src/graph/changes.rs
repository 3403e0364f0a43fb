//! What may be changed in a graph.

use komadai_core::{Move, Position};

use komadai_bookfile::BookRecord;

/// A change of a [`BookGraph`](crate::graph::BookGraph).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphChange {
    /// A position is added, or what is new about one that is there: values replace older ones, numbers
    /// of games are added up. A record without moves changes nothing.
    Add(BookRecord),
    /// A position lists exactly this from now on; a record without moves takes it out.
    Set(BookRecord),
    /// A move is no longer listed.
    RemoveMove {
        /// The position in which it is made.
        position: Position,
        /// The move.
        m: Move,
    },
    /// Exactly these moves of a position are barred from now on: they are as if they did not exist, whether
    /// the book lists them, now or later, or they lead into it. What was listed of a move does not come
    /// back when it is no longer barred.
    Bar {
        /// The position, in the book or not.
        position: Position,
        /// The moves.
        moves: Vec<Move>,
    },
    /// A position is taken out, with all of its moves; those that are barred stay so.
    RemovePosition(Position),
}
