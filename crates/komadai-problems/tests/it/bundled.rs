//! The bundled problems: their form, and the proof that each has the length and the one solution
//! that it claims.

use std::collections::{BTreeMap, HashSet};

use komadai_core::{Budget, Color, Position};
use komadai_movegen::{CheckClass, MateResult, MateSolver as _, MoveGen as _};
use komadai_problems::{Judge, Problem, as_problem, canonical, problems};
use komadai_tsume::PnSearch;

use crate::oracle::Oracle;

#[test]
fn the_set_has_its_size_order_and_form() {
    let mut by_plies = BTreeMap::new();
    let mut seen = HashSet::new();
    let mut last = 0;
    for problem in problems() {
        let Problem { position, plies_by_rules, .. } = &problem;
        assert!(problem.rating() >= last, "{problem}");
        last = problem.rating();
        assert!(*plies_by_rules >= problem.plies(), "{problem}");
        assert_eq!(as_problem(position).as_ref(), Some(position), "{problem}");
        assert_eq!(&canonical(position), position, "{problem}");
        assert!(seen.insert(position.to_string()), "twice: {problem}");
        *by_plies.entry(problem.plies()).or_insert(0) += 1;
    }
    assert_eq!(by_plies, BTreeMap::from(COUNTS));
}

/// Number of problems of each length.
const COUNTS: [(u32, usize); 7] =
    [(3, 2_381), (5, 3_013), (7, 2_727), (9, 1_211), (11, 499), (13, 147), (15, 22)];

/// Returns true if the judge, with other limits than the maker had, finds the same solution.
fn is_confirmed(judge: &mut Judge, problem: &Problem) -> bool {
    judge.examine(&problem.position).is_ok_and(|judged| {
        judged.line.len() == problem.line.len() && judged.plies_by_rules == problem.plies_by_rules
    })
}

#[test]
fn a_sample_is_confirmed_by_the_judge() {
    let mut judge = Judge::new(2_000_000);
    for problem in problems().step_by(100) {
        assert!(is_confirmed(&mut judge, &problem), "{problem}");
    }
}

#[test]
#[ignore = "takes a minute; cargo test --release -p komadai-problems -- --ignored"]
fn all_are_confirmed_by_the_judge() {
    let mut judge = Judge::new(5_000_000);
    let refuted: Vec<_> = problems().filter(|problem| !is_confirmed(&mut judge, problem)).collect();
    assert!(refuted.is_empty(), "{} problems: {refuted:?}", refuted.len());
}

/// Returns the positions of the main line in which the attacker moves, with the plies of the line
/// from there.
fn attacks(problem: &Problem) -> impl Iterator<Item = (Position, u32)> {
    let mut position = problem.position.clone();
    let mut left = problem.plies();
    let mut attacks = Vec::new();
    for &m in &problem.line {
        if position.side() == Color::Black {
            attacks.push((position.clone(), left));
        }
        position.do_move(m);
        left -= 1;
    }
    attacks.into_iter()
}

#[test]
fn a_sample_is_confirmed_by_trying_all_moves() {
    // No mate by any other check before the last move within the same number of plies and two more.
    let short = problems().filter(|problem| problem.plies() <= 5 && problem.plies_by_rules <= 7);
    for problem in short.step_by(120) {
        let mut oracle = Oracle::default();
        assert!(oracle.is_mate_within(&problem.position, problem.plies_by_rules), "{problem}");
        assert!(!oracle.is_mate_within(&problem.position, problem.plies_by_rules - 2), "{problem}");
        for ((position, left), pair) in attacks(&problem).zip(problem.line.chunks(2)) {
            for m in &position.legal_moves() {
                let after = position.after(m);
                let is_second = left > 1 && m != pair[0] && after.in_check();
                assert!(!is_second || !oracle.is_mated_within(&after, left + 1), "{m}: {problem}");
            }
        }
    }
}

/// Returns true if proof-number search on a tree, which shares neither table nor code with df-pn,
/// refutes every check of the attacker but those of the main line before the last.
fn is_refuted_by_the_other_solver(solver: &mut PnSearch, problem: &Problem) -> bool {
    let mut pairs = attacks(problem).zip(problem.line.chunks(2));
    pairs.all(|((position, left), pair)| {
        let mut checks = position.legal_moves().into_iter().filter(|&m| m != pair[0]);
        left == 1
            || checks.all(|check| {
                let after = position.after(check);
                let budget = Budget::nodes(200_000);
                let mut no_mate = |reply| {
                    let report = solver.solve(&after.after(reply), &budget, CheckClass::All);
                    report.result == MateResult::NoMate
                };
                !after.in_check() || after.legal_moves().into_iter().any(&mut no_mate)
            })
    })
}

#[test]
#[ignore = "takes 20 seconds; cargo test --release -p komadai-problems -- --ignored"]
fn other_checks_are_refuted_by_another_solver() {
    let mut solver = PnSearch::new(64);
    let mut refuted = 0;
    let mut tried = 0;
    for problem in problems().step_by(20) {
        tried += 1;
        refuted += usize::from(is_refuted_by_the_other_solver(&mut solver, &problem));
    }
    // The tree does not fit the budget for some.
    assert!(refuted * 100 >= tried * 95, "{refuted} of {tried}");
}
