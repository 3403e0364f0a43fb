//! The solver on every bundled set of problems.
//!
//! The quick tests bound the nodes so that all of them together take less than a minute. The slow
//! ones take whole sets with more nodes:
//!
//! ```text
//! cargo test --release -p komadai-tsume --test it -- problem_sets --ignored --nocapture
//! ```

use komadai_core::{Budget, Position};
use komadai_movegen::{CheckClass, MateResult, MateSolver};
use komadai_testdata::tsume::{self, Expected, Problem, Set};
use komadai_tsume::{DfPn, DfPnOptions, Goal, is_mating_line};

/// Rows in which the defender is in check with the attacker to move: not legal positions.
const NO_POSITIONS: [&str; 3] = ["mut-muso093-b47G", "mut-zuko042-b36B", "kh8-mudaai-b"];

/// Counts of a run over a set.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    mates: u32,
    /// Mates that are said to be the shortest, and mates as long as the shortest.
    shortest: u32,
    exact: u32,
    no_mates: u32,
    unknown: u32,
    nodes: u64,
}

/// Solves problems with a number of nodes each and compares the results with the expected ones.
fn solve(problems: impl Iterator<Item = Problem>, goal: Goal, nodes: u64) -> Tally {
    solve_with(DfPnOptions { goal, ..DfPnOptions::default() }, problems, nodes)
}

fn solve_with(options: DfPnOptions, problems: impl Iterator<Item = Problem>, nodes: u64) -> Tally {
    let mut solver = DfPn::new(options);
    // Threads tell each other the nodes that they have visited only from time to time.
    let slack = if options.threads == 1 { 0 } else { 256 * options.threads as u64 };
    let mut tally = Tally::default();
    for problem in problems {
        let position = match Position::from_sfen(problem.sfen) {
            Ok(position) => position,
            Err(_) if NO_POSITIONS.contains(&problem.id) => continue,
            Err(error) => panic!("{}: {error}", problem.id),
        };
        let report = solver.solve(&position, &Budget::nodes(nodes), CheckClass::All);
        assert!(report.nodes <= nodes + slack, "{}", problem.id);
        tally.nodes += report.nodes;
        match report.result {
            MateResult::Mate { line, shortest } => {
                assert!(is_mating_line(&position, &line), "{}: {line}", problem.id);
                check_mate(&problem, line.len() as u32, shortest);
                tally.mates += 1;
                tally.shortest += u32::from(shortest);
                let is_exact = problem.expected == Expected::ShortestMate(line.len() as u32);
                tally.exact += u32::from(is_exact);
            }
            MateResult::NoMate => {
                let known = matches!(problem.expected, Expected::NoMate | Expected::Unknown);
                assert!(known, "{}: no mate, but expected {:?}", problem.id, problem.expected);
                tally.no_mates += 1;
            }
            MateResult::MateWithoutLine { .. } => {
                assert_ne!(problem.expected, Expected::NoMate, "{}", problem.id);
                tally.unknown += 1;
            }
            MateResult::Unknown => tally.unknown += 1,
            other => panic!("{}: {other:?}", problem.id),
        }
    }
    tally
}

/// Checks a reported mate in `plies` against the expected result.
fn check_mate(problem: &Problem, plies: u32, shortest: bool) {
    let Problem { id, expected, .. } = problem;
    match *expected {
        Expected::ShortestMate(least) => {
            assert!(plies >= least, "{id}: {plies} plies, but {least} is the shortest");
            assert!(!shortest || plies == least, "{id}: {plies} claimed shortest, not {least}");
        }
        Expected::MateWithin(most) => {
            assert!(!shortest || plies <= most, "{id}: {plies} claimed shortest, more than {most}");
        }
        Expected::Mate | Expected::Unknown => {}
        Expected::NoMate => panic!("{id}: a mate in {plies} plies, but there is none"),
    }
}

/// Every `step`-th problem of a set.
fn sample(set: Set, step: usize) -> impl Iterator<Item = Problem> {
    tsume::set(set).step_by(step)
}

#[test]
fn short_mates_from_games_are_all_solved() {
    let tally = solve(tsume::set(Set::ShortSelfplay), Goal::AnyMate, 50_000);
    assert_eq!((tally.mates, tally.unknown), (337, 0), "{tally:?}");
    // The signature of the search: a commit that changes the number states it.
    assert_eq!(tally.nodes, 78_811, "{tally:?}");
}

#[test]
fn short_mates_are_shorter_if_that_is_asked_for() {
    let [any, short] = [Goal::AnyMate, Goal::ShortMate]
        .map(|goal| solve(tsume::set(Set::ShortSelfplay), goal, 50_000));
    assert_eq!(short.mates, 337, "{short:?}");
    assert!(4 * short.exact > 3 * 337 && short.exact > any.exact + 30, "{any:?} {short:?}");
    assert!(short.nodes < 2 * any.nodes, "{any:?} {short:?}");
}

#[test]
fn short_mates_from_games_are_all_proven_shortest() {
    let tally = solve(tsume::set(Set::ShortSelfplay), Goal::ShortestMate, 200_000);
    assert_eq!((tally.mates, tally.shortest), (337, 337), "{tally:?}");
}

#[test]
fn mates_in_random_compositions_are_all_solved() {
    let tally = solve(tsume::set(Set::RandomMate), Goal::AnyMate, 200_000);
    assert_eq!((tally.mates, tally.unknown), (292, 0), "{tally:?}");
}

#[test]
fn mates_in_random_compositions_are_all_proven_shortest() {
    let tally = solve(tsume::set(Set::RandomMate), Goal::ShortestMate, 500_000);
    assert_eq!((tally.mates, tally.shortest), (292, 292), "{tally:?}");
}

#[test]
fn positions_without_a_mate_are_never_called_mates() {
    let tally = solve(tsume::set(Set::NoMate), Goal::AnyMate, 10_000);
    assert_eq!(tally.mates, 0, "{tally:?}");
    assert!(tally.no_mates > 500, "{tally:?}");
}

#[test]
fn positions_of_games_are_solved_correctly() {
    let tally = solve(sample(Set::Realistic, 7), Goal::AnyMate, 5_000);
    assert!(tally.mates > 45 && tally.no_mates > 150 && tally.unknown < 30, "{tally:?}");
}

#[test]
fn near_checks_find_most_mates_in_games_with_fewer_nodes() {
    let mut solver = DfPn::default();
    let [(all, all_nodes), (near, near_nodes)] =
        [CheckClass::All, CheckClass::Near].map(|checks| {
            let mut mates = 0;
            let mut nodes = 0;
            for problem in sample(Set::Realistic, 4) {
                let position = Position::from_sfen(problem.sfen).unwrap();
                let report = solver.solve(&position, &Budget::nodes(10_000), checks);
                nodes += report.nodes;
                if let MateResult::Mate { line, .. } = report.result {
                    assert!(is_mating_line(&position, &line), "{}: {line}", problem.id);
                    mates += 1;
                }
            }
            (mates, nodes)
        });
    println!("all checks: {all} mates, {all_nodes} nodes; near ones: {near}, {near_nodes}");
    assert!(20 * near > 19 * all, "{near} {all}");
    assert!(10 * near_nodes < 9 * all_nodes, "{near_nodes} {all_nodes}");
}

#[test]
fn positions_that_broke_other_solvers_are_solved_correctly() {
    let tally = solve(tsume::set(Set::RegressIssues), Goal::ShortestMate, 400_000);
    assert_eq!((tally.shortest, tally.no_mates), (12, 4), "{tally:?}");
}

#[test]
fn some_classics_are_solved() {
    let tally = solve(sample(Set::Classic, 9), Goal::AnyMate, 40_000);
    assert!(tally.mates >= 6, "{tally:?}");
}

#[test]
fn several_threads_solve_correctly() {
    for threads in [2, 3] {
        let options = DfPnOptions { threads, hash_mib: 4, ..DfPnOptions::default() };
        let shortest = DfPnOptions { goal: Goal::ShortestMate, ..options };
        let tally = solve_with(shortest, sample(Set::RandomMate, 9), 400_000);
        assert_eq!(tally.unknown + tally.no_mates, 0, "{tally:?}");
        assert_eq!(tally.mates, tally.shortest, "{tally:?}");
        let tally = solve_with(options, sample(Set::NoMate, 40), 200_000);
        assert!(tally.no_mates >= 14, "{tally:?}");
        let tally = solve_with(options, sample(Set::Classic, 9), 60_000);
        assert!(tally.mates >= 6, "{tally:?}");
    }
}

#[test]
#[ignore = "slow: all positions of games, 100,000 nodes each, some minutes"]
fn all_positions_of_games_are_solved_correctly() {
    let tally = solve(tsume::set(Set::Realistic), Goal::AnyMate, 100_000);
    println!("realistic: {tally:?}");
    assert!(tally.unknown < 120, "{tally:?}");
}

#[test]
#[ignore = "slow: all positions without a mate, 400,000 nodes each, some minutes"]
fn all_positions_without_a_mate_are_refuted() {
    let tally = solve(tsume::set(Set::NoMate), Goal::AnyMate, 400_000);
    println!("nomate: {tally:?}");
    assert!(tally.no_mates > 620, "{tally:?}");
}

#[test]
#[ignore = "slow: all classics, 1,000,000 nodes each, some minutes"]
fn most_classics_are_solved() {
    let tally = solve(tsume::set(Set::Classic), Goal::AnyMate, 1_000_000);
    println!("classic: {tally:?}");
    assert!(tally.mates >= 100, "{tally:?}");
}

#[test]
#[ignore = "slow: shortest mates of the classics, 1,000,000 nodes each, some minutes"]
fn shortest_classics_agree_with_proven_lengths() {
    let tally = solve(tsume::set(Set::Classic), Goal::ShortestMate, 1_000_000);
    println!("classic, shortest: {tally:?}");
    assert!(tally.shortest >= 40, "{tally:?}");
}
