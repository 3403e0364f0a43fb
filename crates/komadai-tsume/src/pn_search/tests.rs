use komadai_core::{Budget, Position, SplitMix64};
use komadai_movegen::{CheckClass, MateLimit, MateReport, MateResult, MateSolver};
use komadai_testdata::tsume::{self, Expected, Set};

use super::{Node, PnSearch};
use crate::dfpn::DfPn;
use crate::line::is_mating_line;
use crate::options::{DfPnOptions, Goal};
use crate::tests::oracle::{Graph, shortest_mate};
use crate::tests::random_positions::{random_chase, random_composition};

fn solve(position: &Position, nodes: u64) -> MateReport {
    PnSearch::new(64).solve(position, &Budget::nodes(nodes), CheckClass::All)
}

/// True for a mate and false for none, where the report decides it. A reported line is replayed.
fn verdict(position: &Position, report: &MateReport) -> Option<bool> {
    match &report.result {
        MateResult::Mate { line, shortest } => {
            assert!(is_mating_line(position, line), "{position}: {line}");
            assert_eq!(report.mate_within, Some(line.len() as u32), "{position}: {line}");
            assert_eq!(*shortest, line.len() == 1, "{position}: {line}");
            Some(true)
        }
        MateResult::NoMate => Some(false),
        MateResult::Unknown => {
            assert!(report.limit.is_some(), "{position}: {report:?}");
            None
        }
        other => panic!("{position}: {other:?}"),
    }
}

/// Counts of a comparison with df-pn.
#[derive(Debug, Default, PartialEq, Eq)]
struct Agreement {
    mates: u32,
    no_mates: u32,
    undecided: u32,
}

fn compare(positions: impl Iterator<Item = Position>, nodes: u64) -> Agreement {
    let mut tree = PnSearch::new(64);
    let options = DfPnOptions { hash_mib: 8, ..DfPnOptions::default() };
    let mut df_pn = DfPn::new(options);
    let mut agreement = Agreement::default();
    for position in positions {
        let budget = Budget::nodes(nodes);
        let report = tree.solve(&position, &budget, CheckClass::All);
        assert!(report.nodes <= nodes);
        let other = df_pn.solve(&position, &budget, CheckClass::All);
        let mated = match &other.result {
            MateResult::NoMate => Some(false),
            _ => other.is_mate().then_some(true),
        };
        match (verdict(&position, &report), mated) {
            (Some(one), Some(other)) => {
                assert_eq!(one, other, "{position}: mate by tree search {one}, by df-pn {other}");
                *if one { &mut agreement.mates } else { &mut agreement.no_mates } += 1;
            }
            _ => agreement.undecided += 1,
        }
    }
    agreement
}

fn bundled(set: Set, step: usize) -> impl Iterator<Item = Position> {
    tsume::set(set).step_by(step).filter_map(|problem| Position::from_sfen(problem.sfen).ok())
}

#[test]
fn short_mates_from_games_are_mates_for_both_solvers() {
    let agreement = compare(bundled(Set::ShortSelfplay, 1), 20_000);
    assert!(agreement.mates >= 335 && agreement.no_mates == 0, "{agreement:?}");
}

#[test]
fn random_compositions_of_the_bundled_set_are_mates_for_both_solvers() {
    let agreement = compare(bundled(Set::RandomMate, 1), 20_000);
    assert!(agreement.mates >= 280 && agreement.no_mates == 0, "{agreement:?}");
}

#[test]
fn positions_without_a_mate_are_refuted_by_both_solvers() {
    let agreement = compare(bundled(Set::NoMate, 4), 10_000);
    assert!(agreement.no_mates >= 120 && agreement.mates == 0, "{agreement:?}");
}

#[test]
fn random_positions_are_decided_as_by_df_pn_and_the_oracle() {
    let random = |seed| {
        let mut random = SplitMix64::new(seed);
        if seed % 2 == 0 { random_composition(&mut random) } else { random_chase(&mut random) }
    };
    let agreement = compare((5_000..5_800).filter_map(random), 5_000);
    assert!(agreement.mates >= 35 && agreement.no_mates >= 310, "{agreement:?}");
    let mut exact = 0;
    let mut within_three = 0;
    for mut position in (5_000..5_800).filter_map(random) {
        let Some(mates) = verdict(&position, &solve(&position, 5_000)) else { continue };
        if let Some(graph) = Graph::new(&position, 2_000) {
            assert_eq!(mates, graph.truth.mates[0].is_some(), "{position}");
            exact += 1;
        } else if shortest_mate(&mut position, 3).is_some() {
            assert!(mates, "{position}");
            within_three += 1;
        }
    }
    assert!(exact >= 50 && within_three >= 5, "{exact} and {within_three}");
}

#[test]
fn a_depth_refutes_longer_mates_only() {
    let problems = tsume::set(Set::RandomMate).filter_map(|problem| match problem.expected {
        Expected::ShortestMate(plies @ 3..=9) => Some((problem.sfen, plies)),
        _ => None,
    });
    let mut refuted = 0;
    for (sfen, plies) in problems.step_by(3) {
        let position = Position::from_sfen(sfen).expect("the set has positions");
        let within = |depth| {
            let budget = Budget { depth: Some(depth), ..Budget::nodes(20_000) };
            PnSearch::new(64).solve(&position, &budget, CheckClass::All)
        };
        assert!(!within(plies - 1).is_mate(), "{sfen}: shorter than {plies} plies");
        refuted += u32::from(within(plies - 1).limit == Some(MateLimit::Depth));
        let mate = within(plies);
        assert!(mate.mate_within.is_none_or(|within| within == plies), "{sfen}: {mate:?}");
    }
    assert!(refuted >= 50, "{refuted}");
}

#[test]
fn the_shortest_mate_by_df_pn_is_never_longer_than_that_of_the_tree() {
    let options = DfPnOptions { hash_mib: 8, goal: Goal::ShortestMate, ..DfPnOptions::default() };
    let mut df_pn = DfPn::new(options);
    let mut compared = 0;
    for position in bundled(Set::RandomMate, 5) {
        let MateResult::Mate { line, .. } = solve(&position, 5_000).result else { continue };
        let report = df_pn.solve(&position, &Budget::nodes(100_000), CheckClass::All);
        let MateResult::Mate { line: other, shortest: true } = report.result else { continue };
        assert!(other.len() <= line.len(), "{position}: {other} and {line}");
        compared += 1;
    }
    assert!(compared >= 50, "{compared}");
}

#[test]
fn each_limit_ends_the_search() {
    let hard = tsume::set(Set::Classic).max_by_key(tsume::Problem::literature_plies);
    let hard = Position::from_sfen(hard.expect("the set has problems").sfen).unwrap();
    let mut small = PnSearch::new(1);
    let full = small.solve(&hard, &Budget::unlimited(), CheckClass::All);
    assert_eq!((full.result, full.limit), (MateResult::Unknown, Some(MateLimit::Memory)));
    assert!(full.memory_bytes <= 1 << 20);
    assert!(size_of_val(&small.tree[..]) > 900_000, "the tree is as large as allowed");
    assert!(small.tree.capacity() * size_of::<Node>() <= 1 << 20);
    for nodes in [0, 1, 17] {
        let spent = solve(&hard, nodes);
        assert_eq!((spent.nodes, spent.limit), (nodes, Some(MateLimit::Nodes)));
    }
    let nothing = Budget::depth(0);
    let nothing = PnSearch::new(1).solve(&hard, &nothing, CheckClass::All);
    assert_eq!((nothing.result, nothing.limit), (MateResult::Unknown, Some(MateLimit::Depth)));
}
