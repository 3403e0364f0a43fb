//! Equality, hash and text of positions from play.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use komadai_core::{Position, UsiPosition};
use komadai_movegen::play;
use proptest::prelude::*;

use crate::oracle::positions::{played, runner};

#[test]
fn the_text_with_moves_is_lossless() {
    runner(300)
        .run(&played(), |position| {
            let text = position.to_usi_position().to_string();
            let again = play(&UsiPosition::from_usi(&text).unwrap()).unwrap();
            prop_assert_eq!(&again, &position);
            prop_assert_eq!(repetition_facts(&again), repetition_facts(&position));
            let state = RandomState::new();
            prop_assert_eq!(state.hash_one(&again), state.hash_one(&position));

            let bare: Position = position.to_string().parse().unwrap();
            prop_assert_eq!(&bare, &position.without_history());
            prop_assert!(bare.same_placement(&position));
            prop_assert_eq!(bare == position, position.history().is_empty());
            Ok(())
        })
        .unwrap();
}

/// The parts of the history on which repetition depends.
fn repetition_facts(position: &Position) -> Vec<(u64, bool)> {
    let plies = position.reversible_history().iter().chain([position.current()]);
    plies.map(|ply| (ply.board_key(), ply.checkers().is_empty())).collect()
}

#[test]
fn the_same_placement_has_the_same_board_hands_and_side() {
    runner(300)
        .run(&(played(), played()), |(one, other)| {
            let bare = |position: &Position| {
                let mut setup = position.to_setup();
                setup.ply = 1;
                setup
            };
            for (one, other) in [(&one, &other), (&one, &one.without_history())] {
                let expected = bare(one) == bare(other);
                prop_assert_eq!(one.same_placement(other), expected);
                prop_assert_eq!(other.same_placement(one), expected);
                prop_assert_eq!(one.key() == other.key(), expected);
                prop_assert!(one != other || expected);
            }
            // Each ply of a game is another position, even if its placement repeats.
            let mut seen = HashSet::new();
            let mut position = one;
            while !position.history().is_empty() {
                prop_assert!(seen.insert(position.clone()));
                position.undo_move();
            }
            Ok(())
        })
        .unwrap();
}
