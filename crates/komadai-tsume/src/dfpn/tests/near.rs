//! Searches of near checks, compared with the graph of the moves that they allow.

use komadai_core::Move;

use super::*;
use crate::game::{Game, Tsume};
use crate::numbers::Node;
use crate::tests::oracle::shortest_mate_by;
use crate::tests::random_positions::random_hunt;

/// Returns true for a check by a move on the board, next to the king or by a knight.
fn is_near(position: &Position, check: Move) -> bool {
    let king = position.king_square(!position.side()).expect("a king to mate");
    let [files, ranks] = [
        check.to().file().index().abs_diff(king.file().index()),
        check.to().rank().index().abs_diff(king.rank().index()),
    ];
    !check.is_drop() || files.max(ranks) == 1 || check.dropped() == Some(PieceKind::Knight)
}

fn random_position(seed: u64) -> Option<Position> {
    let mut random = SplitMix64::new(seed);
    match seed % 3 {
        0 => random_composition(&mut random),
        1 => random_chase(&mut random),
        _ => random_hunt(&mut random),
    }
}

#[test]
fn near_checks_are_all_but_drops_from_a_distance() {
    let mut near = 0;
    let mut far = 0;
    let mut mates = 0;
    for seed in 0..2_000 {
        let Some(mut position) = random_position(seed) else { continue };
        let checks = position.legal_moves().into_iter().filter(|&m| position.gives_check(m));
        let (mut expected, others): (Vec<Move>, Vec<Move>) =
            checks.partition(|&m| is_near(&position, m));
        let mating = expected.iter().any(|&m| !position.after(m).has_legal_move());
        let mut game = Tsume::new(&mut position, CheckClass::Near);
        let mut listed = Default::default();
        game.list_moves(Node::Attack, &mut listed);
        let mut listed: Vec<Move> = listed.into_iter().collect();
        listed.sort_unstable();
        expected.sort_unstable();
        assert_eq!(game.count_moves(Node::Attack, true) as usize, listed.len());
        let mate = game.mate_in_one().map(|(m, _)| m);
        assert_eq!(listed, expected, "{position}");
        assert_eq!(mate.is_some(), mating, "{position}");
        assert!(mate.is_none_or(|m| expected.contains(&m)), "{position}: {mate:?}");
        (near, far) = (near + expected.len(), far + others.len());
        mates += u32::from(mating);
    }
    assert!(near > 2_000 && far > 500 && mates > 20, "{near} {far} {mates}");
}

/// Counts of a comparison.
#[derive(Debug, Default)]
struct Compared {
    /// Mates by near checks, and those positions in which only other checks mate as fast.
    mates: u32,
    different: u32,
    /// Proofs that near checks do not mate.
    no_mates: u32,
    /// Table entries that were compared with a graph.
    audited: u32,
}

/// Compares searches of either class, which share a table, with the oracles.
fn compare_classes(seeds: std::ops::Range<u64>, results: Results, goal: Goal) -> Compared {
    let options = DfPnOptions { goal, results, ..DfPnOptions::default() };
    let mut solver = DfPn::with_bytes(options, 1 << 22);
    let mut compared = Compared::default();
    for seed in seeds {
        let Some(mut position) = random_position(seed) else { continue };
        // It is reported whatever the class, and found before the tables are used.
        if position.mate_in_one().is_some() {
            continue;
        }
        let near = shortest_mate_by(&mut position, 5, &is_near);
        let all = shortest_mate(&mut position, 5);
        compared.different += u32::from(near != all);
        let near_graph = Graph::of_checks(&position, 2_000, is_near);
        let graph = Graph::new(&position, 2_000);
        for class in [CheckClass::Near, CheckClass::All, CheckClass::Near] {
            let report = solver.solve(&position, &Budget::nodes(20_000), class);
            let (truth, graph) = match class {
                CheckClass::Near => (near, &near_graph),
                _ => (all, &graph),
            };
            if let Some(graph) = graph {
                compare_with_graph(&position, &report, graph);
                compared.audited += audit(&solver, graph);
            }
            if class == CheckClass::Near {
                assert_near(&position, &report, truth, &mut compared);
            } else {
                compare(&position, &report, goal, truth, &mut Counts::default());
            }
        }
    }
    compared
}

/// Checks a report on near checks; `within_five` is the length of their shortest mate of up to five
/// plies.
fn assert_near(
    position: &Position,
    report: &MateReport,
    within_five: Option<usize>,
    compared: &mut Compared,
) {
    let any_check = position.legal_moves().into_iter().any(|m| position.gives_check(m));
    let no_mate_within = if any_check { 0 } else { u32::MAX };
    assert_eq!(report.no_mate_within, no_mate_within, "{position}: {report:?}");
    match &report.result {
        MateResult::Mate { line, shortest } => {
            compared.mates += 1;
            assert!(is_mating_line(position, line) && !shortest, "{position}: {report:?}");
            let mut at = position.clone();
            for (ply, &m) in line.iter().enumerate() {
                assert!(ply % 2 == 1 || is_near(&at, m), "{position}: {line}");
                at.do_move(m);
            }
            assert!(line.len() >= within_five.unwrap_or(7), "{position}: {line}");
        }
        MateResult::NoMate => {
            compared.no_mates += 1;
            assert_eq!(within_five, None, "{position}");
        }
        _ => assert_eq!(within_five, None, "{position}: {report:?}"),
    }
}

#[test]
fn near_checks_are_searched_as_by_the_oracle() {
    for goal in [Goal::AnyMate, Goal::ShortestMate] {
        let compared = compare_classes(0..900, Results::Dropped, goal);
        assert!(compared.mates > 20 && compared.no_mates > 500, "{compared:?}");
        assert!(compared.different > 1 && compared.audited > 2_500, "{compared:?}");
    }
}

#[test]
fn kept_results_of_the_classes_do_not_mix() {
    for goal in [Goal::AnyMate, Goal::ShortestMate] {
        let compared = compare_classes(0..900, Results::Kept, goal);
        assert!(compared.mates > 20 && compared.no_mates > 500, "{compared:?}");
        assert!(compared.different > 1 && compared.audited > 5_000, "{compared:?}");
    }
}

#[test]
#[ignore = "slow: cargo test --release -p komadai-tsume near -- --ignored, a few minutes"]
fn many_near_checks_are_searched_as_by_the_oracle() {
    for results in [Results::Dropped, Results::Kept] {
        let compared = compare_classes(10_000..40_000, results, Goal::AnyMate);
        assert!(compared.mates > 750 && compared.different > 60, "{compared:?}");
    }
}
