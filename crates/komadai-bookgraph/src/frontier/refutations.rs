//! Moves that are best only because others turned out to be worse.

use std::cmp::Reverse;

use komadai_core::{Move, Score};

use super::choices::{Followed, State};
use super::drop_out_expansion::{Alpha, walk_all};
use super::frontier_set::{Label, Leaving, Met, Outside};
use super::options::{BookSides, FrontierOptions, OwnMoves};
use super::selected::FrontierPosition;
use crate::graph::{BookGraph, RankedMove};
use komadai_bookfile::move_order::usi_order;
use komadai_bookfile::position_key::turn;

/// A position outside the book to which the best move of its predecessor leads, though that move was
/// not thought best when its position was searched.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Refutation {
    /// The position and the way there; its [`score`](FrontierPosition::score) is that of the move.
    pub found: FrontierPosition,
    /// The move that was thought better than all others.
    pub believed: Move,
    /// What it was thought to be worth for the side that makes it.
    pub believed_score: Score,
    /// What follows now that the book knows more.
    pub score: Score,
}

impl BookGraph {
    /// Finds the refutations on the lines of a frontier, those with the shortest lines first.
    ///
    /// In a position on the lines, the best move by the values that follow leaves the book, and another move
    /// has a listed value of its own that is better, and by `margin_cp` at least: that move's line was
    /// searched, and refuted. What is best now was only the second choice and has been looked at less, so
    /// it should be searched before anything is built on it. Several best moves count if the options follow
    /// [all of them](OwnMoves::AllBest). A position that is reached in several such ways is found once.
    ///
    /// Source: "peta refutation" of BookMiner; here all positions on the lines are looked at, not only the
    /// last ones. Takes as long as the [frontier](Self::frontier).
    #[must_use]
    pub fn refutations(&self, options: &FrontierOptions, margin_cp: u32) -> Vec<Refutation> {
        let mut visited = Vec::new();
        let mut walked = Outside::new(self, options);
        walk_all(&mut walked, Alpha::per_mille(0), |label, sides| visited.push((*label, sides)));
        let mut search = Search::new(walked.emptied());
        for (label, sides) in &visited {
            if options.is_within(label.ply + 1) {
                search.look_at(label, *sides, margin_cp);
            }
        }
        search.finish()
    }
}

/// What was thought of a move.
#[derive(Debug, Clone, Copy)]
struct Belief {
    m: Move,
    listed: Score,
    now: Score,
}

struct Search<'a> {
    outside: Outside<'a>,
    /// One per exit.
    beliefs: Vec<Belief>,
}

impl<'a> Search<'a> {
    fn new(outside: Outside<'a>) -> Self {
        Self { outside, beliefs: Vec::new() }
    }

    fn look_at(&mut self, label: &Label, sides: BookSides, margin_cp: u32) {
        let graph = self.outside.graph;
        let State { node, side } = label.state;
        let moves = graph.ranked_moves(node);
        let Some(best) = moves.first().map(|first| first.value.score) else { return };
        let Some(belief) = belief(graph, node, &moves, best, margin_cp) else { return };
        let most = match self.outside.options.own_moves {
            OwnMoves::First => 1,
            OwnMoves::AllBest => moves.len(),
        };
        let is_best = |ranked: &&RankedMove| ranked.value.score == best;
        let limit = self.outside.options.eval_limit;
        if limit.is_some_and(|limit| best.raw().abs() > limit) {
            return;
        }
        let position = graph.black_to_move(node);
        for ranked in moves.iter().take_while(is_best).take(most).filter(|m| m.leaves_book) {
            let leaving = Leaving::by(&Followed { ranked: *ranked, drop_cp: 0 }, true);
            let key = position.key_after(leaving.m);
            if let Met::First(_) = self.outside.meet(key, sides, label, leaving) {
                self.beliefs.push(Belief { m: turn(belief.m, side), ..belief });
            }
        }
    }

    fn finish(self) -> Vec<Refutation> {
        let Self { outside, beliefs } = self;
        let (steps, roots) = (&outside.steps, &outside.options.roots);
        let mut found: Vec<Refutation> = outside
            .exits
            .iter()
            .zip(beliefs)
            .map(|(exit, belief)| Refutation {
                found: exit.position(steps, roots),
                believed: belief.m,
                believed_score: belief.listed,
                score: belief.now,
            })
            .collect();
        found.sort_by_key(|refutation| refutation.found.line.len());
        found
    }
}

/// The move that has the best listed value, if that is so much better than what is best now.
fn belief(
    graph: &BookGraph,
    node: u32,
    moves: &[RankedMove],
    best: Score,
    margin_cp: u32,
) -> Option<Belief> {
    let listed = graph.listed_of(node).iter().filter_map(|known| Some((known.m, known.score()?)));
    let (m, listed) = listed.max_by_key(|&(m, score)| (score, Reverse(usi_order(m))))?;
    let is_better = listed > best && listed.raw().abs_diff(best.raw()) >= margin_cp;
    let now = moves.iter().find(|ranked| ranked.m == m)?.value.score;
    is_better.then_some(Belief { m, listed, now })
}
