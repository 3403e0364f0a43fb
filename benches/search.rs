//! Benchmark of the search: a fixed list of positions to a fixed depth, reported as nodes per
//! second.
//!
//! ```console
//! cargo bench --bench search
//! ```
//!
//! The signature (the number of nodes) is checked before anything is timed. Figures of different
//! versions are comparable only if their signatures are equal.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use komadai::Position;
use komadai::eval::{Classical, Evaluator, Material};
use komadai::search::SearchOptions;
use komadai::search::bench::{BENCH_DEPTH, SIGNATURE, bench};
use komadai_testdata::positions;

fn search(criterion: &mut Criterion) {
    let options = SearchOptions::default();
    assert_eq!(bench(&Classical::default(), &options, BENCH_DEPTH).nodes, SIGNATURE);

    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    group.throughput(Throughput::Elements(SIGNATURE));
    group.bench_function("classical", |b| {
        b.iter(|| bench(&Classical::default(), &options, BENCH_DEPTH))
    });
    let nodes = bench(&Material, &options, BENCH_DEPTH).nodes;
    group.throughput(Throughput::Elements(nodes));
    group.bench_function("material", |b| b.iter(|| bench(&Material, &options, BENCH_DEPTH)));
    group.finish();
}

fn evaluation(criterion: &mut Criterion) {
    let position = Position::from_sfen(positions::MATSURI).expect("the position is legal");
    let mut state = Classical::default().refresh(&position);
    assert_eq!(
        Classical::default().evaluate(&position, &mut state),
        Classical::default().evaluate_position(&position)
    );
    criterion.bench_function("evaluate/classical", |b| {
        b.iter(|| Classical::default().evaluate(&position, &mut state));
    });
}

criterion_group!(benches, search, evaluation);
criterion_main!(benches);
