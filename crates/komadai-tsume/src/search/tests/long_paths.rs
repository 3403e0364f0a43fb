//! Searches whose paths are longer than any known mate.

use std::time::{Duration, Instant};

use komadai_core::{Budget, SplitMix64};

use super::Graph;
use crate::memory::{Memory, Workspace};
use crate::meter::MateProgress;
use crate::meter::Meter;
use crate::plies::Plies;
use crate::search::{Outcome, Search};
use crate::tests::random_positions::below;

/// The length of the only path to the interesting part of the graphs; an even number.
const CHAIN: usize = 4_800;

/// A chain of positions, in each of which the attacker can also go back, and the positions after
/// it.
fn chain(rest: impl Iterator<Item = Vec<usize>>) -> Graph {
    let onwards = |from: usize| match from {
        from if from % 2 == 1 || from == 0 => vec![from + 1],
        from => vec![from - 1, from + 1],
    };
    Graph { successors: (0..CHAIN).map(onwards).chain(rest).collect(), line: vec![0], deepest: 0 }
}

/// Returns a graph in which the attacker mates at the end of the chain.
fn with_mate() -> Graph {
    chain([vec![CHAIN + 1], vec![]].into_iter())
}

/// Returns a graph in which many layers of positions follow the chain. In a half of the last ones
/// the defender is mated.
fn with_layers() -> Graph {
    const WIDE: usize = 20_000;
    const LAYERS: usize = 39;
    let mut random = SplitMix64::new(1);
    // Layers have even numbers of positions: the parity of a position, which tells the side to
    // move, is that of its layer because one position in two is left out.
    let first = |layer: usize| CHAIN + 2 * WIDE * layer + layer % 2;
    let successors = move |at: usize| {
        let layer = at / (2 * WIDE);
        match layer {
            _ if at % 2 != layer % 2 => vec![],
            LAYERS if below(&mut random, 2) == 0 => vec![],
            LAYERS => vec![first(LAYERS + 1)],
            layer => (0..3).map(|_| first(layer + 1) + 2 * below(&mut random, WIDE)).collect(),
        }
    };
    chain((0..2 * WIDE * (LAYERS + 1) + 2).map(successors))
}

fn search(graph: &mut Graph, budget: &Budget) -> Outcome {
    let memory = Memory::new(1 << 22);
    let mut work = Workspace::for_techniques(memory.techniques, 1 << 22);
    let mut silence = |_: &MateProgress| {};
    let mut meter = Meter::new(budget, &mut silence);
    Search::new(&memory, &mut work, &mut meter, graph).run(ENDLESS)
}

/// Longer than any path of these graphs to a mate.
const ENDLESS: Plies = Plies::new(2 * CHAIN as u32 + 1);

#[test]
fn mates_of_thousands_of_plies_are_proven() {
    let mut graph = with_mate();
    let outcome = search(&mut graph, &Budget::nodes(1_000_000));
    let Outcome::Proven(plies, _) = outcome else { panic!("{outcome:?}") };
    assert_eq!(plies.count(), CHAIN + 1);
    assert_eq!(graph.line, [0]);
}

#[test]
fn long_paths_end_with_the_budget() {
    let mut graph = with_layers();
    assert_eq!(search(&mut graph, &Budget::nodes(40_000)), Outcome::Spent);
    assert!(graph.deepest > 4_000, "{}", graph.deepest);
    assert_eq!(graph.line, [0], "all moves are taken back");
}

#[test]
#[ignore = "measures time: cargo test --release -p komadai-tsume long_paths -- --ignored --nocapture"]
#[expect(clippy::print_stdout, reason = "the test measures")]
fn long_paths_end_with_the_time() {
    let mut late = Duration::ZERO;
    for _ in 0..20 {
        let mut graph = with_layers();
        let deadline = Instant::now() + Duration::from_millis(200);
        let outcome =
            search(&mut graph, &Budget { deadline: Some(deadline), ..Budget::unlimited() });
        late = late.max(Instant::now() - deadline);
        assert_eq!(outcome, Outcome::Spent);
        assert!(graph.deepest > 4_000, "{}", graph.deepest);
    }
    println!("at most {:.2} ms late", late.as_secs_f64() * 1_000.0);
    assert!(late < Duration::from_millis(10), "{late:?}");
}
