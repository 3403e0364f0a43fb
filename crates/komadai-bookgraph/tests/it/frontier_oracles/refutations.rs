//! Refutations, against a test of every position on the lines.

use std::collections::BTreeSet;

use komadai_bookgraph::frontier::{FrontierOptions, OwnMoves};
use komadai_core::Move;

use super::{any_case, oracle};
use crate::small_books::name;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn refutations_are_all_there_are(case in any_case(), margin in 0u32..30) {
        let (graph, _, options) = case;
        // The move itself must be within the limit of move numbers, too.
        let max_ply = options.max_ply.map(|max| max - 1);
        let before_last = FrontierOptions { max_ply, ..options.clone() };
        let mut expected = BTreeSet::new();
        for &own in options.sides.colors() {
            for root in options.roots.iter().filter(|root| graph.value(root).is_some()) {
                for at in oracle(&graph, &before_last, own, root, 0).1.values() {
                    let moves = graph.moves(at);
                    let best = moves[0].value.score;
                    let believed = graph.record(at).expect("it has a value").moves;
                    let believed = believed.iter().filter_map(|listed| listed.score).max();
                    let is_refuted = believed.is_some_and(|believed| {
                        believed > best && (believed.raw() - best.raw()) as u32 >= margin
                    });
                    let limit = options.eval_limit.is_none_or(|limit| best.raw().abs() <= limit);
                    let most = if options.own_moves == OwnMoves::First { 1 } else { moves.len() };
                    let firsts = moves.iter().take_while(|m| m.value.score == best).take(most);
                    for m in firsts.filter(|m| m.leaves_book && is_refuted && limit) {
                        let after = at.after(m.m);
                        expected.insert(name(&after));
                    }
                }
            }
        }
        let found = graph.refutations(&options, margin);
        let names: BTreeSet<String> = found.iter().map(|r| name(&r.found.position)).collect();
        prop_assert_eq!(names.len(), found.len());
        prop_assert_eq!(names, expected);
        for refutation in &found {
            let last = *refutation.found.line.last().unwrap();
            let mut before = options.roots[refutation.found.root].clone();
            let (_, line) = refutation.found.line.split_last().unwrap();
            line.iter().for_each(|&m| before.do_move(m));
            let of = |m: Move| graph.moves(&before).into_iter().find(|ranked| ranked.m == m);
            prop_assert_eq!(of(last).map(|m| m.value.score), refutation.found.score);
            prop_assert_eq!(of(refutation.believed).map(|m| m.value.score), Some(refutation.score));
            let listed = graph.record(&before).unwrap().moves;
            let listed = listed.iter().find(|listed| listed.m == refutation.believed).unwrap();
            prop_assert_eq!(listed.score, Some(refutation.believed_score));
            prop_assert!(Some(refutation.believed_score) > refutation.found.score);
            prop_assert!(refutation.score <= graph.value(&before).unwrap().score);
        }
    }
}
