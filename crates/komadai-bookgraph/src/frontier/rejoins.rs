//! Rejoins: frontier positions from which one move leads back into the book.

use komadai_bookfile::move_order::usi_order;
use komadai_bookfile::position_key::turn;
use komadai_core::{Color, Move, Score};
use komadai_movegen::{MoveList, generate_legal};
use rayon::prelude::*;

use super::selected::{Frontier, FrontierPosition};
use crate::graph::BookGraph;

/// A frontier position, and its legal moves to positions with values.
///
/// The values of these moves are a lower bound of the value of the position that costs no search.
/// An engine that searches the position should consider them.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Rejoin {
    /// The position and its line.
    pub found: FrontierPosition,
    /// The moves back, best first.
    pub moves: Vec<RejoinMove>,
}

/// A move that leads back into the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RejoinMove {
    /// The move.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub m: Move,
    /// The value of the move in the book, for the side that makes it.
    pub score: Score,
}

impl BookGraph {
    /// Finds those positions of a frontier from which a legal move leads back into this book, in
    /// the frontier's order.
    ///
    /// Source: "peta rejoin" of BookMiner. Works on all cores and takes O(M) time for M legal
    /// moves.
    pub fn rejoins(&self, frontier: &Frontier) -> Vec<Rejoin> {
        let numbers: Vec<usize> = (0..frontier.len()).collect();
        let rejoin = |&number: &usize| {
            let found = frontier.get(number);
            let moves = self.moves_back(&found);
            (!moves.is_empty()).then_some(Rejoin { found, moves })
        };
        numbers.par_iter().filter_map(rejoin).collect()
    }

    fn moves_back(&self, found: &FrontierPosition) -> Vec<RejoinMove> {
        let side = found.position.side();
        let mut black_to_move = match side {
            Color::Black => found.position.without_history(),
            Color::White => found.position.flipped(),
        };
        let mut legal = MoveList::new();
        generate_legal(&black_to_move, &mut legal);
        let mut moves = Vec::new();
        for m in &legal {
            if let Some(node) = self.node_after(&mut black_to_move, side, m) {
                moves.push(RejoinMove { m: turn(m, side), score: -self.node_value(node).score });
            }
        }
        moves.sort_by_key(|back| (-back.score.raw(), usi_order(back.m)));
        moves
    }
}
