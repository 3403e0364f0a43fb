//! Benchmarks of the mate solver on whole sets of problems. Throughput is in nodes.
//!
//! ```console
//! cargo bench --bench tsume
//! ```
//!
//! The results are compared with the expected ones before anything is timed. The number of nodes is
//! printed, because a change of the search shows there and in the time per set.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use komadai::Position;
use komadai::core::Budget;
use komadai::movegen::{CheckClass, MateResult, MateSolver as _};
use komadai::tsume::{DfPn, DfPnOptions, Goal};
use komadai_testdata::tsume::{self, Set};

/// Results and nodes of a run over a set.
#[derive(Debug, PartialEq, Eq)]
struct Tally {
    mates: u32,
    no_mates: u32,
    nodes: u64,
}

fn solve(solver: &mut DfPn, positions: &[Position]) -> Tally {
    let budget = Budget::nodes(200_000);
    let mut tally = Tally { mates: 0, no_mates: 0, nodes: 0 };
    for position in positions {
        let report = solver.solve(position, &budget, CheckClass::All);
        tally.nodes += report.nodes;
        match report.result {
            MateResult::Mate { .. } => tally.mates += 1,
            MateResult::NoMate => tally.no_mates += 1,
            _ => {}
        }
    }
    tally
}

fn sets(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tsume");
    group.sample_size(10);
    for (name, set, goal, mates) in [
        ("short, any mate", Set::ShortSelfplay, Goal::AnyMate, 337),
        ("short, shortest", Set::ShortSelfplay, Goal::ShortestMate, 337),
        ("random, any mate", Set::RandomMate, Goal::AnyMate, 292),
    ] {
        let read = |problem: tsume::Problem| Position::from_sfen(problem.sfen).ok();
        let positions: Vec<Position> = tsume::set(set).filter_map(read).collect();
        let mut solver = DfPn::new(DfPnOptions { goal, ..DfPnOptions::default() });
        let tally = solve(&mut solver, &positions);
        assert_eq!((tally.mates, tally.no_mates), (mates, 0), "{name}");
        println!("{name}: {} nodes", tally.nodes);
        group.throughput(Throughput::Elements(tally.nodes));
        group.bench_function(name, |b| b.iter(|| solve(&mut solver, &positions)));
    }
    group.finish();
}

criterion_group!(benches, sets);
criterion_main!(benches);
