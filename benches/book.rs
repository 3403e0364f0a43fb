//! Books: reading, propagating values, changing them, selecting the frontier, writing.
//!
//! ```console
//! cargo bench --bench book
//! ```
//!
//! The book is synthetic: random walks from the start position through five listed moves a
//! position, with random values, up to 100,000 positions. Before the timing, values are compared
//! with the best of all legal moves, looked up one by one. Throughput is in positions.

use std::collections::HashSet;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use komadai::bookfile::db::{DbReader, DbWriter};
use komadai::bookfile::{BookRecord, RecordMove};
use komadai::bookgraph::frontier::{FrontierOptions, Window};
use komadai::bookgraph::{BookGraph, DbOptions, GraphBuilder, GraphChange};
use komadai::core::SplitMix64;
use komadai::kifu::Tolerance;
use komadai::movegen::MoveGen as _;
use komadai::{Color, Move, Position, Score};

const POSITIONS: usize = 100_000;
const MOVES_A_POSITION: usize = 5;
const LONGEST_WALK: usize = 40;

/// The moves that the book lists in a position, with their values.
fn listed_moves(position: &Position) -> Vec<RecordMove> {
    let mut random = SplitMix64::new(position.key());
    let mut moves = position.legal_moves().to_vec();
    let mut chosen = Vec::new();
    while chosen.len() < MOVES_A_POSITION && !moves.is_empty() {
        let m = moves.swap_remove((random.next_u64() % moves.len() as u64) as usize);
        let score = Some(Score::cp((random.next_u64() % 401) as i32 - 200));
        chosen.push(RecordMove { score, depth: Some(10), ..RecordMove::new(m) });
    }
    chosen
}

fn synthetic_book(positions: usize) -> Vec<BookRecord> {
    let (mut records, mut seen) = (Vec::new(), HashSet::new());
    let mut random = SplitMix64::new(1);
    while records.len() < positions {
        let mut position = Position::hirate();
        for _ in 0..LONGEST_WALK {
            let moves = listed_moves(&position);
            let at = (random.next_u64() % 5) as usize;
            let Some(m) = moves.get(at).map(|listed| listed.m) else { break };
            // A position and its turned copy with the colours exchanged are one entry.
            if seen.insert(position.key().min(position.flipped_key())) {
                records.push(BookRecord { moves, ..BookRecord::new(position.without_history()) });
            }
            position.do_move(m);
        }
    }
    records
}

fn propagate(records: &[BookRecord]) -> BookGraph {
    let mut builder = GraphBuilder::with_room(records.len());
    builder.add_all(records).expect("the positions fit");
    builder.finish().expect("the moves are legal")
}

/// Compares values with the best of all legal moves.
fn check(records: &[BookRecord], values: &BookGraph) {
    for record in records.iter().step_by(97) {
        let position = &record.position;
        let of_move = |m: Move| match values.value(&position.after(m)) {
            Some(next) => Some(-next.score),
            None => record.moves.iter().find(|listed| listed.m == m)?.score,
        };
        let best = position.legal_moves().iter().filter_map(|&m| of_move(m)).max();
        assert_eq!(values.value(position).map(|value| value.score), best);
    }
}

/// Changes that lower the value of a best move that leaves the book, and raise it again.
fn leaves(values: &BookGraph) -> Vec<GraphChange> {
    let mut changes = Vec::new();
    for record in values.records().step_by(31) {
        let best = values.moves(&record.position)[0];
        if best.leaves_book {
            for score in [best.value.score - 25, best.value.score] {
                let listed = RecordMove { score: Some(score), ..RecordMove::new(best.m) };
                changes
                    .push(GraphChange::Add(BookRecord { moves: vec![listed], ..record.clone() }));
            }
        }
    }
    assert!(changes.len() > 1_000);
    changes
}

fn book(criterion: &mut Criterion) {
    let book = synthetic_book(POSITIONS);
    let positions = Throughput::Elements(book.len() as u64);
    let values = propagate(&book);
    check(&book, &values);
    let mut writer = DbWriter::new(Vec::new()).expect("writing to memory succeeds");
    book.iter().try_for_each(|record| writer.write(record)).expect("writing to memory succeeds");
    let (text, _) = writer.finish().expect("writing to memory succeeds");

    let mut group = criterion.benchmark_group("book");
    group.sample_size(10).throughput(positions);
    group.bench_function("propagate", |b| b.iter(|| propagate(black_box(&book)).len()));
    group.bench_function("read db", |b| {
        b.iter(|| {
            let read = DbReader::new(&text[..], Tolerance::Strict);
            assert_eq!(read.filter(Result::is_ok).count(), book.len());
        });
    });
    group.bench_function("write db", |b| {
        b.iter(|| {
            let mut text = Vec::new();
            values.write_db(&mut text, &DbOptions::default()).expect("writing to memory succeeds")
        });
    });
    let mut changing = values.clone();
    let mut changes = leaves(&values).into_iter().cycle();
    group.throughput(Throughput::Elements(1));
    group.bench_function("update", |b| {
        b.iter(|| {
            changing
                .apply(&[changes.next().expect("the cycle never ends")])
                .expect("the change is legal")
        });
    });
    let options = FrontierOptions::new(Position::hirate(), Color::Black, Window::Free);
    let visited = values.frontier(&options).visited();
    assert!(visited > 1);
    group.throughput(Throughput::Elements(visited as u64));
    group.bench_function("frontier", |b| b.iter(|| values.frontier(black_box(&options)).len()));
    group.finish();
}

criterion_group!(benches, book);
criterion_main!(benches);
