//! Measures the time to change a large book and to update all of its values.
//!
//! ```console
//! cargo run --release -p komadai-lab -- synthetic-book --positions 1000000 --out 1m.db
//! cargo run --release -p komadai-lab -- update-speed --book 1m.db --updates 1000
//! ```
//!
//! Makes four kinds of changes, one at a time. The value of a best move that leaves the book is
//! lowered by up to 60 centipawns, or raised by as much; the position after such a move is added
//! with five moves; a position is removed. Finally all values are compared with those of a book
//! built from the changed records.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::bookfile::{BookRecord, RecordMove};
use komadai::bookgraph::{BookGraph, GraphBuilder, GraphChange};
use komadai::core::SplitMix64;
use komadai::kifu::Tolerance;
use komadai::prelude::*;
use komadai_base::file::open_regular;

/// Measures changes of a large book.
#[derive(Debug, Args)]
#[command(after_help = "Example: update-speed --book target/1m.db --updates 1000")]
pub(crate) struct Arguments {
    /// The book, in YaneuraOu's format.
    #[arg(long)]
    book: PathBuf,
    /// The number of changes of each kind.
    #[arg(long, default_value_t = 1_000)]
    updates: usize,
    /// The seed of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Lower,
    Raise,
    Add,
    Remove,
}

pub(crate) fn run(options: &Arguments) -> anyhow::Result<()> {
    let mut random = SplitMix64::new(options.seed);
    let mut builder = GraphBuilder::new();
    let file = open_regular(&options.book)
        .with_context(|| format!("cannot open {}", options.book.display()))?;
    builder.read_db(file, Tolerance::Lenient)?;
    let mut graph = builder.finish()?;
    println!("{} positions with values, {} edges", graph.len(), graph.edges());
    let step = (graph.len() / (options.updates * 8)).max(1);
    let start = random.next_u64() as usize % step;
    let mut records: Vec<BookRecord> =
        graph.records().skip(start).step_by(step).take(options.updates * 8).collect();
    println!("change    median ms     99 %      max  looked at (median, 99 %, max)");
    for kind in [Kind::Lower, Kind::Raise, Kind::Add, Kind::Remove] {
        let (mut times, mut visited) = (Vec::new(), Vec::new());
        while times.len() < options.updates {
            let Some(record) = records.pop() else { break };
            let Some(change) = change(&graph, record, kind, &mut random) else { continue };
            let started = Instant::now();
            let updated = graph.apply(&[change])?;
            times.push(started.elapsed());
            visited.push(updated.visited);
        }
        print_row(kind, times, visited);
    }
    let mut rebuilt = GraphBuilder::new();
    for record in graph.records() {
        rebuilt.add(&record)?;
    }
    let rebuilt = rebuilt.finish()?;
    let mut compared = 0;
    for record in graph.records() {
        let position = &record.position;
        ensure!(graph.value(position) == rebuilt.value(position), "another value of {position}");
        compared += 1;
    }
    println!("{compared} values are those of the book built anew");
    Ok(())
}

fn change(
    graph: &BookGraph,
    record: BookRecord,
    kind: Kind,
    random: &mut SplitMix64,
) -> Option<GraphChange> {
    let best = *graph.moves(&record.position).first()?;
    if matches!(kind, Kind::Remove) {
        return Some(GraphChange::RemovePosition(record.position));
    }
    if !best.leaves_book {
        return None;
    }
    let step = 1 + (random.next_u64() % 60) as i32;
    let score = best.value.score.raw() + if matches!(kind, Kind::Lower) { -step } else { step };
    if matches!(kind, Kind::Lower | Kind::Raise) {
        let listed = RecordMove { score: Some(Score::from_raw(score)), ..RecordMove::new(best.m) };
        return Some(GraphChange::Add(BookRecord { moves: vec![listed], ..record }));
    }
    let position = record.position.after(best.m).without_history();
    let moves = position.legal_moves().to_vec();
    let listed = moves.iter().take(5).enumerate().map(|(rank, &m)| RecordMove {
        score: Some(Score::from_raw(-best.value.score.raw() - 10 * rank as i32)),
        ..RecordMove::new(m)
    });
    let moves: Vec<RecordMove> = listed.collect();
    (!moves.is_empty()).then(|| GraphChange::Add(BookRecord { moves, ..BookRecord::new(position) }))
}

fn print_row(kind: Kind, mut times: Vec<Duration>, mut visited: Vec<usize>) {
    times.sort_unstable();
    visited.sort_unstable();
    if times.is_empty() {
        println!("{kind:?}: nothing to change");
        return;
    }
    let at = |share: usize| (times.len() - 1) * share / 100;
    let ms = |share| times[at(share)].as_secs_f64() * 1_000.0;
    println!(
        "{:<8} {:>10.3} {:>8.3} {:>8.3}  {}, {}, {}",
        format!("{kind:?}"),
        ms(50),
        ms(99),
        ms(100),
        visited[at(50)],
        visited[at(99)],
        visited[at(100)],
    );
}
