//! Refutations: moves that are best only because the search refuted a move with a better listed
//! value.

use std::cmp::Reverse;

use komadai_bookfile::move_order::usi_order;
use komadai_bookfile::position_key::turn;
use komadai_core::{Move, Score};

use super::choices::{Followed, State};
use super::drop_out_expansion::{Alpha, walk_all};
use super::frontier_set::{EdgeOut, FrontierSet, Insertion, Label};
use super::options::{BookSides, FrontierOptions, Limits, OwnMoves};
use super::selected::FrontierPosition;
use crate::graph::{BookGraph, RankedMove};

/// A frontier position after a move that is best now, but was not the best one when its position
/// was searched.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Refutation {
    /// The position and its line. Its [`score`](FrontierPosition::score) is that of the move.
    pub found: FrontierPosition,
    /// The move with the best listed value, which was refuted.
    pub believed: Move,
    /// The listed value of that move, for the side that makes it.
    pub believed_score: Score,
    /// The propagated value of that move, for the side that makes it.
    pub score: Score,
}

impl BookGraph {
    /// Finds the refutations on the lines of a frontier, shortest lines first.
    ///
    /// A refutation occurs in a position whose best move by propagated values leaves the book,
    /// while another move has a listed value that is better by at least `margin_cp`: the line of
    /// that move was searched and refuted. The best move was only the second choice and has been
    /// searched less, so it should be searched again before lines are built on it. Several best
    /// moves count if the options follow [all of them](OwnMoves::AllBest). Each position is
    /// returned once; positions that a book cannot hold are passed over.
    ///
    /// Source: "peta refutation" of BookMiner, which checks only the last positions of lines; this
    /// checks all. Takes as long as the [frontier](Self::frontier).
    pub fn refutations(&self, options: &FrontierOptions, margin_cp: u32) -> Vec<Refutation> {
        let mut visited = Vec::new();
        let mut walked = FrontierSet::new(self, options);
        walk_all(&mut walked, Alpha::per_mille(0), |label, sides, limits| {
            visited.push((*label, sides, *limits));
        });
        let mut search = Search { set: walked.without_entries(), beliefs: Vec::new() };
        for (label, sides, limits) in &visited {
            if limits.is_within(label.ply + 1) {
                search.check(label, *sides, limits, margin_cp);
            }
        }
        search.finish()
    }
}

/// The move with the best listed value, that value, and the propagated one.
#[derive(Debug, Clone, Copy)]
struct Belief {
    m: Move,
    listed: Score,
    now: Score,
}

struct Search<'a> {
    set: FrontierSet<'a>,
    /// The beliefs, one per entry.
    beliefs: Vec<Belief>,
}

impl Search<'_> {
    fn check(&mut self, label: &Label, sides: BookSides, limits: &Limits, margin_cp: u32) {
        let graph = self.set.graph;
        let State { node, side } = label.state;
        let moves = graph.ranked_moves(node);
        let Some(best) = moves.first().map(|first| first.value.score) else { return };
        let Some(belief) = belief(graph, node, &moves, best, margin_cp) else { return };
        let most = match self.set.options.own_moves {
            OwnMoves::First => 1,
            OwnMoves::AllBest => moves.len(),
        };
        let is_best = |ranked: &&RankedMove| ranked.value.score == best;
        // The walk would not follow such a move either.
        if limits.eval_limit.is_some_and(|limit| best.raw().abs() > limit) {
            return;
        }
        let position = graph.black_to_move(node);
        for ranked in moves.iter().take_while(is_best).take(most).filter(|m| m.leaves_book) {
            let edge = EdgeOut::by(&Followed { ranked: *ranked, drop_cp: 0 }, true);
            let key = position.key_after(edge.m);
            if let Insertion::New(_) = self.set.insert(key, sides, label, edge) {
                self.beliefs.push(Belief { m: turn(belief.m, side), ..belief });
            }
        }
    }

    fn finish(self) -> Vec<Refutation> {
        let Self { set, beliefs } = self;
        let line_tree = &set.line_tree;
        let roots = &set.options.roots;
        let mut found: Vec<Refutation> = set
            .entries
            .iter()
            .zip(beliefs)
            .map(|(entry, belief)| Refutation {
                found: entry.position(line_tree, roots),
                believed: belief.m,
                believed_score: belief.listed,
                score: belief.now,
            })
            .collect();
        found.sort_by_key(|refutation| refutation.found.line.len());
        found
    }
}

/// The move with the best listed value, if that exceeds the value `best` of the best move by the
/// margin.
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
