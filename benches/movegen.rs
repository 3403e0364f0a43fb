//! Benchmarks of move generation: counting, listing and making moves in the five positions of the
//! peer comparison.
//!
//! ```console
//! cargo bench --bench movegen
//! ```
//!
//! Every benchmark checks its node count before it is timed. Criterion reports changes of speed;
//! ratios to other programs come from `benches/peers/`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use komadai::core::Position;
use komadai::movegen::{MoveList, count_legal, generate_legal, perft, perft_full};
use komadai_testdata::positions;

fn movegen(criterion: &mut Criterion) {
    for bench in positions::bench() {
        let position = Position::from_sfen(bench.sfen).expect("the bench positions are legal");
        let moves = bench.perft[0];
        assert_eq!(count_legal(&position), moves, "{}", bench.name);

        let mut group = criterion.benchmark_group(bench.name);
        group.throughput(Throughput::Elements(moves));
        group.bench_function("list", |b| {
            let mut list = MoveList::new();
            b.iter(|| {
                list.clear();
                generate_legal(black_box(&position), &mut list);
                list.len()
            });
        });
        group.bench_function("count", |b| b.iter(|| count_legal(black_box(&position))));

        let (depth, nodes) = (2, bench.perft[1]);
        group.throughput(Throughput::Elements(nodes));
        assert_eq!(perft(&position, depth), nodes, "{}", bench.name);
        assert_eq!(perft_full(&position, depth), nodes, "{}", bench.name);
        group.bench_function("perft", |b| b.iter(|| perft(black_box(&position), depth)));
        group.bench_function("perft, every leaf made", |b| {
            b.iter(|| perft_full(black_box(&position), depth));
        });
        group.finish();
    }
}

criterion_group!(benches, movegen);
criterion_main!(benches);
