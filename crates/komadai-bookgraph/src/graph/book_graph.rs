//! A book in memory with the value of every position.

use std::ops::Range;

use komadai_bookfile::move_order::usi_order;
use komadai_bookfile::position_key::{PositionKey, turn};
use komadai_bookfile::{BookRecord, RecordMove};
use komadai_core::{Color, Move, Position, Score};

use super::check_components::CheckComponents;
use super::draw_value::DrawValue;
use super::links::Links;
use super::listed_move::ListedMove;
use super::positions::Positions;
use super::short_lists::ShortLists;
use super::values::{Basis, NodeValue, Values};

/// The positions of a book as a graph, each with its value under best play of both sides within the
/// book (minimax, cycles included).
///
/// - A position is one node for all move orders that lead to it. Turning the board and exchanging
///   the colours leads to the same node.
/// - The listed value of a move counts only if the move leaves the book. A move into the book has
///   the value of the position that it leads to, even if the book does not list it.
/// - Values are exact and do not depend on the order of the book. Endless play is a draw; perpetual
///   check loses.
/// - A position without any valued move has no value. Moves to it count as moves out of the book.
/// - [Barred](crate::graph::GraphBuilder::bar) moves are ignored.
///
/// The graph stores the values, depths, expected replies and numbers of games of moves, but no
/// comments and no names of engines. It uses about 150 bytes for a position with five moves.
/// Building it takes O(M + E log E) time for M legal moves and E edges. [`apply`](Self::apply)
/// changes the book and visits only the nodes whose values can change.
///
/// # Examples
///
/// The listed value of 7g7f is the best one, until White's reply enters the book:
///
/// ```
/// use komadai_bookgraph::BookGraph;
/// use komadai_core::{Position, Score};
/// use komadai_bookfile::Tolerance;
///
/// let text = "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
///     7g7f none 90 1\n\
///     2g2f none 40 1\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n\
///     3c3d none 10 1\n";
/// let graph = BookGraph::from_db(text.as_bytes(), Tolerance::Strict)?;
/// let start = Position::hirate();
/// assert_eq!(graph.value(&start).map(|value| value.score), Some(Score::cp(40)));
/// let moves: Vec<_> = graph.moves(&start).iter().map(|m| (m.m.to_string(), m.value.score)).collect();
/// assert_eq!(moves, [("2g2f".into(), Score::cp(40)), ("7g7f".into(), Score::cp(-10))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct BookGraph {
    pub(crate) positions: Positions,
    pub(crate) moves: ShortLists<ListedMove>,
    pub(crate) links: Links,
    /// Per node of the game.
    pub(crate) values: Values,
    pub(crate) check_components: CheckComponents,
    pub(crate) draw: DrawValue,
}

/// The value of a position or a move.
///
/// # Examples
///
/// ```
/// use komadai_bookgraph::BookGraph;
/// use komadai_core::{Position, Score};
/// use komadai_bookfile::Tolerance;
///
/// let text = "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
///     7g7f none 35 1\n";
/// let book = BookGraph::from_db(text.as_bytes(), Tolerance::Strict)?;
/// let start = Position::hirate();
/// assert_eq!(book.value(&start).map(|value| value.score), Some(Score::cp(35)));
/// // A position outside the book has no value, which is not the value 0.
/// assert_eq!(book.value(&start.after("2g2f".parse()?)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Value {
    /// The score for the side to move, or for the side that makes the move.
    pub score: Score,
    /// The number of plies until the play leaves the book, if both sides keep the value;
    /// [`REPETITION_PLIES`](crate::graph::REPETITION_PLIES) or
    /// [`PERPETUAL_PLIES`](crate::graph::PERPETUAL_PLIES) for endless play.
    pub plies: u16,
    /// The reason for the value.
    pub basis: Basis,
}

impl Value {
    /// The sort key, best first: by score, then the shorter way, or the longer one if the side is
    /// worse.
    pub(crate) fn rank(self) -> (i32, i32) {
        let plies = i32::from(self.plies);
        (-self.score.raw(), if self.score.raw() >= 0 { plies } else { -plies })
    }
}

/// A move with its value.
///
/// # Examples
///
/// ```
/// use komadai_bookgraph::BookGraph;
/// use komadai_core::{Position, Score};
/// use komadai_bookfile::Tolerance;
///
/// let text = "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
///     7g7f none 35 1\n\
///     2g2f none 40 1\n";
/// let book = BookGraph::from_db(text.as_bytes(), Tolerance::Strict)?;
/// let moves = book.moves(&Position::hirate());
/// assert_eq!((moves[0].m, moves[0].value.score), ("2g2f".parse()?, Score::cp(40)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RankedMove {
    /// The move.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub m: Move,
    /// The value for the side that makes the move.
    pub value: Value,
    /// True if the move leads to a position outside the book.
    pub leaves_book: bool,
    /// The node to which the move leads.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) to: Option<u32>,
}

impl RankedMove {
    /// The order of moves, best first. Moves of equal value are in the order of their USI texts.
    pub(crate) fn order(&self, other: &Self) -> std::cmp::Ordering {
        let by_value = self.value.rank().cmp(&other.value.rank());
        by_value.then_with(|| usi_order(self.m).cmp(&usi_order(other.m)))
    }
}

impl BookGraph {
    /// The number of positions, those without a value included.
    pub fn positions(&self) -> usize {
        (0..self.moves.len() as u32).filter(|&number| !self.moves.get(number).is_empty()).count()
    }

    /// The number of positions that have a value.
    pub fn len(&self) -> usize {
        self.links.valued_positions()
    }

    /// Returns whether no position has a value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of listed moves.
    pub fn listed_moves(&self) -> usize {
        self.moves.items()
    }

    /// The number of moves that lead from a position to another, listed or not.
    pub fn edges(&self) -> usize {
        self.links.edges.items()
    }

    /// The value of endless play.
    pub fn draw_value(&self) -> DrawValue {
        self.draw
    }

    /// Returns whether the book lists moves of this position.
    pub fn contains(&self, position: &Position) -> bool {
        self.positions.find(position).is_some_and(|number| !self.moves.get(number).is_empty())
    }

    /// The value of a position for the side to move; `None` if the book has none.
    pub fn value(&self, position: &Position) -> Option<Value> {
        Some(self.node_value(self.node(position)?))
    }

    /// The moves of a position, best first, including moves into the book that it does not list.
    /// Empty if the position has no value.
    pub fn moves(&self, position: &Position) -> Vec<RankedMove> {
        let Some(node) = self.node(position) else { return Vec::new() };
        let mut moves = self.ranked_moves(node);
        for ranked in &mut moves {
            ranked.m = turn(ranked.m, position.side());
        }
        moves
    }

    /// The barred moves of a position.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_bookgraph::GraphBuilder;
    /// use komadai_core::Position;
    ///
    /// let (start, m) = (Position::hirate(), "7g7f".parse()?);
    /// let mut builder = GraphBuilder::new();
    /// builder.bar(&start, &[m])?;
    /// assert_eq!(builder.finish()?.barred_moves(&start), [m]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn barred_moves(&self, position: &Position) -> Vec<Move> {
        let barred = self.positions.find(position).map_or(&[][..], |at| self.links.barred.of(at));
        barred.iter().map(|&m| turn(m, position.side())).collect()
    }

    /// The line on which both sides play the first of their best moves, until it leaves the book or
    /// has `most` moves.
    pub fn best_line(&self, position: &Position, most: usize) -> Vec<Move> {
        let mut line = Vec::new();
        let mut side = position.side();
        let mut node = self.node(position);
        while let Some(at) = node.filter(|_| line.len() < most) {
            let best = self.ranked_moves(at)[0];
            line.push(turn(best.m, side));
            side = !side;
            node = best.to;
        }
        line
    }

    /// The record of a position with the listed values, not the propagated ones.
    pub fn record(&self, position: &Position) -> Option<BookRecord> {
        let number = self.positions.find(position)?;
        let listed = self.moves.get(number);
        let ply = self.positions.origin(number).ply();
        (!listed.is_empty()).then(|| record(position.without_history(), ply, listed))
    }

    /// The record of a position with the propagated values, best move first.
    ///
    /// Includes moves into the book that it does not list; listed moves without a value come last.
    /// Depths are plies until the play leaves the book. `None` if the book lists no move of the
    /// position.
    pub fn valued_record(&self, position: &Position) -> Option<BookRecord> {
        let mut listed = self.record(position)?;
        let valued = self.moves(position).into_iter().map(|ranked| {
            let at = listed.moves.iter().position(|known| known.m == ranked.m);
            let known = at.map(|at| listed.moves.remove(at));
            RecordMove {
                score: Some(ranked.value.score),
                depth: Some(ranked.value.plies),
                ..known.unwrap_or_else(|| RecordMove::new(ranked.m))
            }
        });
        let valued: Vec<RecordMove> = valued.collect();
        listed.moves.splice(..0, valued);
        Some(listed)
    }

    /// The records of all positions with the listed values, in the order and orientation in which
    /// they were added.
    pub fn records(&self) -> impl Iterator<Item = BookRecord> {
        let listed = (0..self.moves.len() as u32).map(|number| (number, self.moves.get(number)));
        listed.filter(|(_, listed)| !listed.is_empty()).map(|(number, listed)| {
            let ply = self.positions.origin(number).ply();
            record(self.positions.original(number), ply, listed)
        })
    }

    /// The node of a position that has a value.
    pub(crate) fn node(&self, position: &Position) -> Option<u32> {
        let number =
            self.positions.find(position).filter(|&number| self.links.is_valued(number))?;
        Some(self.draw.node(number, position.side()))
    }

    /// The node to which a legal move leads, if it has a value.
    ///
    /// `black_to_move` is the position before the move in the orientation with Black to move, and
    /// `m` a move of it. `side` is the side that makes the move in the real game.
    pub(crate) fn node_after(
        &self,
        black_to_move: &mut Position,
        side: Color,
        m: Move,
    ) -> Option<u32> {
        // The orientation after the move has White to move: its own Zobrist key is the shared one.
        let key = black_to_move.key_after(m);
        let number = self.links.successor(&self.positions, black_to_move, m, key)?;
        Some(self.draw.node(number, !side))
    }

    /// The value of a node that has one.
    pub(crate) fn node_value(&self, node: u32) -> Value {
        self.public_value(node, self.values.get(node))
    }

    /// A stored value of a node as a public one: the shift by the value of a draw is undone.
    fn public_value(&self, node: u32, value: NodeValue) -> Value {
        let limit = Score::MATE.raw();
        let score = i32::from(value.ranked_score.score) + i32::from(self.draw.shift(node));
        let score = Score::from_raw(score.clamp(-limit, limit));
        Value { score, plies: value.plies(), basis: value.basis }
    }

    /// The moves of a node, best first, in the orientation with Black to move.
    pub(crate) fn ranked_moves(&self, node: u32) -> Vec<RankedMove> {
        let mut moves = Vec::new();
        self.for_each_move(node, |ranked| moves.push(ranked));
        moves.sort_unstable_by(RankedMove::order);
        moves
    }

    /// Visits the moves of a node in no particular order, in the orientation with Black to move.
    pub(crate) fn for_each_move(&self, node: u32, mut visit: impl FnMut(RankedMove)) {
        let number = self.draw.position(node);
        let edges = self.links.edges.get(number);
        for edge in edges {
            let to = self.draw.neighbour(node, edge.to);
            let NodeValue { ranked_score, basis } = self.values.get(to);
            let mut value =
                self.public_value(node, NodeValue { ranked_score: ranked_score.of_move(), basis });
            // The reported distance of a move into a perpetual check is that of endless play.
            if basis == Basis::PerpetualCheck {
                value.plies = crate::graph::REPETITION_PLIES;
            }
            visit(RankedMove { m: edge.m, value, leaves_book: false, to: Some(to) });
        }
        // The listed value of an edge does not count, so only other moves are leaves.
        let listed = self.moves.get(number).iter();
        for leaf in listed.filter(|listed| edges.iter().all(|edge| edge.m != listed.m)) {
            if let Some(score) = leaf.score() {
                let value = Value { score, plies: 0, basis: Basis::Leaf };
                visit(RankedMove { m: leaf.m, value, leaves_book: true, to: None });
            }
        }
    }

    /// The listed moves of the position of a node, in the orientation with Black to move.
    pub(crate) fn listed_of(&self, node: u32) -> &[ListedMove] {
        self.moves.get(self.draw.position(node))
    }

    /// The number of nodes.
    pub(crate) fn nodes(&self) -> usize {
        self.values.len()
    }

    /// The position of a node in the orientation with Black to move.
    pub(crate) fn black_to_move(&self, node: u32) -> Position {
        self.positions.black_to_move(self.draw.position(node))
    }

    /// Returns whether a book can hold the position after a move of a node.
    pub(crate) fn is_held_after(&self, node: u32, m: Move) -> bool {
        // A position is made only where a king is missing, which is rare.
        self.positions.key(self.draw.position(node)).has_both_kings()
            || PositionKey::try_of(&self.black_to_move(node).after(m)).is_ok()
    }

    /// The numbers of all positions, in the order in which they were added. They serve parallel
    /// iteration over the whole book.
    pub fn numbers(&self) -> Range<u32> {
        0..self.positions.len() as u32
    }

    /// The position with this number, in the orientation in which it was added.
    ///
    /// # Panics
    ///
    /// Panics if there is no such [number](Self::numbers).
    pub fn position_at(&self, number: u32) -> Position {
        self.positions.original(number)
    }

    /// The value of the position with this number; `None` if the book has no value for it.
    ///
    /// # Panics
    ///
    /// Panics if there is no such [number](Self::numbers).
    pub fn value_at(&self, number: u32) -> Option<Value> {
        self.node_at(number).map(|node| self.node_value(node))
    }

    /// The node of the position with this number, with the side to move with which it was added;
    /// `None` if it has no value.
    pub(crate) fn node_at(&self, number: u32) -> Option<u32> {
        let side = self.positions.origin(number).side();
        self.links.is_valued(number).then(|| self.draw.node(number, side))
    }
}

fn record(position: Position, ply: Option<u32>, listed: &[ListedMove]) -> BookRecord {
    let side = position.side();
    let moves = listed.iter().map(|known| RecordMove {
        ponder: known.ponder.map(|ponder| turn(ponder, side)),
        score: known.score(),
        depth: known.score().map(|_| known.depth),
        count: Some(known.games).filter(|&games| games > 0),
        ..RecordMove::new(turn(known.m, side))
    });
    BookRecord { ply, moves: moves.collect(), ..BookRecord::new(position) }
}

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
