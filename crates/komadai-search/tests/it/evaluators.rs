//! Evaluators of users: simple ones, and faulty ones.

use core::time::Duration;

use komadai_core::{Analysis, Budget, Move, Position, Score};
use komadai_eval::{Evaluator, Material, from_fn};
use komadai_search::{AlphaBeta, SearchOptions, Searcher, Techniques};
use komadai_testdata::openings;

fn search<E: Evaluator>(evaluator: E, position: &Position) -> Analysis {
    search_with(Techniques::default(), evaluator, position)
}

fn search_with<E: Evaluator>(
    techniques: Techniques,
    evaluator: E,
    position: &Position,
) -> Analysis {
    let options = SearchOptions { hash_mib: 1, techniques, ..SearchOptions::default() };
    let budget = Budget::nodes(10_000);
    let analysis = AlphaBeta::new(evaluator, options).search(position, &budget, &mut |_| {});
    Analysis { time: Duration::ZERO, ..analysis }
}

#[test]
fn a_function_searches_like_the_evaluator_that_it_calls() {
    for sfen in openings::sfens().take(5) {
        let position = Position::from_sfen(sfen).unwrap();
        let function = from_fn(|position| Material.evaluate_position(position).raw());
        assert_eq!(search(function, &position), search(Material, &position));
    }
}

/// Forgets to do or to undo moves, or keeps a value of the side to move in its state.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Faulty {
    Do,
    Undo,
    Side,
}

impl Evaluator for Faulty {
    type State = Score;

    fn refresh(&self, position: &Position) -> Score {
        Material.evaluate_position(position)
    }

    fn do_move(&self, position: &mut Position, m: Move, state: &mut Score) {
        if *self != Self::Do {
            position.do_move(m);
        }
        *state = self.refresh(position);
    }

    fn undo_move(&self, position: &mut Position, state: &mut Score) {
        if *self != Self::Undo {
            position.undo_move();
        }
        *state = self.refresh(position);
    }

    fn evaluate(&self, _: &Position, state: &mut Score) -> Score {
        *state
    }
}

#[cfg(debug_assertions)]
#[test]
fn debug_builds_catch_a_faulty_evaluator() {
    // White lacks a knight, so that a null move changes the value.
    let position = "lnsgkgs1l/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let position = Position::from_sfen(position).unwrap();
    // At every inner node, whatever the tuned margins are.
    let techniques = (Techniques::default() | Techniques::CLASSICAL_NULL_MOVE)
        - (Techniques::RAZORING | Techniques::REVERSE_FUTILITY);
    for (faulty, message) in [
        (Faulty::Do, "`do_move` of the evaluator"),
        (Faulty::Undo, "`undo_move` of the evaluator"),
        (Faulty::Side, "the evaluator's state"),
    ] {
        let panic =
            std::panic::catch_unwind(|| search_with(techniques, faulty, &position)).unwrap_err();
        let text = panic.downcast_ref::<String>().expect("a message with a move");
        assert!(text.contains(message), "{faulty:?}: {text}");
    }
}
