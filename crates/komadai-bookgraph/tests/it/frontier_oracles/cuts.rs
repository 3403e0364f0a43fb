//! Counts of the ends of lines without a position, against counts over all positions visited.

use komadai_bookgraph::frontier::{Cuts, FrontierOptions, ReachOptions, Rival, Window};

use super::{any_case, followed, oracle};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn cuts_are_those_of_all_positions_visited(case in any_case(), budget in 0usize..4) {
        let (graph, _, options) = case;
        let own = options.sides.colors()[0];
        let roots = vec![options.roots[0].clone()];
        let options = FrontierOptions { roots, sides: own.into(), budget: Some(budget), ..options };
        let root = &options.roots[0];
        // In a free window the side whose book it is makes no difference.
        let is_own = |side| side == own && options.window != Window::Free;
        let (outside, visited) = oracle(&graph, &options, own, root, 0);
        let is_within = |ply: u32| options.max_ply.is_none_or(|max| ply <= max);
        let mut expected = Cuts { beyond_budget: outside.len().saturating_sub(budget), ..Cuts::default() };
        expected.at_max_ply += usize::from(!is_within(root.ply()));
        let without_limit = FrontierOptions { eval_limit: None, ..options.clone() };
        for position in visited.values() {
            if !is_within(position.ply() + 1) {
                expected.at_max_ply += 1;
                continue;
            }
            let all = graph.moves(position).len();
            let window = followed(&graph, &without_limit, own, root, position).len();
            let rest = followed(&graph, &options, own, root, position).len();
            // The own side needs only its best moves, so its others are not cut.
            expected.outside_window += if is_own(position.side()) { 0 } else { all - window };
            expected.beyond_eval_limit += window - rest;
            expected.dead_ends += usize::from(rest == 0);
        }
        prop_assert_eq!(graph.frontier(&options).cuts(), expected);
        let rival = Rival::Games { smoothing: 1.0 };
        let reach = ReachOptions { least: 0.0, most_plies: 40, ..ReachOptions::new(rival) };
        let likely = graph.frontier_by_probability(&options, &reach);
        if likely.visited() == visited.len() {
            prop_assert_eq!(likely.cuts(), expected);
        }
    }
}
