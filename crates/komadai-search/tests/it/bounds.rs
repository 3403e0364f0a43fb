//! Values at the end of a budget: soft limits, and the edges of unfinished aspiration windows.

use std::time::Duration;

use komadai_core::{Analysis, Bound, Budget, Position, Score};
use komadai_eval::Classical;
use komadai_search::hybrid::Hybrid;
use komadai_search::monte_carlo::{MonteCarlo, MonteCarloOptions};
use komadai_search::{AlphaBeta, SearchOptions, Searcher};
use komadai_testdata::{openings, positions};

/// Positions in which mates are found late, or fend off for long: a rook, a gold or a promoted
/// bishop against a bare king, for both sides.
const DRAWN_OUT: [&str; 8] = [
    "4k4/9/9/9/4r4/9/9/9/4R2K1 b - 1",
    "1k2r4/9/9/9/4R4/9/9/9/4K4 w - 1",
    "4k4/9/9/9/4g4/9/9/9/4R2K1 b R 1",
    "4k4/9/9/9/9/9/9/9/4K4 b RG 1",
    "4k4/9/9/9/9/9/9/9/4K4 w rg 1",
    "9/4k4/9/9/9/4+B4/9/9/4K4 b G2P 1",
    "9/4k4/9/9/4+b4/9/9/4K4/9 w g2p 1",
    "lnsgkgsnl/9/9/9/9/9/9/9/4K4 w rb 1",
];

/// The largest distance of a bound from the value of the last finished iteration.
const FAR: i32 = 1_000;

fn searcher(multi_pv: usize, threads: usize) -> AlphaBeta<Classical> {
    let options = SearchOptions { hash_mib: 1, ..SearchOptions::default() };
    AlphaBeta::new(Classical::default(), SearchOptions { multi_pv, threads, ..options })
}

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).expect("test data are positions")
}

fn suite() -> impl Iterator<Item = Position> {
    let bench = positions::bench().map(|position| position.sfen).into_iter();
    bench.chain(openings::sfens().take(6)).map(position)
}

/// Returns the values of the finished iterations, and the last analysis.
fn search(
    searcher: &mut dyn Searcher,
    at: &Position,
    budget: &Budget,
) -> (Vec<Analysis>, Analysis) {
    let mut finished = Vec::new();
    let last = searcher.search(at, budget, &mut |found| finished.push(found.clone()));
    (finished, last)
}

#[test]
fn a_first_line_that_is_no_value_is_near_the_last_one() {
    let sudden = suite()
        .take(12)
        .flat_map(|at| [400, 900, 2_000, 4_500, 9_000, 18_000].map(|nodes| (at.clone(), nodes)));
    let slow = DRAWN_OUT.iter().flat_map(|sfen| {
        [700, 1_500, 3_000, 6_000, 9_000, 13_000, 20_000, 35_000, 50_000]
            .map(|nodes| (position(sfen), nodes))
    });
    let mut bounds = 0;
    for (at, nodes) in slow.chain(sudden) {
        for multi_pv in [1, 3] {
            let (finished, last) = search(&mut searcher(multi_pv, 1), &at, &Budget::nodes(nodes));
            let exact =
                finished.last().and_then(Analysis::exact_score).expect("an iteration").raw();
            let best = &last.lines[0];
            let name = format!("{at}, {nodes} nodes, {multi_pv} lines: {best} after {exact}");
            // A mate for the side to move that was found in the middle of an iteration is no
            // window's edge.
            let is_win = best.score.raw() > Score::MAX_CP;
            if best.bound != Bound::Exact && !is_win {
                bounds += 1;
                assert!(best.score.raw().abs_diff(exact) <= FAR as u32, "{name}");
                assert!(!best.score.is_mate() || exact == best.score.raw(), "{name}");
            }
            assert!(is_win || best.score.raw() >= exact - FAR, "{name}");
            // The other lines have no lower bounds above the first one.
            for line in &last.lines[1..] {
                assert!(
                    line.bound != Bound::Lower || line.score <= best.score,
                    "{name}, then {line}"
                );
            }
        }
    }
    assert!(bounds >= 5, "{bounds} bounds");
}

#[test]
fn the_edge_of_a_window_on_the_way_to_a_mate_is_not_shown() {
    let at = position(DRAWN_OUT[0]);
    let (finished, last) = search(&mut searcher(1, 1), &at, &Budget::nodes(50_000));
    let exact = finished.last().and_then(Analysis::exact_score).unwrap().raw();
    assert!(last.score().unwrap().raw() <= exact + FAR, "{} after {exact}", last.lines[0]);
    let (_, last) = search(&mut searcher(1, 1), &at, &Budget::about(50_000));
    assert!(last.exact_score().is_some_and(|score| score.is_mate()), "{}", last.lines[0]);
}

#[test]
fn a_search_with_a_soft_limit_ends_with_an_iteration() {
    for multi_pv in [1, 4] {
        for at in suite().chain(DRAWN_OUT.map(position)) {
            for nodes in [0, 300, 1_000, 2_500] {
                let budget = Budget { soft_nodes: Some(nodes), ..Budget::unlimited() };
                let (finished, last) = search(&mut searcher(multi_pv, 1), &at, &budget);
                let before = finished.iter().rev().nth(1).map_or(0, |before| before.nodes);
                assert!(before < nodes.max(1), "{at}: another iteration after {before} nodes");
                assert!(last.completed || last.nodes >= nodes, "{at}: {} nodes", last.nodes);
                assert_eq!(finished.last().map(|last| &last.lines), Some(&last.lines));
                assert!(last.lines.iter().all(|line| line.bound.is_exact()), "{at}");
                let again = search(&mut searcher(multi_pv, 1), &at, &budget).1;
                assert_eq!(Analysis { time: last.time, ..again }, last);
            }
        }
    }
}

#[test]
fn the_hard_limit_holds_beside_the_soft_one() {
    for at in suite() {
        let budget = Budget { soft_nodes: Some(1_900), ..Budget::nodes(2_000) };
        let (_, last) = search(&mut searcher(1, 1), &at, &budget);
        assert!(last.nodes <= 2_000 && (last.nodes >= 1_900 || last.completed), "{}", last.nodes);
        // A soft limit above the hard one has no effect.
        let hard = search(&mut searcher(1, 1), &at, &Budget::nodes(2_000)).1;
        let both = Budget { soft_nodes: Some(2_001), ..Budget::nodes(2_000) };
        let both = search(&mut searcher(1, 1), &at, &both).1;
        assert_eq!(
            Analysis { time: Duration::ZERO, ..both },
            Analysis { time: Duration::ZERO, ..hard }
        );
        let depth = Budget { depth: Some(2), ..Budget::about(2_000) };
        assert!(search(&mut searcher(1, 1), &at, &depth).1.completed);
    }
}

#[test]
fn threads_obey_a_soft_limit_and_report_values() {
    for at in suite().take(4) {
        let budget = Budget { soft_nodes: Some(4_000), ..Budget::unlimited() };
        let last = search(&mut searcher(1, 3), &at, &budget).1;
        assert!(last.exact_score().is_some() && (last.completed || last.nodes >= 4_000));
    }
}

#[test]
fn a_tree_search_ends_at_the_soft_limit() {
    let mut options = MonteCarloOptions::default();
    options.search = SearchOptions { hash_mib: 4, ..options.search };
    let mut tree = MonteCarlo::new(Classical::default(), options.clone());
    let at = Position::hirate();
    let hard = search(&mut tree, &at, &Budget::nodes(3_000)).1;
    tree.new_game();
    let soft = search(&mut tree, &at, &Budget::about(3_000)).1;
    assert_eq!(Analysis { time: hard.time, ..soft }, hard);
    let search_options = SearchOptions { hash_mib: 4, ..SearchOptions::default() };
    let mut both = Hybrid::new(Classical::default(), search_options, options);
    let budget = Budget { soft_nodes: Some(3_000), ..Budget::unlimited() };
    assert!(search(&mut both, &at, &budget).1.nodes >= 3_000);
}
