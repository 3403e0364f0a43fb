use komadai_core::SplitMix64;
use komadai_testdata::tsume::{self, Expected, Set};
use komadai_tsume::{DfPn, DfPnOptions, Goal, is_mating_line};

use super::*;
use crate::tests::oracle::shortest_mate;
use crate::tests::random_positions::{below, random_composition};

fn solver() -> DfPn {
    DfPn::new(DfPnOptions { hash_mib: 2, goal: Goal::ShortestMate, ..DfPnOptions::default() })
}

fn start(sfen: &str) -> PlayOut<DfPn> {
    let problem = Position::from_sfen(sfen).unwrap();
    PlayOut::new(&problem, solver(), Budget::nodes(50_000))
}

#[test]
fn the_solver_against_itself_takes_the_proven_number_of_plies() {
    for problem in tsume::set(Set::ShortSelfplay).step_by(20) {
        let Expected::ShortestMate(plies) = problem.expected else { unreachable!("all proven") };
        let mut game = start(problem.sfen);
        let root = game.position().clone();
        for left in (0..=plies).rev() {
            let expected = match left {
                0 => PlayOutState::Over(Ending::Mated),
                plies => PlayOutState::Mate { plies, exact: true },
            };
            assert_eq!(game.state(), expected, "{} {:?}", problem.id, game.moves());
            assert_eq!(game.answer().is_some(), left > 0, "{}", problem.id);
        }
        assert!(is_mating_line(&root, game.moves()), "{}", problem.id);
        for _ in 0..plies {
            assert!(game.undo().is_some());
        }
        assert_eq!((game.undo(), game.position().key()), (None, root.key()));
    }
}

#[test]
fn against_random_defence_the_distance_falls_and_random_attacks_are_refuted() {
    let mut random = SplitMix64::new(7);
    let mut mated = 0;
    let mut refuted = 0;
    for problem in tsume::set(Set::ShortSelfplay).step_by(23) {
        // The solver attacks.
        let mut game = start(problem.sfen);
        let PlayOutState::Mate { plies: mut before, .. } = game.state() else { panic!() };
        while game.answer().is_some() {
            let replies = game.position().legal_moves();
            if replies.is_empty() {
                break;
            }
            game.play(replies[below(&mut random, replies.len())]).unwrap();
            let PlayOutState::Mate { plies, exact: true } = game.state() else { panic!() };
            assert!(plies + 2 <= before, "{}", problem.id);
            before = plies;
        }
        mated += u32::from(game.state() == PlayOutState::Over(Ending::Mated));
        // The solver defends against random checks.
        let mut game = start(problem.sfen);
        while !matches!(game.state(), PlayOutState::Over(_)) && game.moves().len() < 12 {
            let position = game.position();
            let checks: Vec<_> =
                position.legal_moves().into_iter().filter(|&m| position.gives_check(m)).collect();
            game.play(checks[below(&mut random, checks.len())]).unwrap();
            let after_check = game.state();
            let Some(reply) = game.answer() else { break };
            if after_check == PlayOutState::NoMate {
                let short = shortest_mate(&mut game.position().clone(), 3);
                assert_eq!(short, None, "{} {reply}", problem.id);
                refuted += 1;
            }
        }
    }
    assert!(mated > 10 && refuted > 5, "{mated} {refuted}");
}

#[test]
fn rejected_moves_leave_the_position_unchanged() {
    let mut game = start("8k/9/7P1/9/9/9/9/9/9 b 2G 1");
    let key = game.position().key();
    let mut error = |m: &str| game.play(m.parse().unwrap()).unwrap_err();
    assert!(matches!(error("S*2b"), PlayOutError::Illegal { .. }));
    assert_eq!(error("2c2b").to_string(), "the attacker's move 2c2b gives no check");
    assert_eq!(error("G*9i").to_string(), "the attacker's move G*9i gives no check");
    assert_eq!(game.position().key(), key);
    game.play("G*2b".parse().unwrap()).unwrap();
    assert_eq!(game.state(), PlayOutState::Over(Ending::Mated));
    let over = game.play("1a1b".parse().unwrap()).unwrap_err();
    assert!(matches!(over, PlayOutError::Over { ending: Ending::Mated, .. }), "{over}");
}

#[test]
fn perpetual_check_ends_as_a_failure() {
    let mut game = start("9/9/9/9/4k4/9/9/9/3+R5 b - 1");
    assert_eq!(game.state(), PlayOutState::NoMate);
    assert_eq!(game.answer(), None, "no mate to show");
    game.play("6i5i".parse().unwrap()).unwrap();
    // The dragon chases the king between two files; the position after its first check is repeated.
    let cycle = ["5e4e", "5i4i", "4e5e", "4i5i"];
    for (index, m) in cycle.iter().cycle().take(12).enumerate() {
        assert_eq!(game.state(), PlayOutState::NoMate, "after {index} more moves");
        game.play(m.parse().unwrap()).unwrap();
    }
    assert_eq!(game.state(), PlayOutState::Over(Ending::Repetition));
    assert_eq!(game.answer(), None);
    let error = game.play("5e4e".parse().unwrap()).unwrap_err();
    assert!(matches!(error, PlayOutError::Over { ending: Ending::Repetition, .. }));
}

#[test]
fn an_attacker_without_a_check_has_failed() {
    let mut game = start("4k4/9/9/9/9/9/9/9/9 b G 1");
    assert_eq!(game.state(), PlayOutState::NoMate);
    game.play("G*5b".parse().unwrap()).unwrap();
    assert_eq!(game.state(), PlayOutState::NoMate, "the king takes the gold");
    assert_eq!(game.answer(), Some("5a5b".parse().unwrap()));
    assert_eq!(game.state(), PlayOutState::Over(Ending::OutOfChecks));
    assert_eq!((game.answer(), game.hint()), (None, None));
    game.undo();
    game.undo();
    assert_eq!(game.state(), PlayOutState::NoMate);
}

#[test]
fn hints_are_those_of_the_shortest_mate() {
    let mut with_hints = 0;
    for seed in 0..200 {
        let Some(position) = random_composition(&mut SplitMix64::new(seed)) else { continue };
        let mut game = PlayOut::new(&position, solver(), Budget::nodes(20_000));
        let short = shortest_mate(&mut position.clone(), 3);
        match game.hint() {
            Some(hint) if hint.exact => {
                assert!(short.map_or(hint.plies > 3, |plies| plies == hint.plies as usize));
                with_hints += 1;
            }
            _ => assert_eq!(short, None, "{position}"),
        }
    }
    assert!(with_hints > 10, "{with_hints}");
}
