//! Limits of each root, against the selections of single roots.

use std::collections::BTreeSet;

use komadai_bookgraph::BookGraph;
use komadai_bookgraph::frontier::{
    Alpha, FrontierOptions, ReachOptions, Rival, RootLimits, Window,
};
use komadai_core::{Color, Position};

use super::{any_case, followed, oracle};
use crate::small_books::name;
use proptest::prelude::*;

prop_compose! {
    fn any_limits()(
        best_line_plies in prop::option::of(0u32..6),
        max_ply in prop::option::of(0u32..9),
        eval_limit in prop::option::of(0i32..60),
    ) -> RootLimits {
        RootLimits { best_line_plies, max_ply, eval_limit }
    }
}

/// The frontier of one root with its limits.
fn alone(
    graph: &BookGraph,
    options: &FrontierOptions,
    own: Color,
    root: &Position,
    limits: RootLimits,
) -> BTreeSet<String> {
    let narrower = |one: Option<u32>, other: Option<u32>| one.into_iter().chain(other).min();
    let options = FrontierOptions {
        max_ply: narrower(options.max_ply, limits.max_ply),
        eval_limit: options.eval_limit.into_iter().chain(limits.eval_limit).min(),
        ..options.clone()
    };
    let Some(plies) = limits.best_line_plies else {
        return oracle(graph, &options, own, root, 0).0.into_keys().collect();
    };
    let options = FrontierOptions { window: Window::Best, ..options };
    let mut found = BTreeSet::new();
    let mut layer = vec![root.clone()];
    for _ in 0..=plies {
        layer.retain(|at| options.max_ply.is_none_or(|max| at.ply() <= max));
        layer.iter().filter(|at| graph.value(at).is_none()).for_each(|at| {
            found.insert(name(at));
        });
        // Whoever is to move follows best moves as the own side does.
        let after = |at: &Position| -> Vec<Position> {
            let moves = followed(graph, &options, at.side(), root, at);
            moves.iter().map(|(ranked, _)| at.after(ranked.m).without_history()).collect()
        };
        layer = layer.iter().flat_map(after).collect();
        layer.sort_by_key(name);
        layer.dedup_by_key(|at| name(at));
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn each_root_has_its_own_limits(
        case in any_case(),
        root_limits in prop::collection::vec(any_limits(), 0..4),
    ) {
        let (graph, _, options) = case;
        let options = FrontierOptions { root_limits, ..options };
        let mut expected = BTreeSet::new();
        for &own in options.sides.colors() {
            for (number, root) in options.roots.iter().enumerate() {
                let limits = options.root_limits.get(number).copied().unwrap_or_default();
                expected.extend(alone(&graph, &options, own, root, limits));
            }
        }
        let rival = Rival::Games { smoothing: 1.0 };
        let reach = ReachOptions { least: 0.0, most_plies: 40, ..ReachOptions::new(rival) };
        for frontier in [
            graph.frontier(&options),
            graph.frontier_by_price(&options, Alpha::default()),
            graph.frontier_by_probability(&options, &reach),
        ] {
            let found: BTreeSet<_> = frontier.iter().map(|found| name(&found.position)).collect();
            prop_assert_eq!(&found, &expected);
        }
    }
}
