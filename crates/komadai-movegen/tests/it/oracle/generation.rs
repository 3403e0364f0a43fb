//! The generator writes every legal move exactly once.

use std::collections::BTreeSet;

use komadai_core::{Move, Position, Square};
use komadai_movegen::{AnyMove, ForEach, MoveGen, count_legal, generate_into};
use proptest::prelude::*;

use crate::oracle::naive::Naive;
use crate::oracle::positions::on_positions;

#[test]
fn generated_moves_are_the_legal_moves() {
    on_positions(400, |position| {
        let list = position.legal_moves();
        let generated: BTreeSet<Move> = list.iter().copied().collect();
        prop_assert_eq!(generated.len(), list.len(), "a move is written twice");
        prop_assert_eq!(&generated, &Naive::new(&position).legal_moves());
        Ok(())
    });
}

#[test]
fn every_sink_receives_the_same_moves() {
    on_positions(300, |position| {
        let list = position.legal_moves();
        prop_assert_eq!(count_legal(&position), list.len() as u64);
        prop_assert_eq!(generate_into(&position, &mut AnyMove).is_break(), !list.is_empty());
        prop_assert_eq!(position.has_legal_move(), !list.is_empty());

        let mut one_by_one = Vec::new();
        let all = generate_into(
            &position,
            &mut ForEach(|m| {
                one_by_one.push(m);
                std::ops::ControlFlow::Continue(())
            }),
        );
        prop_assert!(all.is_continue());
        one_by_one.sort_unstable();
        let mut listed = list.to_vec();
        listed.sort_unstable();
        prop_assert_eq!(one_by_one, listed);
        Ok(())
    });
}

/// More checkers than play can ever show.
#[test]
fn a_king_in_many_checks_can_only_walk() {
    let position = Position::from_sfen("R3k3R/9/3N1N3/9/9/9/9/9/4L4 w 2b4s17p 1").unwrap();
    assert_eq!(position.checkers().len(), 5);
    let moves: BTreeSet<Move> = position.legal_moves().iter().copied().collect();
    assert!(!moves.is_empty() && moves.iter().all(|m| m.from() == Some(Square::S51)));
    assert_eq!(moves, Naive::new(&position).legal_moves());
}
