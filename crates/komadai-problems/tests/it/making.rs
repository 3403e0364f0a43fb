//! Problems made of positions.

use std::collections::HashSet;

use komadai_core::{Color, Position};
use komadai_problems::{
    Composer, ComposerOptions, Flaw, Judge, Problem, RandomPositions, as_problem, canonical,
};

use crate::oracle::Oracle;

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap()
}

/// The problems made of so many random positions.
fn made_of_random(count: usize) -> Vec<Problem> {
    let mut composer = Composer::new(ComposerOptions::default());
    let positions = (0..).zip(RandomPositions::new(3)).take(count);
    positions.filter_map(|(seed, at)| composer.compose(&at, 9, seed).ok()).collect()
}

#[test]
fn random_positions_become_problems_with_proven_lengths() {
    let problems = made_of_random(2_000);
    assert!(problems.len() >= 10, "{} problems", problems.len());
    for problem in problems.iter().filter(|problem| problem.plies_by_rules <= 7) {
        let mut oracle = Oracle::default();
        assert!(oracle.is_mate_within(&problem.position, problem.plies_by_rules), "{problem}");
        assert!(!oracle.is_mate_within(&problem.position, problem.plies_by_rules - 2), "{problem}");
    }
    let mut judge = Judge::new(1_000_000);
    for problem in &problems {
        let judged = judge.examine(&problem.position).expect("a problem");
        assert_eq!(judged.line.len(), problem.line.len(), "{problem}");
        assert_eq!(problem.to_string().parse().as_ref(), Ok(problem));
    }
    assert_eq!(problems, made_of_random(2_000), "the same seeds");
}

#[test]
fn both_sides_and_both_halves_of_the_board_give_the_same_problem() {
    let game = "9/9/9/9/9/9/4p4/9/4K4 w g 7";
    let problem = as_problem(&position(game)).expect("White attacks a king");
    assert_eq!(problem.side(), Color::Black);
    let right = position("7k1/9/6G2/9/9/9/9/9/9 b G 1");
    assert_eq!(canonical(&right), canonical(&right.mirrored()));
    let canonicals: HashSet<_> =
        [&right, &right.mirrored()].map(canonical).map(|p| p.to_string()).into();
    assert_eq!(canonicals.len(), 1);
    let mut composer = Composer::new(ComposerOptions::default());
    let seen: HashSet<_> = RandomPositions::new(5)
        .take(200)
        .filter_map(|at| composer.compose(&at, 3, 1).ok())
        .map(|problem| {
            assert_eq!(canonical(&problem.position), problem.position);
            problem.position.to_string()
        })
        .collect();
    assert!(!seen.is_empty());
}

#[test]
fn each_flaw_is_told() {
    let mut judge = Judge::new(200_000);
    let flaw = |sfen: &str, judge: &mut Judge| judge.examine(&position(sfen)).err();
    assert_eq!(flaw("4k4/9/4P4/9/9/9/9/9/9 w G 1", &mut judge), Some(Flaw::Sides));
    assert_eq!(flaw("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", &mut judge), Some(Flaw::Sides));
    assert_eq!(flaw("4k4/9/9/9/9/9/9/9/9 b G 1", &mut judge), Some(Flaw::NoMate));
    let one = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
    assert_eq!(flaw(one, &mut judge), Some(Flaw::Length { plies: 1 }));
    let cooked = "7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1";
    assert_eq!(flaw(cooked, &mut judge), None, "a problem of 15 plies");
    assert_eq!(flaw(cooked, &mut Judge::new(50)), Some(Flaw::Budget));
    let mut judge = Judge::new(1_000);
    judge.plies = 1..=1;
    assert!(judge.examine(&position(one)).is_ok());
    let mut composer = Composer::new(ComposerOptions::default());
    let no_king = position("9/9/9/9/9/9/9/9/4K4 b G 1");
    assert_eq!(composer.compose(&no_king, 3, 1).err(), Some(Flaw::Sides));
}
