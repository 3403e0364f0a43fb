//! Frontiers and other selections against slow programs that are obviously right, on small books.

mod cuts;
mod departures;
mod orders;
mod probabilities;
mod refutations;
mod rejoins;
mod root_limits;
mod traps;
mod unsolved;

use std::collections::{BTreeMap, BTreeSet};

use komadai_bookgraph::frontier::{BookSides, FrontierOptions, OwnMoves, Window};
use komadai_bookgraph::{BookGraph, RankedMove};
use komadai_core::{Color, Position};

use crate::small_books::{STARTS, any_lists, book, name, pool};
use proptest::prelude::*;

/// Length in plies that no line of interest in these books exceeds.
const LONGEST: u32 = 60;

/// The moves followed at a position, each with its distance from the best in centipawns.
pub(super) fn followed(
    graph: &BookGraph,
    options: &FrontierOptions,
    own: Color,
    root: &Position,
    at: &Position,
) -> Vec<(RankedMove, u32)> {
    let moves = graph.moves(at);
    let Some(best) = moves.first().map(|first| first.value.score.raw()) else { return Vec::new() };
    let anchor = match options.window {
        Window::Free | Window::Best => best,
        Window::Root => {
            let value = graph.value(root).expect("the root has a value").score.raw();
            if root.side() == at.side() { value } else { -value }
        }
    };
    let only_best = at.side() == own && options.window != Window::Free;
    let is_followed = |number: usize, score: i32| match (only_best, options.own_moves) {
        (true, OwnMoves::First) => number == 0,
        (true, OwnMoves::AllBest) => score == best,
        (false, _) => score >= anchor - options.eval_diff,
    };
    let within = |score: i32| options.eval_limit.is_none_or(|limit| score.abs() <= limit);
    let numbered = moves.iter().enumerate().map(|(number, m)| (number, m, m.value.score.raw()));
    numbered
        .filter(|&(number, _, score)| is_followed(number, score) && within(score))
        .map(|(_, m, score)| (*m, best.abs_diff(score)))
        .collect()
}

/// The price of a line to each position, in thousandths of a ply, and the position.
type Costs = BTreeMap<String, (u64, Position)>;

/// The lowest price of each frontier position, and the sides whose books need it.
type FrontierPrices = BTreeMap<String, (u64, BTreeSet<Color>)>;

/// The lowest price of each frontier position, and all positions visited.
///
/// Extends all lines by one ply at a time and keeps the cheapest one to each position.
pub(super) fn oracle(
    graph: &BookGraph,
    options: &FrontierOptions,
    own: Color,
    root: &Position,
    alpha: u64,
) -> (Costs, BTreeMap<String, Position>) {
    let (mut outside, mut visited) = (Costs::new(), BTreeMap::new());
    let mut layer = Costs::from([(name(root), (0, root.clone()))]);
    for ply in root.ply()..root.ply() + LONGEST {
        if options.max_ply.is_some_and(|max| ply > max) {
            break;
        }
        let mut next = Costs::new();
        for (text, (cost, position)) in layer {
            if graph.value(&position).is_none() {
                let known = outside.entry(text).or_insert((cost, position));
                known.0 = known.0.min(cost);
                continue;
            }
            for (m, drop) in followed(graph, options, own, root, &position) {
                let cost = cost + 1_000 + alpha * u64::from(drop);
                let after = position.after(m.m).without_history();
                let known = next.entry(name(&after)).or_insert((cost, after));
                known.0 = known.0.min(cost);
            }
            // The first length of line has the smallest move number.
            visited.entry(text).or_insert(position);
        }
        layer = next;
    }
    (outside, visited)
}

/// The result of [`oracle`] for all roots and sides, with the sides that need each position.
pub(super) fn oracle_of_all(
    graph: &BookGraph,
    options: &FrontierOptions,
    alpha: u64,
) -> FrontierPrices {
    let mut all = FrontierPrices::new();
    for &own in options.sides.colors() {
        for root in &options.roots {
            for (text, (cost, _)) in oracle(graph, options, own, root, alpha).0 {
                let known = all.entry(text).or_insert((cost, BTreeSet::new()));
                known.0 = known.0.min(cost);
                known.1.insert(own);
            }
        }
    }
    all
}

fn any_window() -> impl Strategy<Value = Window> {
    prop_oneof![Just(Window::Free), Just(Window::Best), Just(Window::Root)]
}

fn any_sides() -> impl Strategy<Value = BookSides> {
    prop_oneof![Just(BookSides::Black), Just(BookSides::White), Just(BookSides::Both)]
}

fn any_own_moves() -> impl Strategy<Value = OwnMoves> {
    prop_oneof![Just(OwnMoves::First), Just(OwnMoves::AllBest)]
}

prop_compose! {
    /// Two books and options of a selection. Roots are positions of the pool with move numbers of
    /// their own; the book may lack some of them.
    pub(super) fn any_case()(
        start in 0usize..STARTS.len(),
        most in 3usize..30,
        lists in any_lists(),
        rival in any_lists(),
        draw in prop_oneof![3 => Just(0i32), 1 => -30i32..=30],
        roots in prop::collection::vec((0usize..30, 1u32..4), 1..4),
        (window, sides, own_moves) in (any_window(), any_sides(), any_own_moves()),
        eval_diff in 0i32..60,
        max_ply in prop::option::of(1u32..12),
        eval_limit in prop::option::of(0i32..60),
    ) -> (BookGraph, BookGraph, FrontierOptions) {
        let pool = pool(STARTS[start], most);
        let (graph, rival) = (book(&pool, &lists, draw), book(&pool, &rival, 0));
        let root = |&(at, ply): &(usize, u32)| {
            let at = if at < 15 { 0 } else { at % pool.len() };
            Position::from_sfen(&format!("{} {ply}", name(&pool[at]))).expect("a position")
        };
        let roots: Vec<Position> = roots.iter().map(root).collect();
        let first = Position::hirate();
        let options = FrontierOptions { roots, eval_diff, own_moves, max_ply, eval_limit, ..FrontierOptions::new(first, sides, window) };
        (graph, rival, options)
    }
}

/// Gives all roots the same move number, so that all walks end at the same one.
pub(super) fn with_one_number(options: FrontierOptions) -> FrontierOptions {
    let root = |root: &Position| Position::from_sfen(&format!("{} 1", name(root))).unwrap();
    let roots = options.roots.iter().map(root).collect();
    FrontierOptions { roots, ..options }
}
