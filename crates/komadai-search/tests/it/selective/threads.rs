//! Selective searches by several threads, and with a mate solver.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use komadai_core::{Analysis, Budget, Position, Score};
use komadai_eval::Classical;
use komadai_search::selective::{AbcOptions, RealizationOptions, Selective};
use komadai_search::{SearchOptions, Searcher, Techniques};
use komadai_testdata::openings;
use komadai_testdata::tsume::{Expected, Set, set};

use super::limits::ends_in_mate;
use crate::mate_solver::{Calls, Exhaustive};

/// Both kinds of search, with these settings.
fn both(search: &SearchOptions) -> [Selective<Classical>; 2] {
    let search = SearchOptions { hash_mib: 4, ..search.clone() };
    let options = RealizationOptions { search: search.clone(), ..RealizationOptions::default() };
    let abc = AbcOptions { search, ..AbcOptions::default() };
    [
        Selective::realization_probability(Classical::default(), options),
        Selective::abc(Classical::default(), abc),
    ]
}

fn mate_plies(analysis: &Analysis) -> Option<i32> {
    analysis.score().and_then(Score::mate_plies).filter(|&plies| plies > 0)
}

#[test]
fn two_threads_find_the_mates_of_one() {
    let one = SearchOptions::default();
    let two = SearchOptions { threads: 2, ..SearchOptions::default() };
    for (mut alone, mut together) in both(&one).into_iter().zip(both(&two)) {
        let (mut of_one, mut of_two) = (0, 0);
        let mates = set(Set::ShortSelfplay)
            .filter(|problem| matches!(problem.expected, Expected::ShortestMate(1 | 3)));
        for problem in mates.take(14) {
            let position = Position::from_sfen(problem.sfen).unwrap();
            let find = |searcher: &mut Selective<Classical>, nodes| {
                searcher.new_game();
                searcher.search(&position, &Budget::nodes(nodes), &mut |_| {})
            };
            if mate_plies(&find(&mut alone, 10_000)).is_none() {
                continue;
            }
            of_one += 1;
            let found = find(&mut together, 20_000);
            if mate_plies(&found).is_some() {
                assert!(ends_in_mate(&position, &found.lines[0].pv), "{position} {found:?}");
                of_two += 1;
            }
        }
        assert!(of_one > 8 && of_two + 1 >= of_one, "{of_two} of {of_one}");
    }
}

#[test]
fn threads_share_the_limits() {
    let three = SearchOptions { threads: 3, ..SearchOptions::default() };
    for mut searcher in both(&three) {
        for sfen in openings::sfens().take(2) {
            let position = Position::from_sfen(sfen).unwrap();
            searcher.new_game();
            let found = searcher.search(&position, &Budget::nodes(10_000), &mut |_| {});
            assert!((10_000..=10_000 + 3 * 256).contains(&found.nodes), "{}", found.nodes);
            assert!(found.depth > 2);
            ends_in_mate(&position, &found.lines[0].pv);
            let found = searcher.search(&position, &Budget::depth(4), &mut |_| {});
            assert!(found.completed && found.depth == 4, "{found:?}");
        }
        // A deadline ends all of them.
        let deadline = Instant::now() + Duration::from_millis(50);
        let budget = Budget { deadline: Some(deadline), ..Budget::unlimited() };
        assert!(!searcher.search(&Position::hirate(), &budget, &mut |_| {}).completed);
    }
}

#[test]
fn several_lines_and_threads_give_distinct_moves() {
    let options = SearchOptions { threads: 2, multi_pv: 3, ..SearchOptions::default() };
    for mut searcher in both(&options) {
        let found = searcher.search(&Position::hirate(), &Budget::nodes(20_000), &mut |_| {});
        let mut firsts: Vec<_> = found.lines.iter().map(|line| line.pv[0]).collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 3);
    }
}

/// Calls of a solver at the root and below, over the mates of a set, and how many mates ended a
/// search.
fn calls(techniques: Techniques) -> [[u64; 3]; 2] {
    let options = SearchOptions { techniques, ..SearchOptions::default() };
    both(&options).map(|mut searcher| {
        let calls = Arc::<Calls>::default();
        searcher.set_mate_solver(Some(Box::new(Exhaustive(Arc::clone(&calls)))));
        let mut ended = 0;
        for problem in set(Set::ShortSelfplay).take(16) {
            let position = Position::from_sfen(problem.sfen).unwrap();
            searcher.new_game();
            let found = searcher.search(&position, &Budget::nodes(10_000), &mut |_| {});
            assert!(found.nodes <= 10_000, "{}", found.nodes);
            if mate_plies(&found).is_some() {
                assert!(ends_in_mate(&position, &found.lines[0].pv), "{position} {found:?}");
                ended += u64::from(found.completed);
            }
        }
        [calls.root.load(Ordering::Relaxed), calls.below.load(Ordering::Relaxed), ended]
    })
}

#[test]
fn the_solver_is_called_where_its_switches_say() {
    let default = Techniques::default();
    for [root, below, _] in calls(default) {
        assert_eq!((root, below), (0, 0));
    }
    for [root, below, ended] in calls(default | Techniques::MATE_SOLVER) {
        assert!(root > 0 && below == 0 && ended > 6, "{root} {below} {ended}");
    }
    for technique in [
        Techniques::PV_MATE_SOLVER,
        Techniques::SWING_MATE_SOLVER,
        Techniques::PREDICTED_MATE_SOLVER,
    ] {
        for [root, below, _] in calls(default | technique) {
            assert!(root == 0 && below > 0, "{technique:?} {root} {below}");
        }
    }
}
