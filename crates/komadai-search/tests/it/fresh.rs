//! Searches after a new game, which empties only the parts of the tables that were used.

use std::time::Duration;

use komadai_core::{Analysis, Budget, Position};
use komadai_eval::Classical;
use komadai_movegen::MoveGen;
use komadai_search::{AlphaBeta, SearchOptions, Searcher};
use komadai_testdata::openings;
use proptest::prelude::*;

fn search(searcher: &mut AlphaBeta<Classical>, position: &Position, nodes: u64) -> Analysis {
    let analysis = searcher.search(position, &Budget::nodes(nodes), &mut |_| {});
    Analysis { time: Duration::ZERO, ..analysis }
}

/// Plays moves chosen by `choices` from an opening.
fn position(opening: usize, choices: &[prop::sample::Index]) -> Position {
    let openings: Vec<&str> = openings::sfens().collect();
    let mut position = Position::from_sfen(openings[opening % openings.len()]).unwrap();
    for choice in choices {
        let moves = position.legal_moves();
        if !moves.is_empty() {
            position.do_move(moves[choice.index(moves.len())]);
        }
    }
    position
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_new_game_makes_a_searcher_like_a_new_one(
        searches in prop::collection::vec(
            (any::<usize>(), prop::collection::vec(any::<prop::sample::Index>(), 0..30), 1..3_000_u64),
            1..6,
        ),
        threads in 1..3_usize,
    ) {
        let options = || SearchOptions { hash_mib: 1, ..SearchOptions::default() };
        let mut used = AlphaBeta::new(Classical::default(), options());
        for (opening, choices, nodes) in searches {
            let position = position(opening, &choices);
            // What other searches leave behind, of several threads as well, has no influence.
            used.set_options(SearchOptions { threads, ..options() });
            search(&mut used, &position, nodes);
            used.set_options(options());
            used.new_game();
            let mut new = AlphaBeta::new(Classical::default(), options());
            for nodes in [nodes, 700] {
                prop_assert_eq!(search(&mut used, &position, nodes), search(&mut new, &position, nodes));
            }
            used.new_game();
        }
    }
}
