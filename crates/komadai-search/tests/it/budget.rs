//! The budget of a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use komadai_core::{Analysis, Budget, Position};
use komadai_eval::Classical;
use komadai_movegen::MoveGen;
use komadai_search::{AlphaBeta, SearchOptions, Searcher};
use komadai_testdata::{openings, positions};

fn searcher() -> AlphaBeta<Classical> {
    AlphaBeta::new(Classical::default(), SearchOptions { hash_mib: 1, ..SearchOptions::default() })
}

/// Removes the time, the only part of an analysis that differs when a search is repeated.
fn without_time(analysis: Analysis) -> Analysis {
    Analysis { time: Duration::ZERO, ..analysis }
}

fn suite() -> impl Iterator<Item = Position> {
    let bench = positions::bench().map(|position| position.sfen).into_iter();
    bench.chain(openings::sfens().take(10)).map(|sfen| Position::from_sfen(sfen).unwrap())
}

#[test]
fn the_same_budget_in_nodes_gives_the_same_result() {
    let (mut first, mut second) = (searcher(), searcher());
    for position in suite() {
        let mut reports = [Vec::new(), Vec::new()];
        let budget = Budget::nodes(20_000);
        let [a, b] = &mut reports;
        let one = first.search(&position, &budget, &mut |found| a.push(found.clone()));
        let two = second.search(&position, &budget, &mut |found| b.push(found.clone()));
        assert_eq!(without_time(one), without_time(two));
        let [a, b] = reports.map(|reports| Vec::from_iter(reports.into_iter().map(without_time)));
        assert_eq!(a, b);
    }
    // After a new game the searcher is like a new one.
    first.new_game();
    let position = Position::hirate();
    let again = first.search(&position, &Budget::nodes(5_000), &mut |_| {});
    let fresh = searcher().search(&position, &Budget::nodes(5_000), &mut |_| {});
    assert_eq!(without_time(again), without_time(fresh));
}

#[test]
fn the_smallest_budget_still_finishes_an_iteration() {
    let stop = Arc::new(AtomicBool::new(true));
    let budgets = [
        Budget::nodes(0),
        Budget::nodes(1),
        Budget::depth(0),
        Budget { stop: Some(stop), ..Budget::unlimited() },
        Budget { deadline: Some(Instant::now()), ..Budget::unlimited() },
    ];
    for position in suite() {
        for budget in &budgets {
            let analysis = searcher().search(&position, budget, &mut |_| {});
            let best = analysis.best_move().expect("there is a legal move");
            assert!(position.is_legal(best));
            assert!(analysis.depth >= 1);
            assert!(analysis.score().is_some_and(|score| score.raw().abs() <= 32_000));
        }
    }
}

#[test]
fn nodes_are_not_overspent() {
    for position in suite() {
        for nodes in [5_000, 12_345] {
            let analysis = searcher().search(&position, &Budget::nodes(nodes), &mut |_| {});
            assert!(analysis.nodes <= nodes || analysis.depth == 1, "{}", analysis.nodes);
            assert!(!analysis.completed || analysis.score().unwrap().is_mate());
        }
    }
}

#[test]
fn depth_is_respected_and_completes_the_search() {
    let mut depths = Vec::new();
    let budget = Budget::depth(5);
    let position = Position::hirate();
    let analysis = searcher().search(&position, &budget, &mut |found| depths.push(found.depth));
    assert_eq!(depths, [1, 2, 3, 4, 5]);
    assert_eq!((analysis.depth, analysis.completed), (5, true));
    assert!(analysis.seldepth >= 5);
}

#[test]
fn deadlines_are_kept() {
    let start = Instant::now();
    let budget =
        Budget { deadline: Some(start + Duration::from_millis(50)), ..Budget::unlimited() };
    let analysis = searcher().search(&Position::hirate(), &budget, &mut |_| {});
    assert!(!analysis.completed);
    // 256 nodes late at most; the rest is for a busy machine.
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn the_stop_flag_set_while_reporting_ends_the_search_there() {
    let stop = Arc::new(AtomicBool::new(false));
    let budget = Budget { stop: Some(Arc::clone(&stop)), ..Budget::unlimited() };
    let mut seen = Vec::new();
    let analysis = searcher().search(&Position::hirate(), &budget, &mut |found| {
        seen.push(found.clone());
        stop.store(found.depth == 3, Ordering::Relaxed);
    });
    assert_eq!(analysis.depth, 3);
    assert_eq!(Some(without_time(analysis)), seen.pop().map(without_time));
}

#[test]
fn several_threads_obey_the_same_budget() {
    let options = SearchOptions { hash_mib: 4, threads: 3, ..SearchOptions::default() };
    let mut searcher = AlphaBeta::new(Classical::default(), options);
    for position in suite() {
        let analysis = searcher.search(&position, &Budget::nodes(30_000), &mut |_| {});
        assert!(position.is_legal(analysis.best_move().expect("there is a legal move")));
        // Each thread checks the budget every 256 nodes.
        assert!(analysis.nodes <= 30_000 + 3 * 256, "{}", analysis.nodes);
        let depth = searcher.search(&position, &Budget::depth(4), &mut |_| {});
        let is_mate = depth.score().is_some_and(|score| score.is_mate());
        assert!(depth.completed && (depth.depth >= 4 || is_mate));
    }
    let start = Instant::now();
    let budget =
        Budget { deadline: Some(start + Duration::from_millis(30)), ..Budget::unlimited() };
    assert!(!searcher.search(&Position::hirate(), &budget, &mut |_| {}).completed);
    assert!(start.elapsed() < Duration::from_secs(5));
}
