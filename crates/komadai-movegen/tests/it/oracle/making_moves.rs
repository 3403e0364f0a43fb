//! Doing and undoing moves: the incremental state equals the state computed from scratch.

use komadai_core::Position;
use komadai_movegen::MoveGen;
use proptest::prelude::*;

use crate::oracle::naive::Naive;
use crate::oracle::positions::on_positions;

/// The same position, computed from scratch.
fn from_scratch(position: &Position) -> Position {
    Position::from_setup_leniently(&position.to_setup())
        .expect("a position stays one after a legal move")
}

#[test]
fn every_move_leads_to_the_position_it_should_and_back() {
    on_positions(250, |position| {
        let naive = Naive::new(&position);
        let mut current = position.clone();
        for m in &position.legal_moves() {
            let key = current.key_after(m);
            current.do_move(m);
            prop_assert_eq!(current.key(), key, "{}", m);
            prop_assert_eq!(Naive::new(&current), naive.after(m), "{}", m);
            let fresh = from_scratch(&current);
            prop_assert_eq!(current.key(), fresh.key(), "{}", m);
            prop_assert_eq!(current.board_key(), fresh.board_key(), "{}", m);
            prop_assert_eq!(current.part_keys(), fresh.part_keys(), "{}", m);
            prop_assert_eq!(current.hand_key(), fresh.hand_key(), "{}", m);
            prop_assert_eq!(current.checkers(), fresh.checkers(), "{}", m);
            prop_assert_eq!(current.occupied(), fresh.occupied(), "{}", m);
            prop_assert_eq!(current.without_history(), fresh, "{}", m);
            prop_assert_eq!(current.history().len(), position.history().len() + 1);
            prop_assert_eq!(current.current().last_move(), Some(m));
            prop_assert_eq!(current.undo_move(), Some(m));
            prop_assert_eq!(&current, &position, "{}", m);
        }
        Ok(())
    });
}

#[test]
fn unmaking_everything_leads_back_to_the_start() {
    on_positions(300, |position| {
        let mut current = position.clone();
        let moves: Vec<_> = position.moves().collect();
        for &m in moves.iter().rev() {
            prop_assert_eq!(current.undo_move(), m);
            let fresh = from_scratch(&current);
            prop_assert_eq!(current.key(), fresh.key());
            prop_assert_eq!(current.part_keys(), fresh.part_keys());
            prop_assert_eq!(current.checkers(), fresh.checkers());
        }
        prop_assert!(current.history().is_empty());
        for m in moves.into_iter().flatten() {
            prop_assert!(current.is_legal(m));
            current.do_move(m);
        }
        prop_assert_eq!(current, position);
        Ok(())
    });
}

#[test]
fn a_null_move_changes_the_side_and_nothing_else() {
    on_positions(300, |position| {
        if position.in_check() {
            return Ok(());
        }
        let mut current = position.clone();
        current.do_null_move();
        prop_assert_eq!(current.key() ^ 1, position.key());
        prop_assert_eq!(current.part_keys(), position.part_keys());
        prop_assert!(current.checkers().is_empty());
        prop_assert!(current.reversible_history().is_empty());
        let mut passed = position.to_setup();
        passed.side = !passed.side;
        passed.ply += 1;
        prop_assert_eq!(current.to_setup(), passed);
        current.undo_null_move();
        prop_assert_eq!(current, position);
        Ok(())
    });
}
