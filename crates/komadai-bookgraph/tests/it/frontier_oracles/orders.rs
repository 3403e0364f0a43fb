//! The orders of a frontier, the comparison of two frontiers, and the budget.

use std::collections::{BTreeMap, BTreeSet};

use komadai_bookgraph::frontier::{
    Alpha, FrontierDiff, FrontierOptions, FrontierPosition, ReachOptions, Rival,
};
use komadai_core::{Color, Position};

use super::{FrontierPrices, any_case, followed, oracle_of_all};
use crate::small_books::name;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn lines_are_the_shortest_and_lead_to_what_they_should(case in any_case()) {
        let (graph, _, options) = case;
        let expected = oracle_of_all(&graph, &options, 0);
        let frontier = graph.frontier(&options);
        let found: BTreeMap<String, u64> =
            frontier.iter().map(|f| (name(&f.position), f.line.len() as u64 * 1_000)).collect();
        prop_assert_eq!(found.len(), frontier.len());
        let lengths = expected.iter().map(|(text, known)| (text.clone(), known.0));
        prop_assert_eq!(&found, &lengths.collect());
        prop_assert!(frontier.iter().is_sorted_by_key(|found| found.line.len()));
        for found in frontier.iter() {
            let sides: BTreeSet<Color> = found.sides.colors().iter().copied().collect();
            prop_assert_eq!(&sides, &expected[&name(&found.position)].1);
        }
    }

    #[test]
    fn every_position_of_two_frontiers_is_in_its_place(case in any_case()) {
        let (earlier, later, options) = case;
        let (before, after) =
            (oracle_of_all(&earlier, &options, 0), oracle_of_all(&later, &options, 0));
        let diff =
            FrontierDiff::between(&earlier, &later, &FrontierOptions { budget: Some(1), ..options });
        let names = |found: &[FrontierPosition]| -> BTreeSet<String> {
            found.iter().map(|found| name(&found.position)).collect()
        };
        let only = |of: &FrontierPrices, without: &FrontierPrices, has_value: Option<bool>| -> BTreeSet<String> {
            let names = of.keys().filter(|text| !without.contains_key(*text));
            let position = |text: &str| Position::from_sfen(&format!("{text} 1")).expect("a position");
            let is_meant = |text: &str| {
                has_value.is_none_or(|has| later.value(&position(text)).is_some() == has)
            };
            names.filter(|text| is_meant(text)).cloned().collect()
        };
        prop_assert_eq!(names(&diff.new), only(&after, &before, None));
        prop_assert_eq!(names(&diff.unreached), only(&before, &after, Some(false)));
        let searched: Vec<_> = diff.searched.iter().map(|found| found.position.clone()).collect();
        prop_assert_eq!(names(&searched), only(&before, &after, Some(true)));
        let kept = before.keys().filter(|text| after.contains_key(*text)).count();
        prop_assert_eq!(diff.kept, kept);
        let reported = diff.new.len() + diff.kept;
        prop_assert_eq!(reported, after.len());
        prop_assert_eq!(diff.searched.len() + diff.unreached.len() + diff.kept, before.len());
        for found in &diff.searched {
            let position = &found.position.position;
            prop_assert_eq!(Some(found.value), later.value(position));
            prop_assert_eq!(&found.best_line, &later.best_line(position, 64));
        }
    }

    #[test]
    fn prices_are_the_lowest_and_belong_to_their_lines(case in any_case(), alpha in 0u32..300) {
        let (graph, _, options) = case;
        let expected = oracle_of_all(&graph, &options, alpha.into());
        let frontier = graph.frontier_by_price(&options, Alpha::per_mille(alpha));
        prop_assert_eq!(frontier.len(), expected.len());
        let mut last = 0.0;
        for found in frontier.iter() {
            let (price, _) = expected[&name(&found.position)];
            prop_assert_eq!(found.price, Some(price as f64 / 1_000.0));
            prop_assert!(found.price >= Some(last));
            last = found.price.unwrap();
            // The line follows allowed moves, and its stated drops are those of its moves.
            let root = &options.roots[found.root];
            let of_line = |own: Color| {
                let (mut position, mut drops) = (root.clone(), 0);
                for &m in &found.line {
                    let moves = followed(&graph, &options, own, root, &position);
                    drops += moves.iter().find(|(ranked, _)| ranked.m == m)?.1;
                    position.do_move(m);
                }
                Some((position, drops))
            };
            let lines: Vec<_> = found.sides.colors().iter().filter_map(|&own| of_line(own)).collect();
            prop_assert!(lines.iter().any(|(_, drops)| *drops == found.drops_cp));
            prop_assert_eq!(&lines[0].0, &found.position);
            let own = found.line.len() as u64 * 1_000 + u64::from(alpha) * u64::from(found.drops_cp);
            prop_assert_eq!(own, price);
        }
    }

    #[test]
    fn a_budget_takes_the_first(case in any_case(), budget in 0usize..8) {
        let (graph, _, options) = case;
        let few = FrontierOptions { budget: Some(budget), ..options.clone() };
        let lists = |options: &FrontierOptions| {
            let rival = Rival::Games { smoothing: 1.0 };
            let reach = ReachOptions { most_plies: 20, ..ReachOptions::new(rival) };
            [
                graph.frontier(options),
                graph.frontier_by_price(options, Alpha::default()),
                graph.frontier_by_probability(options, &reach),
            ]
        };
        for (all, some) in lists(&options).iter().zip(&lists(&few)) {
            prop_assert_eq!(some.len(), all.len().min(budget));
            prop_assert!(some.iter().eq(all.iter().take(budget)));
        }
    }
}
