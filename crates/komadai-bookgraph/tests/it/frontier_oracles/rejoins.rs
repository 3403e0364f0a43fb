//! Rejoining moves, against all legal moves of each frontier position.

use std::collections::BTreeMap;

use komadai_core::{Move, Position, Score};
use komadai_movegen::MoveGen as _;

use super::any_case;
use crate::small_books::name;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn rejoining_moves_are_all_there_are(case in any_case()) {
        let (graph, _, options) = case;
        let frontier = graph.frontier(&options);
        let back = |position: &Position| {
            let moves = position.legal_moves().to_vec();
            let value = |m: Move| Some((m.to_string(), -graph.value(&position.after(m))?.score));
            moves.into_iter().filter_map(value).collect::<BTreeMap<String, Score>>()
        };
        let expected: Vec<_> =
            frontier.iter().map(|f| (name(&f.position), back(&f.position))).filter(|f| !f.1.is_empty()).collect();
        let found = graph.rejoins(&frontier);
        prop_assert!(found.iter().all(|rejoin| rejoin.moves.is_sorted_by(|a, b| a.score >= b.score)));
        let found: Vec<_> = found
            .iter()
            .map(|rejoin| {
                let moves = rejoin.moves.iter().map(|back| (back.m.to_string(), back.score));
                (name(&rejoin.found.position), moves.collect())
            })
            .collect();
        prop_assert_eq!(found, expected);
    }
}
