//! Books: reading, propagating values, changing them, selecting the frontier, writing.
//!
//! ```console
//! cargo bench --bench book
//! ```
//!
//! The book is made up: walks from the start through five moves a position, with made-up values,
//! until there are 100,000 positions. Before anything is timed, values are compared with the best of
//! all legal moves, looked up one by one. Throughput is in positions.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use komadai::book::{
    AnalystId, Book, BookGraph, BookRecord, DbOptions, DbReader, Evaluation, FrontierOptions,
    GraphChange, RecordMove, Source, UnknownMoves, Window,
};
use komadai::core::Bound;
use komadai::kifu::Tolerance;
use komadai::movegen::MoveGen as _;
use komadai::{Color, Move, Position, Score};

const POSITIONS: usize = 100_000;
const MOVES_A_POSITION: usize = 5;
const LONGEST_WALK: usize = 40;

/// SplitMix64 (G. Steele, D. Lea, C. Flood 2014).
fn next_random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The moves that the book lists in a position, with their values.
fn listed_moves(position: &Position) -> Vec<(Move, i32)> {
    let mut random = position.key();
    let mut moves = position.legal_moves().to_vec();
    let mut chosen = Vec::new();
    while chosen.len() < MOVES_A_POSITION && !moves.is_empty() {
        let m = moves.swap_remove((next_random(&mut random) % moves.len() as u64) as usize);
        chosen.push((m, (next_random(&mut random) % 401) as i32 - 200));
    }
    chosen
}

fn made_up_book(positions: usize) -> Book {
    let mut book = Book::new();
    let analyst = book.analyst(&AnalystId::new("made up", ""));
    let mut random = 1;
    while book.len() < positions {
        let mut position = Position::hirate();
        for _ in 0..LONGEST_WALK {
            let moves = listed_moves(&position);
            let Some(&(m, _)) = moves.get((next_random(&mut random) % 5) as usize) else { break };
            if book.entry(&position).is_none() {
                for (m, cp) in moves {
                    let evaluation = Evaluation {
                        score: Score::cp(cp),
                        bound: Bound::Exact,
                        depth: 10,
                        nodes: 0,
                        time_ms: 0,
                        analyst,
                        source: Source::Import,
                        when: 0,
                    };
                    book.log(&position, m, evaluation).expect("the move is legal");
                }
            }
            position.do_move(m);
        }
    }
    book
}

/// Compares values with the best of all legal moves.
fn check(book: &Book, values: &BookGraph) {
    for entry in book.entries().step_by(97) {
        let position = entry.position();
        let of_move = |m: Move| match values.value(&position.after(m)) {
            Some(next) => Some(-next.score),
            None => entry.find(m)?.score(),
        };
        let best = position.legal_moves().iter().filter_map(|&m| of_move(m)).max();
        assert_eq!(values.value(&position).map(|value| value.score), best);
    }
}

/// Changes that lower the best move of a position, where that leaves the book, and raise it again.
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
    let book = made_up_book(POSITIONS);
    let positions = Throughput::Elements(book.len() as u64);
    let values = book.propagate();
    check(&book, &values);
    let mut text = Vec::new();
    book.write_db(&mut text, UnknownMoves::Write).expect("memory takes everything");

    let mut group = criterion.benchmark_group("book");
    group.sample_size(10).throughput(positions);
    group.bench_function("propagate", |b| b.iter(|| black_box(&book).propagate().len()));
    group.bench_function("read db", |b| {
        b.iter(|| {
            let mut read = Book::new();
            let reader = DbReader::new(&text[..], Tolerance::Strict);
            reader.read_into(&mut read).expect("the book is well formed");
            assert_eq!(read.len(), book.len());
        });
    });
    group.bench_function("write db", |b| {
        b.iter(|| {
            let mut text = Vec::new();
            values.write_db(&mut text, &DbOptions::default()).expect("memory takes everything")
        });
    });
    let mut changing = values.clone();
    let mut changes = leaves(&values).into_iter().cycle();
    group.throughput(Throughput::Elements(1));
    group.bench_function("update", |b| {
        b.iter(|| changing.apply(&[changes.next().expect("it goes round")]).expect("it is legal"));
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
