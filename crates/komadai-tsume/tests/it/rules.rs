//! Rules of mate that solvers often get wrong, and the guarantees of the solver to its caller.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use komadai_core::{Budget, Position};
use komadai_movegen::{CheckClass, MateLimit, MateReport, MateResult, MateSolver};
use komadai_testdata::tsume::{self, Expected, Set};
use komadai_tsume::{DfPn, DfPnOptions, Goal, is_mating_line};
use proptest::prelude::*;

fn report(sfen: &str, goal: Goal, budget: &Budget) -> MateReport {
    let position = Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"));
    let options = DfPnOptions { hash_mib: 4, goal, ..DfPnOptions::default() };
    DfPn::new(options).solve(&position, budget, CheckClass::All)
}

/// Length of the shortest mate, `None` without a mate.
fn shortest(sfen: &str) -> Option<usize> {
    match report(sfen, Goal::ShortestMate, &Budget::nodes(100_000)).result {
        MateResult::Mate { line, shortest: true } => Some(line.len()),
        MateResult::NoMate => None,
        other => panic!("{sfen}: {other:?}"),
    }
}

#[test]
fn a_dropped_pawn_does_not_mate() {
    // Only the pawn would reach the king's head.
    assert_eq!(shortest("7nk/9/8G/9/9/9/9/9/9 b P 1"), None);
    assert_eq!(shortest("7nk/9/8G/9/9/9/9/9/9 b L 1"), Some(1));
    // A pawn on the board may mate, and one that is dropped may give check.
    assert_eq!(shortest("7nk/9/8P/7G1/9/9/9/9/9 b - 1"), None);
    assert_eq!(shortest("7nk/9/7GP/9/9/9/9/9/9 b - 1"), Some(1));
}

#[test]
fn a_move_may_have_to_stay_unpromoted_to_avoid_the_pawn_drop_mate() {
    // A theme of composed problems. The lines are in the bundled set; here they must only be found.
    let themes = tsume::set(Set::NoMate).filter(|p| p.notes.contains("UCHIFUZUME"));
    let mut refuted = 0;
    for problem in themes {
        let result = report(problem.sfen, Goal::AnyMate, &Budget::nodes(100_000)).result;
        assert!(!matches!(result, MateResult::Mate { .. }), "{}", problem.id);
        refuted += u32::from(result == MateResult::NoMate);
    }
    assert!(refuted >= 5, "{refuted}");
}

#[test]
fn perpetual_check_is_no_mate() {
    // A lone dragon chases the king for ever.
    assert_eq!(shortest("9/9/9/9/4k4/9/9/7+R1/9 b - 1"), None);
    let loops = tsume::set(Set::NoMate).filter(|p| p.notes.contains("REPETITION"));
    let mut refuted = 0;
    for problem in loops {
        let result = report(problem.sfen, Goal::AnyMate, &Budget::nodes(400_000)).result;
        assert!(!matches!(result, MateResult::Mate { .. }), "{}", problem.id);
        refuted += u32::from(result == MateResult::NoMate);
    }
    assert!(refuted >= 6, "{refuted}");
}

#[test]
fn an_attacker_in_check_has_to_answer_it() {
    // White's rook gives check; the gold would mate but has to parry it first.
    assert_eq!(shortest("4k4/9/4P4/9/9/9/9/9/r3K4 b G 1"), None);
    assert_eq!(shortest("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), Some(1));
    // Taking the checking piece is a check, and mate.
    assert_eq!(shortest("3sks3/3ppp3/4R4/9/9/9/9/9/4K4 b - 1"), None);
    assert_eq!(shortest("4k4/4r4/4P4/9/9/9/9/4G4/4K4 b - 1"), None);
    assert_eq!(shortest("3nkn3/3pgp3/4r4/9/4R4/9/9/9/4K4 b G 1"), None);
}

#[test]
fn a_defender_without_a_move_but_not_in_check_is_not_mated() {
    // The king in the corner cannot move; no check exists.
    assert_eq!(shortest("8k/6G2/7G1/9/9/9/9/9/9 b - 1"), Some(1));
    assert_eq!(shortest("8k/9/7+R1/9/9/9/9/9/K8 b - 1"), None);
}

#[test]
fn positions_with_one_king_are_solved_and_those_without_its_target_have_no_mate() {
    assert_eq!(shortest("4k4/9/4P4/9/9/9/9/9/9 b G 1"), Some(1));
    assert_eq!(shortest("9/9/9/9/9/9/9/9/4K4 b G 1"), None);
    assert_eq!(shortest("9/9/9/9/9/9/4p4/9/4K4 w g 1"), Some(1), "White mates, too");
}

#[test]
fn a_spent_budget_is_unknown_and_never_no_mate() {
    let sfen = "7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1";
    for goal in [Goal::AnyMate, Goal::ShortestMate] {
        for nodes in 0..200 {
            let spent = report(sfen, goal, &Budget::nodes(nodes));
            assert!(spent.nodes <= nodes);
            assert_ne!(spent.result, MateResult::NoMate);
            assert!(nodes > 0 || spent.result == MateResult::Unknown);
            if matches!(spent.result, MateResult::Unknown | MateResult::MateWithoutLine { .. }) {
                assert_eq!(spent.limit, Some(MateLimit::Nodes), "{spent:?}");
            }
            // What is proven so far holds: the shortest mate takes 15 plies.
            assert!(spent.no_mate_within < 15, "{spent:?}");
            assert!(spent.mate_within.is_none_or(|plies| plies >= 15), "{spent:?}");
            assert_eq!(spent.mate_within.is_some(), spent.is_mate(), "{spent:?}");
        }
    }
    let past = Budget { deadline: Some(Instant::now()), ..Budget::unlimited() };
    assert_eq!(report(sfen, Goal::AnyMate, &past).result, MateResult::Unknown);
    let stopped = Budget { stop: Some(Arc::new(AtomicBool::new(true))), ..Budget::unlimited() };
    assert_eq!(report(sfen, Goal::AnyMate, &stopped).result, MateResult::Unknown);
}

#[test]
fn a_deadline_ends_a_search_that_would_last_long() {
    let longest = tsume::set(Set::Classic).max_by_key(tsume::Problem::literature_plies);
    let hard = longest.expect("the set has problems");
    let start = Instant::now();
    let budget =
        Budget { deadline: Some(start + Duration::from_millis(50)), ..Budget::unlimited() };
    report(hard.sfen, Goal::ShortestMate, &budget);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn a_depth_in_the_budget_bounds_the_mate_and_proves_no_more() {
    let sfen = "7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1";
    for depth in [0, 1, 2, 13, 14] {
        let budget = Budget { depth: Some(depth), ..Budget::nodes(100_000) };
        assert_eq!(report(sfen, Goal::AnyMate, &budget).result, MateResult::Unknown, "{depth}");
    }
    for depth in [15, 16, 10_000] {
        let budget = Budget { depth: Some(depth), ..Budget::nodes(100_000) };
        let result = report(sfen, Goal::ShortestMate, &budget).result;
        assert!(matches!(result, MateResult::Mate { ref line, .. } if line.len() == 15), "{depth}");
    }
    // Where every check runs out sooner than that, a bounded search proves everything.
    let budget = Budget { depth: Some(1), ..Budget::nodes(100_000) };
    let nothing = report("4k4/9/9/9/9/4P4/9/9/9 b - 1", Goal::AnyMate, &budget);
    assert_eq!(nothing.result, MateResult::NoMate);
}

#[test]
fn what_was_solved_before_changes_nothing() {
    let problems: Vec<_> = tsume::set(Set::RandomMate).take(40).collect();
    let options = DfPnOptions { hash_mib: 1, goal: Goal::ShortestMate, ..DfPnOptions::default() };
    let mut used = DfPn::new(options);
    for problem in problems.iter().chain(&problems) {
        let position = Position::from_sfen(problem.sfen).expect("the set has positions");
        let budget = Budget::nodes(20_000);
        let fresh = DfPn::new(options).solve(&position, &budget, CheckClass::All);
        let again = used.solve(&position, &budget, CheckClass::All);
        // The time alone may differ.
        let again = MateReport { time: fresh.time, ..again };
        assert_eq!(again, fresh, "{}", problem.id);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// A rotated or mirrored problem keeps its result and its length.
    #[test]
    fn turning_the_board_changes_nothing(index in 0_usize..292) {
        let problem = tsume::set(Set::RandomMate).nth(index).expect("so many are there");
        let Expected::ShortestMate(plies) = problem.expected else { unreachable!("all proven") };
        prop_assume!(plies <= 9);
        let position = Position::from_sfen(problem.sfen).expect("the set has positions");
        let mut solver = DfPn::new(DfPnOptions { hash_mib: 8, goal: Goal::ShortestMate, ..DfPnOptions::default() });
        for position in [position.flipped(), position.mirrored(), position.flipped().mirrored()] {
            let report = solver.solve(&position, &Budget::nodes(200_000), CheckClass::All);
            let MateResult::Mate { line, shortest: true } = report.result else {
                return Err(TestCaseError::fail(format!("{}: {report:?}", problem.id)));
            };
            prop_assert!(is_mating_line(&position, &line));
            prop_assert_eq!(line.len() as u32, plies);
        }
    }
}
