//! The moves that are followed from one position.

use komadai_core::Color;
use smallvec::SmallVec;

use super::cuts::MoveCuts;
use super::options::{FrontierOptions, Limits, OwnMoves, Window};
use crate::graph::{BookGraph, RankedMove};

/// A state of a walk: a node of the book with the side to move in the real game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    pub(super) node: u32,
    pub(super) side: Color,
}

/// Roots whose lines are followed by the same rule.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// The side whose book it is.
    pub(super) own: Color,
    /// The value with which the moves of the opponent are compared, for Black; `None` for that of
    /// the best move of each position.
    anchor: Option<i32>,
    /// The limits of all lines.
    pub(super) limits: Limits,
    /// The numbers of the roots, and their states.
    pub(super) roots: Vec<(u32, State)>,
}

impl Plan {
    /// Creates the plans for all roots and sides. Roots with the same rule share a plan.
    pub(super) fn all(graph: &BookGraph, options: &FrontierOptions, sides: &[Color]) -> Vec<Self> {
        let mut plans: Vec<Self> = Vec::new();
        for &own in sides {
            for (number, root) in (0..).zip(&options.roots) {
                let Some(node) = graph.node(root) else { continue };
                let state = State { node, side: root.side() };
                let value = graph.node_value(node).score.raw();
                let for_black = if state.side == Color::Black { value } else { -value };
                let anchor = (options.window == Window::Root).then_some(for_black);
                let limits = options.limits_of(number as usize);
                let has_rule = |plan: &&mut Self| {
                    (plan.own, plan.anchor, plan.limits) == (own, anchor, limits)
                };
                match plans.iter_mut().find(has_rule) {
                    Some(plan) => plan.roots.push((number, state)),
                    None => plans.push(Self { own, anchor, limits, roots: vec![(number, state)] }),
                }
            }
        }
        plans
    }
}

/// A move that is followed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Followed {
    pub(super) ranked: RankedMove,
    /// The distance from the best move, in centipawns.
    pub(super) drop_cp: u32,
}

/// Some moves that are followed, best first.
pub(super) type FollowedMoves = SmallVec<[Followed; 6]>;

/// The rule by which moves are followed.
#[derive(Debug)]
pub(super) struct Choices<'a> {
    graph: &'a BookGraph,
    options: &'a FrontierOptions,
    own: Color,
    anchor: Option<i32>,
    limits: Limits,
}

impl<'a> Choices<'a> {
    pub(super) fn new(graph: &'a BookGraph, options: &'a FrontierOptions, plan: &Plan) -> Self {
        Self { graph, options, own: plan.own, anchor: plan.anchor, limits: plan.limits }
    }

    /// Returns whether only best moves are followed from this state.
    pub(super) fn is_best_only(&self, state: State) -> bool {
        self.limits.is_best_line || (state.side == self.own && self.options.window != Window::Free)
    }

    /// The moves to follow, best first, and the numbers of those that are not followed.
    pub(super) fn of(&self, state: State) -> (FollowedMoves, MoveCuts) {
        let mut moves = self.all(state);
        let mut cuts = MoveCuts::default();
        if self.is_best_only(state) {
            match self.options.own_moves {
                OwnMoves::First => keep_first(&mut moves),
                OwnMoves::AllBest => moves.retain(|followed| followed.drop_cp == 0),
            }
        } else {
            let best = moves.iter().find(|followed| followed.drop_cp == 0).map_or(0, score);
            let least = self.anchor(state.side, best).saturating_sub(self.options.eval_diff);
            let all = moves.len();
            moves.retain(|followed| score(followed) >= least);
            cuts.outside_window = all - moves.len();
        }
        if let Some(limit) = self.limits.eval_limit {
            let all = moves.len();
            moves.retain(|followed| score(followed).abs() <= limit);
            cuts.beyond_eval_limit = all - moves.len();
        }
        cuts.are_all = moves.is_empty();
        // Sorting comes last, when most moves have been removed.
        moves.sort_unstable_by(|one, other| one.ranked.order(&other.ranked));
        (moves, cuts)
    }

    /// All moves of the book, in no particular order.
    pub(super) fn all(&self, state: State) -> FollowedMoves {
        let mut moves = FollowedMoves::new();
        self.graph.for_each_move(state.node, |ranked| moves.push(Followed { ranked, drop_cp: 0 }));
        let best = moves.iter().map(score).max().unwrap_or(0);
        for followed in &mut moves {
            followed.drop_cp = best.abs_diff(score(followed));
        }
        moves
    }

    /// The value with which moves are compared, for the side to move.
    fn anchor(&self, side: Color, best: i32) -> i32 {
        match (self.anchor, side) {
            (None, _) => best,
            (Some(for_black), Color::Black) => for_black,
            (Some(for_black), Color::White) => -for_black,
        }
    }
}

fn keep_first(moves: &mut FollowedMoves) {
    let first = moves.iter().min_by(|one, other| one.ranked.order(&other.ranked)).copied();
    moves.clear();
    moves.extend(first);
}

fn score(followed: &Followed) -> i32 {
    followed.ranked.value.score.raw()
}
