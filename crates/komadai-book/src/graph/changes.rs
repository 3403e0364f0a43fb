//! What may be changed in a graph.

use komadai_core::{Move, Position};

use crate::record::BookRecord;

/// A change of a [`BookGraph`](crate::BookGraph).
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
    /// A position is taken out, with all of its moves.
    RemovePosition(Position),
}
