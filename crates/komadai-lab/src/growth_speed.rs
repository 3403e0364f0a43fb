//! Measures the time that the program around the engines needs while a large book grows.
//!
//! ```console
//! cargo run --release -p komadai-lab -- synthetic-book --positions 5000000 --out 5m.db
//! cargo run --release -p komadai-lab -- growth-speed --book 5m.db --rounds 20
//! ```
//!
//! A round takes the first positions of the frontier, adds them with five moves each, whose values
//! are near that of the move that led there, updates all values, and selects again. Engines are
//! not asked.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;
use komadai::bookfile::{BookRecord, RecordMove};
use komadai::bookgraph::frontier::{BookSides, FrontierOptions, FrontierPosition, Window};
use komadai::bookgraph::{BookGraph, GraphBuilder, GraphChange};
use komadai::core::SplitMix64;
use komadai::kifu::Tolerance;
use komadai::prelude::*;
use komadai_base::file::open_regular;

/// Measure selection and update while a large book grows.
#[derive(Debug, Args)]
#[command(after_help = "Example: growth-speed --book target/5m.db --rounds 20")]
pub(crate) struct Arguments {
    /// The book, in YaneuraOu's format.
    #[arg(long)]
    book: PathBuf,
    /// The number of rounds for each selection.
    #[arg(long, default_value_t = 20)]
    rounds: usize,
    /// The number of results in each round.
    #[arg(long, default_value_t = 50)]
    results: usize,
    /// The width of the windows, in centipawns.
    #[arg(long, default_value_t = 30)]
    eval_diff: i32,
    /// The seed of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(options: &Arguments) -> anyhow::Result<()> {
    let mut random = SplitMix64::new(options.seed);
    let mut builder = GraphBuilder::new();
    let file = open_regular(&options.book)
        .with_context(|| format!("cannot open {}", options.book.display()))?;
    builder.read_db(file, Tolerance::Lenient)?;
    let started = Instant::now();
    let mut graph = builder.finish()?;
    let solved = started.elapsed().as_secs_f64();
    println!(
        "{} positions with values, {} edges, solved in {solved:.1} s",
        graph.len(),
        graph.edges()
    );
    println!(
        "window  side     select ms (median, max)  update ms (median, max)  frontier  visited"
    );
    for (window, name, sides) in [
        (Window::Best, "best    Black", BookSides::Black),
        (Window::Best, "best    White", BookSides::White),
        (Window::Root, "root    Black", BookSides::Black),
        (Window::Free, "free    both ", BookSides::Both),
    ] {
        let mut selection = FrontierOptions::new(Position::hirate(), sides, window);
        selection.eval_diff = options.eval_diff;
        measure(&mut graph, &selection, options, &mut random, name)?;
    }
    Ok(())
}

fn measure(
    graph: &mut BookGraph,
    selection: &FrontierOptions,
    options: &Arguments,
    random: &mut SplitMix64,
    name: &str,
) -> anyhow::Result<()> {
    let (mut selects, mut updates) = (Vec::new(), Vec::new());
    let (mut selected, mut visited) = (0, 0);
    for _ in 0..options.rounds {
        let started = Instant::now();
        let frontier = graph.frontier(selection);
        let first: Vec<FrontierPosition> = frontier.iter().take(options.results).collect();
        selects.push(started.elapsed());
        (selected, visited) = (frontier.len(), frontier.visited());
        let changes: Vec<GraphChange> =
            first.iter().filter_map(|found| change(found, random)).collect();
        let started = Instant::now();
        graph.apply(&changes)?;
        updates.push(started.elapsed());
    }
    let text = |mut times: Vec<Duration>| {
        times.sort_unstable();
        let ms = |time: Option<&Duration>| time.map_or(0.0, |time| 1_000.0 * time.as_secs_f64());
        format!("{:>10.2} {:>10.2}", ms(times.get(times.len() / 2)), ms(times.last()))
    };
    println!("{name}  {}  {}  {selected:>10} {visited:>10}", text(selects), text(updates));
    Ok(())
}

/// Returns a result for a position: five moves with values near that of the move that led to it.
fn change(found: &FrontierPosition, random: &mut SplitMix64) -> Option<GraphChange> {
    let position = found.position.clone().without_history();
    let value = -found.score?.raw() + (random.next_u64() % 61) as i32 - 30;
    let moves = position.legal_moves().to_vec();
    let listed = moves.iter().take(5).enumerate().map(|(rank, &m)| RecordMove {
        score: Some(Score::from_raw(value - 10 * rank as i32)),
        ..RecordMove::new(m)
    });
    let moves: Vec<RecordMove> = listed.collect();
    (!moves.is_empty()).then(|| GraphChange::Add(BookRecord { moves, ..BookRecord::new(position) }))
}
