//! Unsolved positions: the ends of the book's best lines from lost games.

use std::collections::HashSet;

use komadai_bookfile::position_key::{PositionKey, turn};
use komadai_core::{Color, Move, Position, PositionError};
use komadai_movegen::{IllegalMove, check_legality};

use crate::book_game::BookGame;
use crate::graph::{BookGraph, RankedMove, Value};

/// The end of the best line from a position of a lost game.
///
/// The side that lost relied on the value of this line, so that value is doubtful.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Unsolved {
    /// The position outside the book, with the moves of the game and the line as its history.
    pub position: Position,
    /// The best line from the position of the game.
    pub line: Vec<Move>,
    /// The number of the game, or of the position.
    pub number: usize,
    /// The number of moves of the game made before the line.
    pub moves_made: usize,
    /// The value of the position of the game in the book, for the side to move.
    pub value: Value,
}

/// An error in a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnsolvedError {
    /// The start position breaks a rule.
    #[error("game {number}: the start position is not possible: {reason}")]
    StartPosition {
        /// The number of the game, from 0.
        number: usize,
        /// The rule.
        #[source]
        reason: PositionError,
    },
    /// A move is illegal.
    #[error("game {number}, ply {ply}: {m} is illegal: {reason}")]
    IllegalMove {
        /// The number of the game, from 0.
        number: usize,
        /// The number of the move, from 1.
        ply: usize,
        /// The move.
        m: Move,
        /// The rule it breaks.
        #[source]
        reason: IllegalMove,
    },
}

impl BookGraph {
    /// Finds the ends of the best lines from every position of the games that the side with the
    /// book lost.
    ///
    /// From each position of such a game that the book contains, both sides follow the first of
    /// their best moves until the book ends. Lines that never leave the book are ignored. Each
    /// position is returned once, for the first game and its earliest move. Other games are
    /// skipped, and so are ends that a book cannot hold.
    ///
    /// Source: "peta unsolved" of BookMiner. Takes O(G·L) time for G positions of games and lines
    /// of L plies.
    ///
    /// # Errors
    ///
    /// Returns an error if a lost game has an impossible start position or an illegal move.
    pub fn unsolved(&self, games: &[BookGame]) -> Result<Vec<Unsolved>, UnsolvedError> {
        let mut ends = LineEnds::new(self);
        let is_lost = |game: &BookGame| game.winner == Some(!game.book_side);
        for (number, game) in games.iter().enumerate().filter(|(_, game)| is_lost(game)) {
            ends.add_game(number, game)?;
        }
        Ok(ends.found)
    }

    /// The line of first best moves until it leaves the book; `None` if it never does.
    fn best_line_out(&self, node: u32, mut side: Color) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        let mut passed = HashSet::new();
        let mut at = Some(node);
        while let Some(node) = at {
            // A state that occurs twice starts a cycle: the line never leaves the book.
            if !passed.insert((node, side)) {
                return None;
            }
            // Only the first of the best moves is needed, so the moves are not sorted.
            let mut best: Option<RankedMove> = None;
            self.for_each_move(node, |ranked| {
                if best.is_none_or(|best| ranked.order(&best).is_lt()) {
                    best = Some(ranked);
                }
            });
            let best = best?;
            line.push(turn(best.m, side));
            side = !side;
            at = best.to;
        }
        Some(line)
    }
}

/// The ends of best lines found so far, each position once.
struct LineEnds<'a> {
    graph: &'a BookGraph,
    found: Vec<Unsolved>,
    seen: HashSet<(PositionKey, Color)>,
}

impl<'a> LineEnds<'a> {
    fn new(graph: &'a BookGraph) -> Self {
        Self { graph, found: Vec::new(), seen: HashSet::new() }
    }

    fn add_game(&mut self, number: usize, game: &BookGame) -> Result<(), UnsolvedError> {
        let mut position = Position::from_setup(&game.start)
            .map_err(|reason| UnsolvedError::StartPosition { number, reason })?;
        self.add_position(number, 0, &position);
        for (&m, ply) in game.moves.iter().zip(1..) {
            check_legality(&position, m).map_err(|reason| UnsolvedError::IllegalMove {
                number,
                ply,
                m,
                reason,
            })?;
            position.do_move(m);
            self.add_position(number, ply, &position);
        }
        Ok(())
    }

    fn add_position(&mut self, number: usize, moves_made: usize, position: &Position) {
        let Some(node) = self.graph.node(position) else { return };
        let Some(line) = self.graph.best_line_out(node, position.side()) else { return };
        let mut end = position.clone();
        line.iter().for_each(|&m| end.do_move(m));
        if PositionKey::try_of(&end).is_ok_and(|key| self.seen.insert((key, end.side()))) {
            let value = self.graph.node_value(node);
            self.found.push(Unsolved { position: end, line, number, moves_made, value });
        }
    }
}
