//! The value that a book expects of a position before it is analysed.

use komadai_core::{Move, Position, Score};

use super::book_graph::BookGraph;

/// The value that a book expects of a position: that of the move which led to it, negated.
///
/// The difference to the value of a later analysis shows how far the book was wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Expectation {
    /// The expected value for the side to move, in centipawns.
    pub score: Score,
    /// The position before.
    pub before: Position,
    /// The move that leads from there to the position.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub m: Move,
}

impl BookGraph {
    /// Returns the expected value of a position with a history; `None` if no move was made on it,
    /// or the book has no value of that move.
    #[must_use]
    pub fn expectation(&self, position: &Position) -> Option<Expectation> {
        if position.history().is_empty() {
            return None;
        }
        let mut before = position.clone();
        let m = before.undo_move()?;
        let listed = self.moves(&before).into_iter().find(|listed| listed.m == m)?;
        Some(Expectation { score: -listed.value.score, before, m })
    }
}

#[cfg(test)]
mod tests {
    use komadai_bookfile::{BookRecord, RecordMove};

    use super::*;

    #[test]
    fn the_last_move_gives_the_expected_value() {
        let start = Position::hirate();
        let m: Move = "7g7f".parse().unwrap();
        let listed = RecordMove { score: Some(Score::cp(40)), ..RecordMove::new(m) };
        let record = BookRecord { moves: vec![listed], ..BookRecord::new(start.clone()) };
        let graph = BookGraph::from_records([record]).unwrap();
        assert_eq!(graph.expectation(&start), None);
        let expectation = graph.expectation(&start.after(m)).unwrap();
        assert_eq!((expectation.score, expectation.m), (Score::cp(-40), m));
        assert_eq!(expectation.before, start);
        assert_eq!(graph.expectation(&start.after("2g2f".parse().unwrap())), None);
    }
}
