//! Models of a rival: the probabilities of its moves.

use std::fmt;

use komadai_bookfile::BookRecord;
use komadai_bookfile::position_key::turn;
use komadai_core::{Move, Position};
use komadai_movegen::is_legal;

use super::choices::{Followed, State};
use crate::graph::BookGraph;
use crate::playable_move::PlayableMove;

/// A book of a rival.
///
/// Every function `|position: &Position| -> Option<BookRecord>` is one. It is a trait and not the
/// type of such a function, because then a [`BookGraph`], which is the usual rival, can stand in a
/// list of rivals itself.
pub trait RivalBook {
    /// The moves of a position, in any order; empty if the book does not contain the position.
    fn moves(&self, position: &Position) -> Vec<PlayableMove>;
}

impl RivalBook for BookGraph {
    /// The moves of a position with propagated values.
    fn moves(&self, position: &Position) -> Vec<PlayableMove> {
        let Some(node) = self.node(position) else { return Vec::new() };
        let mut moves = Vec::new();
        self.for_each_move(node, |ranked| {
            let score = Some(ranked.value.score);
            let games = games(self, node, ranked.m);
            moves.push(PlayableMove { m: turn(ranked.m, position.side()), score, games });
        });
        moves
    }
}

impl<F: Fn(&Position) -> Option<BookRecord>> RivalBook for F {
    fn moves(&self, position: &Position) -> Vec<PlayableMove> {
        let moves = self(position).map(|record| record.moves).unwrap_or_default();
        moves.iter().map(PlayableMove::from).collect()
    }
}

/// A model of the rival: the rule by which it chooses moves.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Rival<'a> {
    /// Choice by the games that the book has counted: the probability of a move is its share of the
    /// games of all listed moves. `smoothing` games are added to each move in the window (Laplace's
    /// rule with 1), so that moves without games have a probability as well. Without any games, all
    /// moves in the window are equally likely.
    Games {
        /// The number of games added to each move, 0 or more.
        smoothing: f64,
    },
    /// Choice from own books of the rival. It uses one of them, each equally likely, for a whole
    /// game.
    ///
    /// A move whose value is `d` centipawns below that of the best one has the weight e^(−d /
    /// `temperature_cp`). With 0 the best moves are equally likely, and no other is played. In a
    /// position without values, weights are numbers of games; without these, moves are equally
    /// likely. All moves of the rival's book are followed, even those that the own book does not
    /// contain. Where the rival's book ends, the same rule applies to the moves of the own book in
    /// the window.
    Books {
        /// The books. Without any, the rule applies to the moves of the own book in the window
        /// everywhere.
        books: &'a [&'a dyn RivalBook],
        /// The temperature of the choice, in centipawns, 0 or more: the larger, the more often
        /// worse moves are played.
        temperature_cp: f64,
    },
}

impl fmt::Debug for Rival<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Games { smoothing } => write!(f, "Games {{ smoothing: {smoothing} }}"),
            Self::Books { books, temperature_cp } => {
                let books = books.len();
                write!(f, "Books {{ books: {books}, temperature_cp: {temperature_cp} }}")
            }
        }
    }
}

/// The probabilities of moves in the window by the games of the book. Their sum may be less than 1,
/// because other moves were made as well.
pub(super) fn by_games(
    graph: &BookGraph,
    state: State,
    window: &[Followed],
    smoothing: f64,
) -> Vec<f64> {
    let weight = |followed: &Followed| {
        f64::from(games(graph, state.node, followed.ranked.m)) + smoothing.max(0.0)
    };
    let weights: Vec<f64> = window.iter().map(weight).collect();
    let is_outside = |m: Move| window.iter().all(|followed| followed.ranked.m != m);
    // Games of moves outside the window reduce the shares of the others.
    let listed = graph.listed_of(state.node).iter().filter(|known| is_outside(known.m));
    let others: f64 = listed.map(|known| f64::from(known.games)).sum();
    shares(weights, others)
}

/// The probabilities of moves in the window by their values.
pub(super) fn by_values(window: &[Followed], temperature_cp: f64) -> Vec<f64> {
    let score = |followed: &Followed| followed.ranked.value.score.raw();
    let best = window.iter().map(score).max().unwrap_or(0);
    let weights = window.iter().map(|followed| softmax(best - score(followed), temperature_cp));
    shares(weights.collect(), 0.0)
}

/// The moves of a rival's book in a position that are legal there, with their probabilities.
pub(super) fn by_book(
    book: &dyn RivalBook,
    position: &Position,
    temperature_cp: f64,
) -> Vec<(Move, f64)> {
    let mut moves = book.moves(position);
    moves.retain(|rival| is_legal(position, rival.m));
    // A fixed order makes floating-point sums independent of the order of the book.
    moves.sort_by_key(|rival| komadai_bookfile::move_order::usi_order(rival.m));
    moves.dedup_by_key(|rival| rival.m);
    let best = moves.iter().filter_map(|rival| rival.score).max();
    let games: u64 = moves.iter().map(|rival| u64::from(rival.games)).sum();
    let weight = |rival: &PlayableMove| match (best, rival.score) {
        (Some(best), Some(score)) => softmax(best.raw() - score.raw(), temperature_cp),
        (Some(_), None) => 0.0,
        (None, _) if games > 0 => f64::from(rival.games),
        (None, _) => 1.0,
    };
    let probabilities = shares(moves.iter().map(weight).collect(), 0.0);
    moves.into_iter().map(|rival| rival.m).zip(probabilities).collect()
}

fn softmax(worse_cp: i32, temperature_cp: f64) -> f64 {
    match (worse_cp, temperature_cp > 0.0) {
        (0, _) => 1.0,
        (_, false) => 0.0,
        (worse_cp, true) => (-f64::from(worse_cp) / temperature_cp).exp(),
    }
}

/// The share of each weight in the sum of all weights and `others`; equal shares if that sum is 0.
fn shares(mut weights: Vec<f64>, others: f64) -> Vec<f64> {
    let sum = weights.iter().sum::<f64>() + others;
    let count = weights.len() as f64;
    weights.iter_mut().for_each(|w| *w = if sum > 0.0 { *w / sum } else { 1.0 / count });
    weights
}

/// The number of games in which a move was made; `m` is in the orientation with Black to move.
pub(super) fn games(graph: &BookGraph, node: u32, m: Move) -> u32 {
    graph.listed_of(node).iter().find(|known| known.m == m).map_or(0, |known| known.games)
}
