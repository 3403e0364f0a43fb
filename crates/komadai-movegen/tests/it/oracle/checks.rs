//! Detection and generation of checks before the moves are done.

use std::collections::BTreeSet;

use komadai_core::{CheckInfo, Move, Position};
use komadai_movegen::stages::generate_class_into;
use komadai_movegen::{Count, MoveClass, MoveGen, MoveList, generate_checks, gives_check};
use proptest::prelude::*;

use crate::oracle::naive::Naive;
use crate::oracle::positions::on_positions;

/// The legal moves after which the opponent's king is attacked.
fn checking_moves(position: &Position) -> BTreeSet<Move> {
    let naive = Naive::new(position);
    let checks = |m: &Move| {
        let after = naive.after(*m);
        after.is_attacked_king(after.side())
    };
    position.legal_moves().iter().copied().filter(checks).collect()
}

#[test]
fn checks_are_foreseen() {
    on_positions(400, |position| {
        let info = CheckInfo::new(&position);
        let checks = checking_moves(&position);
        for m in &position.legal_moves() {
            prop_assert_eq!(gives_check(&position, &info, m), checks.contains(&m), "{}", m);
            prop_assert_eq!(position.gives_check(m), checks.contains(&m), "{}", m);
            prop_assert_eq!(position.after(m).in_check(), checks.contains(&m), "{}", m);
        }
        Ok(())
    });
}

#[test]
fn generated_checks_are_the_checks() {
    on_positions(600, |position| {
        let mut list = MoveList::new();
        generate_checks(&position, &mut list);
        let generated: BTreeSet<Move> = list.iter().copied().collect();
        prop_assert_eq!(generated.len(), list.len(), "a move is written twice");
        prop_assert_eq!(generated, checking_moves(&position));

        let mut count = Count(0);
        prop_assert!(generate_class_into(&position, MoveClass::CHECKS, &mut count).is_continue());
        prop_assert_eq!(count.0, list.len() as u64);
        Ok(())
    });
}

/// One position for each way of giving check, with all checks there are.
#[test]
fn each_way_of_giving_check_is_found() {
    for (way, sfen, checks) in [
        ("drops", "4k4/9/9/9/9/9/9/9/4K4 b PLNSGBR 1", 41),
        ("a discovery by the king", "4k4/9/9/9/4K4/4R4/9/9/9 b - 1", 6),
        ("a discovery that parries a check", "4k4/9/9/9/4S4/r2K5/4R4/9/9 b - 1", 0),
        ("a pinned piece along its pin", "4k4/4r4/9/4R4/4K4/9/9/9/9 b - 1", 2),
        ("a knight that promotes", "4k4/9/4N4/9/9/9/9/9/4K4 b - 1", 2),
        ("a lance that promotes", "4k4/9/9/9/9/9/3L5/9/4K4 b - 1", 2),
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        let mut list = MoveList::new();
        generate_checks(&position, &mut list);
        let generated: BTreeSet<Move> = list.iter().copied().collect();
        assert_eq!(generated, checking_moves(&position), "{way}");
        assert_eq!(list.len(), checks, "{way}: {list:?}");
    }
}
