//! Mate in one: found exactly where trying every move finds one.

use std::cell::Cell;
use std::collections::BTreeSet;

use komadai_core::{Budget, Move, Position};
use komadai_movegen::mate::mate_of_confined_king;
use komadai_movegen::{CheckClass, MateInOne, MateResult, MateSolver, MoveGen};
use komadai_testdata::tsume::{self, Expected, Set};
use proptest::prelude::*;

use crate::oracle::naive::Naive;
use crate::oracle::positions::on_positions;

fn is_mate(naive: &Naive, m: Move) -> bool {
    let after = naive.after(m);
    after.is_attacked_king(after.side()) && after.legal_moves().is_empty()
}

#[test]
fn mates_are_found_where_there_are_any() {
    let (mates, by_drop) = (Cell::new(0), Cell::new(0));
    let count = |cell: &Cell<u32>, met: bool| cell.set(cell.get() + u32::from(met));
    on_positions(1_000, |position| {
        let naive = Naive::new(&position);
        match position.mate_in_one() {
            Some(m) => {
                count(&mates, true);
                count(&by_drop, m.is_drop());
                prop_assert!(naive.legal_moves().contains(&m), "{} is not legal", m);
                prop_assert!(is_mate(&naive, m), "{} does not mate", m);
            }
            None => {
                let missed = naive.legal_moves().into_iter().find(|&m| is_mate(&naive, m));
                prop_assert_eq!(missed, None);
            }
        }
        Ok(())
    });
    let (mates, by_drop) = (mates.get(), by_drop.get());
    assert!(mates > 100 && by_drop > 25, "{mates} mates, {by_drop} by drops");
}

#[test]
fn all_mates_are_those_that_trying_every_move_finds() {
    let several = Cell::new(0);
    on_positions(500, |position| {
        let naive = Naive::new(&position);
        let expected: BTreeSet<Move> =
            naive.legal_moves().into_iter().filter(|&m| is_mate(&naive, m)).collect();
        let found: Vec<Move> = position.mates_in_one().collect();
        prop_assert_eq!(found.first().copied(), position.mate_in_one());
        prop_assert_eq!(found.len(), expected.len(), "no move is found twice");
        prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected.clone());
        several.set(several.get() + u32::from(expected.len() > 1));
        Ok(())
    });
    assert!(several.get() > 20, "{} positions with several mates", several.get());
}

#[test]
fn a_king_with_room_is_left_in_peace() {
    let skipped = Cell::new(0);
    on_positions(500, |position| {
        let mate = position.mate_in_one();
        // A king has eight neighbours.
        prop_assert_eq!(mate_of_confined_king(&position, 8), mate);
        for most in 0..8 {
            match mate_of_confined_king(&position, most) {
                None => skipped.set(skipped.get() + u32::from(mate.is_some())),
                found => {
                    prop_assert_eq!(found, mate);
                    prop_assert_eq!(mate_of_confined_king(&position, most + 1), mate);
                }
            }
        }
        Ok(())
    });
    assert!(skipped.get() > 50, "{} mates skipped", skipped.get());
}

/// Rows of the data in which the attacker could take the king: no position at all.
const NO_POSITIONS: [&str; 3] = ["mut-muso093-b47G", "mut-zuko042-b36B", "kh8-mudaai-b"];

#[test]
fn problems_of_one_move_and_longer_ones_are_told_apart() {
    let (mut mates, mut others) = (0, 0);
    for problem in Set::ALL.into_iter().flat_map(tsume::set) {
        let expected = match problem.expected {
            Expected::ShortestMate(plies) => plies == 1,
            Expected::NoMate => false,
            _ => continue,
        };
        let Ok(position) = Position::from_sfen(problem.sfen) else {
            assert!(NO_POSITIONS.contains(&problem.id), "{} is no position", problem.id);
            continue;
        };
        assert_eq!(position.mate_in_one().is_some(), expected, "{}", problem.id);
        *if expected { &mut mates } else { &mut others } += 1;
    }
    assert!(mates > 50 && others > 500, "{mates} mates in one, {others} others");
}

#[test]
fn each_kind_of_mate_is_found() {
    for (kind, sfen, mate) in [
        ("a drop next to the king", "4k4/9/4P4/9/9/9/9/9/9 b G 1", "G*5b"),
        ("a lance dropped from afar", "3lkl3/3p1p3/9/9/9/9/9/9/9 b L 1", "L*5"),
        ("a knight dropped", "7lk/7nl/9/9/9/9/9/9/9 b N 1", "N*2c"),
        ("a knight that must not promote", "7lk/7nl/9/9/6N2/9/9/9/9 b - 1", "3e2c"),
        ("a pawn pushed, not dropped", "7lk/9/7GP/9/9/9/9/9/9 b P 1", "1c1b"),
        ("taking a checker", "9/2+R6/L+N7/9/k8/p2+R5/K1P+S5/9/9 b L4Pbp 1", "6f9f"),
        ("the king taking a checker", "9/9/9/9/9/8+p/7+pk/6G1+S/8K w GPs 1", "2g1h"),
        ("the king opening a line", "1k2+P4/1r7/+PK1+L5/+P8/9/9/9/9/9 b S2Pnl 1", "9c8b"),
        ("a silver that opens a line", "7lk/7p1/9/9/8S/9/9/8R/9 b - 1", "1e2"),
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        let found = position.mate_in_one().map(|m| m.to_string()).unwrap_or_default();
        assert!(found.starts_with(mate), "{kind}: {found}");
    }
    // The only mate would be by a dropped pawn.
    let forbidden = Position::from_sfen("7nk/9/8G/9/9/9/9/9/9 b P 1").unwrap();
    assert_eq!(forbidden.mate_in_one(), None);
}

#[test]
fn the_smallest_solver_claims_only_what_it_knows() {
    on_positions(300, |position| {
        let report = MateInOne.solve(&position, &Budget::unlimited(), CheckClass::All);
        let checks = position.legal_moves().into_iter().any(|m| position.gives_check(m));
        match report.result {
            MateResult::Mate { line, shortest } => {
                prop_assert!(shortest && line.len() == 1);
                prop_assert!(is_mate(&Naive::new(&position), line[0]));
            }
            MateResult::NoMate => prop_assert!(!checks),
            MateResult::Unknown => prop_assert!(checks),
            _ => prop_assert!(false, "a result this test does not know"),
        }
        Ok(())
    });
}
