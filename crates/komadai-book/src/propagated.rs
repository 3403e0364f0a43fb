//! A book with the values that follow from all of it.

use std::io::{self, Write};

use komadai_core::{Move, Position, Score};

use crate::book::Book;
use crate::db::{UnknownMoves, WrittenMove, write_positions};
use crate::graph::{Found, Graph, Target};
use crate::move_order::usi_order;
use crate::orientation::turn;
use crate::propagate::{Basis, REPETITION_PLIES, Values, propagate};

/// A book whose values have been propagated: what each position is worth if both sides choose the
/// best of all that the book knows (minimax over the graph, cycles included).
///
/// A value of the book's own log counts only where a move leaves the book. Moves into the book count
/// by the position they lead to, also if the book does not list them.
///
/// # Examples
///
/// Black's first move looks well until White's answer is known:
///
/// ```
/// use komadai_book::{Book, DbReader};
/// use komadai_core::{Position, Score};
/// use komadai_kifu::Tolerance;
///
/// let text = "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
///     7g7f none 90 1\n\
///     2g2f none 40 1\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n\
///     3c3d none 10 1\n";
/// let mut book = Book::new();
/// DbReader::new(text.as_bytes(), Tolerance::Strict).read_into(&mut book)?;
/// let values = book.propagate();
/// let start = Position::hirate();
/// assert_eq!(values.value(&start).map(|value| value.score), Some(Score::cp(40)));
/// let moves: Vec<_> = values.moves(&start).iter().map(|m| (m.m.to_string(), m.value.score)).collect();
/// assert_eq!(moves, [("2g2f".into(), Score::cp(40)), ("7g7f".into(), Score::cp(-10))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Propagated<'b> {
    pub(crate) graph: Graph<'b>,
    values: Values,
}

/// What a position or a move is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value {
    /// For the side to move, or for the side that makes the move.
    pub score: Score,
    /// The number of plies to where the play leaves the book, if both sides keep the value;
    /// [`REPETITION_PLIES`] and [`PERPETUAL_PLIES`](crate::PERPETUAL_PLIES) for endless play.
    pub plies: u16,
    /// What the value rests on.
    pub basis: Basis,
}

impl Value {
    /// Sorts best first: by score, then shorter first, but longer where the side is worse.
    fn rank(self) -> (i32, i32) {
        let plies = i32::from(self.plies);
        (-self.score.raw(), if self.score.raw() >= 0 { plies } else { -plies })
    }
}

/// A move with the value that follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RankedMove {
    /// The move.
    pub m: Move,
    /// What it is worth for the side that makes it.
    pub value: Value,
    /// Whether it leads to a position outside the book.
    pub leaves_book: bool,
    pub(crate) target: Target,
}

impl Book {
    /// Propagates values through the book.
    ///
    /// Endless play is a value only where it has been judged: a position that was never analysed,
    /// none of whose moves has an evaluation, might have something better, so that a loop through it
    /// says nothing. Such a position has no value then, as if it were not in the book.
    #[must_use]
    pub fn propagate(&self) -> Propagated<'_> {
        let mut found = Found::of(self);
        loop {
            let graph = Graph::new(self, &found);
            let values = propagate(&graph);
            let hollow: Vec<usize> = (0..graph.len() as u32)
                .filter(|&node| values.bases[node as usize] != Basis::Leaf)
                .map(|node| graph.place(node))
                .filter(|&place| !found.is_judged(place))
                .collect();
            if hollow.is_empty() {
                return Propagated { graph, values };
            }
            hollow.into_iter().for_each(|place| found.leave_out(place));
        }
    }
}

impl<'b> Propagated<'b> {
    /// The book.
    #[must_use]
    pub fn book(&self) -> &'b Book {
        self.graph.book
    }

    /// The number of positions that have a value. Those without a single known one are left out.
    #[must_use]
    pub fn len(&self) -> usize {
        self.graph.len()
    }

    /// Whether no position has a value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of moves that lead from a position to another, listed or not.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.graph.edges()
    }

    /// The number of those that the book does not list.
    #[must_use]
    pub fn unlisted_edges(&self) -> usize {
        self.graph.unlisted_edges()
    }

    /// What a position is worth to the side to move; `None` if the book has no value for it.
    #[must_use]
    pub fn value(&self, position: &Position) -> Option<Value> {
        Some(self.node_value(self.node(position)?))
    }

    /// The moves of a position, best first, those that the book does not list included; none if the
    /// book has no value for it.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Vec<RankedMove> {
        let Some(node) = self.node(position) else { return Vec::new() };
        let mut moves = self.ranked_moves(node);
        for ranked in &mut moves {
            ranked.m = turn(ranked.m, position.side());
        }
        moves
    }

    /// The moves that follow if both sides play the first of the best, to where they leave the book,
    /// at most `most` of them.
    #[must_use]
    pub fn best_line(&self, position: &Position, most: usize) -> Vec<Move> {
        let (mut line, mut side) = (Vec::new(), position.side());
        let mut node = self.node(position);
        while let Some(at) = node.filter(|_| line.len() < most) {
            let best = self.ranked_moves(at)[0];
            line.push(turn(best.m, side));
            side = !side;
            node = match best.target {
                Target::Node(next) => Some(next),
                Target::Leaf(_) => None,
            };
        }
        line
    }

    /// Writes the book with these values, and returns the number of positions written.
    ///
    /// Order and orientation are those of [`Book::write_db`]. A position's first move has the
    /// position's exact value. A move of equal value, but of another depth, is written one point
    /// lower, as the field's tools do: they go by the value alone, and should prefer the first.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn write_db(&self, out: &mut impl Write, unknown: UnknownMoves) -> io::Result<usize> {
        write_positions(self.book(), out, unknown, |place| self.written_moves(place))
    }

    fn written_moves(&self, place: usize) -> Vec<WrittenMove> {
        let entry = self.book().entry_at(place);
        let ranked = self.graph.node_at(place).map(|node| self.ranked_moves(node));
        let ranked = ranked.unwrap_or_default();
        let best = ranked.first().map(|first| first.value);
        let mut written: Vec<WrittenMove> = ranked
            .iter()
            .map(|ranked| {
                let m = turn(ranked.m, entry.side());
                let listed = entry.find(m);
                let Value { score, plies, .. } = ranked.value;
                let is_second = best.is_some_and(|b| b.score == score && b.plies != plies);
                WrittenMove {
                    m,
                    ponder: listed.and_then(|listed| listed.ponder),
                    score: Some(Score::from_raw(score.raw() - i32::from(is_second))),
                    depth: plies,
                    games: listed.map_or(0, |listed| listed.games),
                }
            })
            .collect();
        for listed in entry.moves() {
            if written.iter().all(|known| known.m != listed.m) {
                let (m, ponder, games) = (listed.m, listed.ponder, listed.games);
                written.push(WrittenMove { m, ponder, score: None, depth: 0, games });
            }
        }
        written
    }

    /// The node of a position.
    pub(crate) fn node(&self, position: &Position) -> Option<u32> {
        self.graph.node_at(self.book().find(position)?)
    }

    pub(crate) fn node_value(&self, node: u32) -> Value {
        let at = node as usize;
        Value {
            score: Score::from_raw(self.values.scores[at]),
            plies: self.values.plies[at],
            basis: self.values.bases[at],
        }
    }

    /// A node's moves, best first, in the orientation with Black to move.
    pub(crate) fn ranked_moves(&self, node: u32) -> Vec<RankedMove> {
        let mut moves: Vec<RankedMove> = self
            .graph
            .moves(node)
            .iter()
            .map(|known| {
                let value = match known.target {
                    Target::Leaf(score) => {
                        Value { score: Score::from_raw(score), plies: 0, basis: Basis::Leaf }
                    }
                    Target::Node(next) => {
                        let Value { score, plies, basis } = self.node_value(next);
                        Value { score: -score, plies: (plies + 1).min(REPETITION_PLIES), basis }
                    }
                };
                let leaves_book = matches!(known.target, Target::Leaf(_));
                RankedMove { m: known.m, value, leaves_book, target: known.target }
            })
            .collect();
        moves.sort_by_key(|ranked| (ranked.value.rank(), usi_order(ranked.m)));
        moves
    }
}
