use komadai_core::{Budget, Color, Hand, PieceKind, Position, SplitMix64};
use komadai_movegen::{CheckClass, MateReport, MateResult, MateSolver, MoveGen};

use super::DfPn;
use crate::line::is_mating_line;
use crate::options::Techniques;
use crate::options::{DfPnOptions, Goal, Results};
use crate::plies::Plies;
use crate::tables::table::Lookup;
use crate::tests::oracle::{Graph, is_mated_within, shortest_mate};
use crate::tests::random_positions::{random_chase, random_composition};

mod near;

fn solver(goal: Goal, bytes: usize) -> DfPn {
    DfPn::with_bytes(DfPnOptions { goal, ..DfPnOptions::default() }, bytes)
}

fn solve(solver: &mut DfPn, position: &Position, nodes: u64) -> MateReport {
    solver.solve(position, &Budget::nodes(nodes), CheckClass::All)
}

/// Counts of the comparison with the oracle.
#[derive(Debug, Default)]
struct Counts {
    mates: u32,
    long_mates: u32,
    no_mates: u32,
    unsolved: u32,
    /// Problems whose positions the oracle listed completely, and those among them that have no
    /// mate but perpetual check.
    graphs: u32,
    repetitions: u32,
    /// Table entries that were audited.
    audited: u32,
}

/// Compares solvers with tables of several sizes with the oracles. A small table loses most
/// results, which may make a result unknown but never wrong.
fn compare_with_oracle(seeds: std::ops::Range<u64>, most: usize) -> Counts {
    let [any, shortest] =
        [Goal::AnyMate, Goal::ShortestMate].map(|goal| (goal, 1 << 22, Results::Dropped));
    let mut solvers = [
        any,
        shortest,
        (Goal::ShortestMate, 1 << 13, Results::Dropped),
        (Goal::ShortMate, 1 << 22, Results::Dropped),
        (Goal::AnyMate, 1 << 20, Results::Kept),
    ]
    .map(|(goal, bytes, results)| {
        let options = DfPnOptions { goal, results, ..DfPnOptions::default() };
        DfPn::with_bytes(options, bytes)
    });
    // One more, which has other techniques for each position.
    let other = |seed: u64| {
        let techniques = SplitMix64::new(seed ^ 0x7ec).next_u64() as u32;
        let options = DfPnOptions { goal: Goal::AnyMate, ..DfPnOptions::default() };
        DfPn::with_bytes(
            DfPnOptions { techniques: Techniques::from_bits_truncate(techniques), ..options },
            1 << 18,
        )
    };
    let mut counts = Counts::default();
    for seed in seeds {
        let mut random = SplitMix64::new(seed);
        let position = match seed % 2 {
            0 => random_composition(&mut random),
            _ => random_chase(&mut random),
        };
        let Some(mut position) = position else { continue };
        let graph = Graph::new(&position, most);
        counts.graphs += u32::from(graph.is_some());
        if let Some(truth) = graph.as_ref().map(|graph| &graph.truth) {
            counts.repetitions += u32::from(truth.mates[0].is_none() && !truth.escapes[0]);
        }
        let within_five = shortest_mate(&mut position, 5);
        for solver in solvers.iter_mut().chain([&mut other(seed)]) {
            let report = solve(solver, &position, 20_000);
            compare(&position, &report, solver.options().goal, within_five, &mut counts);
            if let Some(graph) = &graph {
                compare_with_graph(&position, &report, graph);
                counts.audited += audit(solver, graph);
            }
        }
    }
    counts
}

/// Compares a report with the oracle's shortest mate of up to five plies.
fn compare(
    position: &Position,
    report: &MateReport,
    goal: Goal,
    within_five: Option<usize>,
    counts: &mut Counts,
) {
    match &report.result {
        MateResult::Mate { line, shortest } => {
            counts.mates += 1;
            counts.long_mates += u32::from(line.len() >= 7);
            assert!(is_mating_line(position, line), "{position}: {line}");
            let least = within_five.unwrap_or(7);
            assert!(line.len() >= least, "{position}: {line}, not {within_five:?}");
            assert!(
                !shortest || line.len() == least || within_five.is_none(),
                "{position}: {line}"
            );
            let unproven = goal == Goal::ShortestMate && !shortest;
            assert!(
                !unproven || within_five.is_none(),
                "{position}: {line} was not proven shortest"
            );
        }
        MateResult::NoMate => {
            counts.no_mates += 1;
            assert_eq!(within_five, None, "{position} is a mate");
        }
        // The budget was spent while the moves were collected.
        MateResult::MateWithoutLine { .. } => {
            counts.unsolved += 1;
            let within = report.mate_within.expect("a proven mate has a length");
            assert!(within as usize >= within_five.unwrap_or(7), "{position}: {within}");
        }
        MateResult::Unknown => counts.unsolved += 1,
        result => panic!("{position}: {result:?}"),
    }
}

fn compare_with_graph(position: &Position, report: &MateReport, graph: &Graph) {
    let truth = graph.truth.mates[0];
    match &report.result {
        MateResult::Mate { line, shortest: true } => {
            assert_eq!(Some(line.len()), truth, "{position}: {line}");
        }
        MateResult::Mate { line, .. } => {
            assert!(
                truth.is_some_and(|plies| plies <= line.len()),
                "{position}: {line}, {truth:?}"
            );
        }
        MateResult::NoMate => assert_eq!(truth, None, "{position}"),
        _ => {}
    }
}

/// Compares all table entries for the positions of the graph with the exact results. A disproof
/// that was stored although it relies on a path shows here long before it falsifies a report.
fn audit(solver: &DfPn, graph: &Graph) -> u32 {
    let mut audited = 0;
    for (&(board_key, hand), &mate) in graph.positions.iter().zip(&graph.truth.mates) {
        for limit in [0, 1, 2, 3, 4, 5, 7, 9, 13, 21, 4_000].map(Plies::new) {
            match solver.memory.table.look_up(solver.memory.key(board_key), hand, limit) {
                Lookup::Proven { plies, .. } => {
                    assert!(mate.is_some_and(|mate| mate <= plies.count()), "{mate:?} {plies:?}");
                }
                Lookup::Disproven { plies, .. } => {
                    assert!(mate.is_none_or(|mate| mate > plies.count()), "{mate:?} {plies:?}");
                }
                Lookup::Open(_) | Lookup::Absent => continue,
            }
            audited += 1;
        }
    }
    audited
}

#[test]
fn random_positions_are_solved_as_by_the_oracle() {
    let counts = compare_with_oracle(0..500, 2_000);
    assert!(counts.mates > 25 && counts.long_mates > 5 && counts.no_mates > 50, "{counts:?}");
    assert!(counts.graphs > 50 && counts.audited > 1_500, "{counts:?}");
    assert!(counts.unsolved < 160, "{counts:?}");
}

#[test]
#[ignore = "slow: cargo test --release -p komadai-tsume oracle -- --ignored, about half an hour"]
fn many_random_positions_are_solved_as_by_the_oracle() {
    let counts = compare_with_oracle(1_000_000..1_100_000, 20_000);
    assert!(counts.repetitions > 5 && counts.audited > 10_000, "{counts:?}");
}

/// The position with the given hand for Black, White holding the rest.
fn with_hand(position: &Position, hand: Hand) -> Position {
    let mut setup = position.to_setup();
    let [black, white] = setup.hands;
    let rest = |kind| (black.count(kind) + white.count(kind)).checked_sub(hand.count(kind));
    setup.hands = [hand, Hand::EMPTY];
    for kind in PieceKind::HAND {
        let rest = rest(kind).expect("a stored hand is made of the pieces in both hands");
        setup.hands[1] = setup.hands[1].with(kind, rest);
    }
    Position::from_setup(&setup).expect("other hands change no rule")
}

#[test]
fn proofs_and_disproofs_hold_for_the_hands_they_name() {
    let mut solver = solver(Goal::AnyMate, 1 << 22);
    let mut smaller = 0;
    let mut larger = 0;
    for seed in 0..3_000 {
        let Some(position) = random_composition(&mut SplitMix64::new(seed)) else { continue };
        solve(&mut solver, &position, 5_000);
        let checks: Vec<_> = position
            .legal_moves()
            .into_iter()
            .filter(|&m| position.gives_check(m))
            .map(|m| position.after(m))
            .collect();
        for position in std::iter::once(position).chain(checks) {
            let own = position.hand(Color::Black);
            let attacks = position.side() == Color::Black;
            let found = solver.memory.table.look_up(position.board_key(), own, Plies::new(5));
            let (hand, plies, is_mate) = match found {
                Lookup::Proven { hand, plies, .. } => (hand, plies.count(), true),
                Lookup::Disproven { hand, plies } => (hand, plies.count().min(4), false),
                Lookup::Open(_) | Lookup::Absent => continue,
            };
            smaller += u32::from(hand != own && own.dominates(hand));
            larger += u32::from(hand != own && hand.dominates(own));
            let mut other = with_hand(&position, hand);
            let mates = if attacks {
                shortest_mate(&mut other, plies).is_some()
            } else {
                is_mated_within(&mut other, plies / 2 * 2)
            };
            assert_eq!(mates, is_mate, "{position} with {hand:?}: {found:?}");
        }
    }
    assert!(smaller > 50 && larger > 20, "{smaller} {larger}");
}

#[test]
fn kept_results_answer_at_once_and_serve_the_next_positions() {
    let options = DfPnOptions { results: Results::Kept, ..DfPnOptions::default() };
    let mut keeping = DfPn::with_bytes(options, 1 << 22);
    let mut fresh = solver(Goal::AnyMate, 1 << 22);
    let mut kept_nodes = 0;
    let mut fresh_nodes = 0;
    let mut decided = 0;
    for seed in 0..400 {
        let Some(position) = random_composition(&mut SplitMix64::new(seed)) else { continue };
        // The same board with other sides and with one pawn more in the set.
        for position in [position.clone(), position.flipped(), position] {
            let kept = solve(&mut keeping, &position, 4_000);
            let new = solve(&mut fresh, &position, 4_000);
            let is_mate = |report: &MateReport| match report.result {
                MateResult::Mate { .. } | MateResult::MateWithoutLine { .. } => Some(true),
                MateResult::NoMate => Some(false),
                _ => None,
            };
            if let (Some(a), Some(b)) = (is_mate(&kept), is_mate(&new)) {
                assert_eq!(a, b, "{position}");
                decided += 1;
                (kept_nodes, fresh_nodes) = (kept_nodes + kept.nodes, fresh_nodes + new.nodes);
            }
        }
    }
    assert!(
        decided > 300 && 4 * kept_nodes < 3 * fresh_nodes,
        "{decided} {kept_nodes} {fresh_nodes}"
    );
}
