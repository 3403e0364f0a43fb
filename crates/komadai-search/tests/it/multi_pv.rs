//! The order of the lines when a search ends in the middle of an iteration.

use komadai_core::{Analysis, Budget, Position};
use komadai_eval::Classical;
use komadai_search::{AlphaBeta, SearchOptions, Searcher};
use komadai_testdata::{openings, positions};
use proptest::prelude::*;

fn start() -> impl Strategy<Value = Position> {
    let sfens: Vec<_> = openings::sfens().take(60).chain([positions::STARTPOS]).collect();
    let read = |sfen| Position::from_sfen(sfen).expect("test data are positions");
    proptest::sample::select(sfens).prop_map(read)
}

/// Returns whether the lines are sorted by depth, then by score, and none is shallower than the
/// analysis.
fn is_best_first(analysis: &Analysis) -> bool {
    let finished = analysis.depth..=analysis.depth + 1;
    analysis.lines.iter().all(|line| finished.contains(&line.depth))
        && analysis.lines.is_sorted_by_key(|line| core::cmp::Reverse((line.depth, line.score)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn lines_are_best_first_at_every_node_limit(
        position in start(),
        nodes in 200..6_000_u64,
        multi_pv in 2..=5_usize,
    ) {
        let options = SearchOptions { hash_mib: 1, multi_pv, ..SearchOptions::default() };
        let mut searcher = AlphaBeta::new(Classical::default(), options);
        let mut finished = Vec::new();
        let budget = Budget::nodes(nodes);
        let last = searcher.search(&position, &budget, &mut |found| finished.push(found.clone()));
        prop_assert_eq!(last.lines.len(), multi_pv);
        for analysis in finished.iter().chain([&last]) {
            prop_assert!(is_best_first(analysis), "{:?}", analysis);
        }
        for analysis in &finished {
            prop_assert!(analysis.lines.iter().all(|line| line.depth == analysis.depth));
        }
    }
}
