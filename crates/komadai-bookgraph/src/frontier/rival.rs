//! How a rival chooses its moves.

use std::fmt;

use komadai_core::{Move, Position, Score};
use komadai_movegen::is_legal;

use super::choices::{Followed, State};
use crate::graph::BookGraph;
use komadai_bookfile::BookRecord;
use komadai_bookfile::position_key::turn;

/// A book that somebody else plays from.
///
/// Everything that tells records by position is one: `|position: &Position| -> Option<BookRecord>`.
pub trait RivalBook {
    /// What the book says about the moves of a position, in any order; nothing if it does not hold it.
    fn moves(&self, position: &Position) -> Vec<RivalMove>;
}

/// A move of a rival's book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RivalMove {
    /// The move.
    pub m: Move,
    /// What it is worth for the side that makes it.
    pub score: Option<Score>,
    /// The number of games in which it was made, or its weight; 0 where that is not known.
    pub games: u32,
}

impl RivalBook for BookGraph {
    /// The moves with the values that follow from the whole book.
    fn moves(&self, position: &Position) -> Vec<RivalMove> {
        let Some(node) = self.node(position) else { return Vec::new() };
        let mut moves = Vec::new();
        self.for_each_move(node, |ranked| {
            let score = Some(ranked.value.score);
            let games = games(self, node, ranked.m);
            moves.push(RivalMove { m: turn(ranked.m, position.side()), score, games });
        });
        moves
    }
}

impl<F: Fn(&Position) -> Option<BookRecord>> RivalBook for F {
    fn moves(&self, position: &Position) -> Vec<RivalMove> {
        let moves = self(position).map(|record| record.moves).unwrap_or_default();
        let rival_move = |listed: &komadai_bookfile::RecordMove| RivalMove {
            m: listed.m,
            score: listed.score,
            games: listed.count.unwrap_or(0),
        };
        moves.iter().map(rival_move).collect()
    }
}

/// How the rival of the book's own side chooses.
#[derive(Clone, Copy)]
pub enum Rival<'a> {
    /// As in the games that the book has counted: a move has the share of its games among those of all
    /// listed moves. `smoothing` games are added to each move in the window (Laplace's rule with 1), so
    /// that moves that were never made have a chance; without any games, moves in the window are equally
    /// likely.
    Games {
        /// How many games are added, 0 or more.
        smoothing: f64,
    },
    /// From books of its own, one of which, each as likely, it uses through the whole game.
    ///
    /// A move that is worth `d` centipawns less than its position's best has the weight
    /// e^(−d / `temperature_cp`); at 0 the best moves are equally likely and no other is played. In a
    /// position without values, weights are numbers of games; without these, moves are equally likely. All
    /// moves of the rival's book are followed, also those that the own book does not hold. Where the rival's
    /// book ends, it chooses by the same rule among the own book's moves in the window.
    Books {
        /// The books; without any, the own book's moves in the window count everywhere.
        books: &'a [&'a dyn RivalBook],
        /// How much worse moves may be and still be played at times, in centipawns, 0 or more.
        temperature_cp: f64,
    },
}

impl fmt::Debug for Rival<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Games { smoothing } => {
                f.debug_struct("Games").field("smoothing", smoothing).finish()
            }
            Self::Books { books, temperature_cp } => f
                .debug_struct("Books")
                .field("books", &books.len())
                .field("temperature_cp", temperature_cp)
                .finish(),
        }
    }
}

/// The probabilities of moves in the window by the games of the book. They may add up to less than 1: other
/// moves were made as well.
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
    moves.sort_by_key(|rival| komadai_bookfile::move_order::usi_order(rival.m));
    moves.dedup_by_key(|rival| rival.m);
    let best = moves.iter().filter_map(|rival| rival.score).max();
    let games: u64 = moves.iter().map(|rival| u64::from(rival.games)).sum();
    let weight = |rival: &RivalMove| match (best, rival.score) {
        (Some(best), Some(score)) => softmax(best.raw() - score.raw(), temperature_cp),
        (Some(_), None) => 0.0,
        (None, _) if games > 0 => f64::from(rival.games),
        (None, _) => 1.0,
    };
    let chances = shares(moves.iter().map(weight).collect(), 0.0);
    moves.into_iter().map(|rival| rival.m).zip(chances).collect()
}

fn softmax(worse_cp: i32, temperature_cp: f64) -> f64 {
    match (worse_cp, temperature_cp > 0.0) {
        (0, _) => 1.0,
        (_, false) => 0.0,
        (worse_cp, true) => (-f64::from(worse_cp) / temperature_cp).exp(),
    }
}

/// Each weight's share of all and of `others`; equal shares where there are no weights at all.
fn shares(mut weights: Vec<f64>, others: f64) -> Vec<f64> {
    let sum = weights.iter().sum::<f64>() + others;
    let count = weights.len() as f64;
    weights.iter_mut().for_each(|w| *w = if sum > 0.0 { *w / sum } else { 1.0 / count });
    weights
}

/// The number of games in which a move was made that is given in the orientation with Black to move.
fn games(graph: &BookGraph, node: u32, m: Move) -> u32 {
    graph.listed_of(node).iter().find(|known| known.m == m).map_or(0, |known| known.games)
}
