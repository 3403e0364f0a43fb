//! The rounds of a run: selection of positions, analysis by embedded engines, propagation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::ensure;
use komadai::Position;
use komadai::analysis::{Memory, SearchAnalyst};
use komadai::book::queue::JobSettings;
use komadai::book::{GrowEnd, GrowEvent, GrowOptions, WorkingBook};
use komadai::bookgraph::BookGraph;
use komadai::bookgraph::frontier::Frontier;
use komadai::search::SearchOptions;
use komadai_console::{Progress, grow_notes, signed_score};

use crate::options::GrowArgs;

/// One engine per thread.
pub(crate) struct Engines {
    /// The engines.
    pub(crate) analysts: Vec<SearchAnalyst>,
    /// The flag that stops them.
    pub(crate) stop: Arc<AtomicBool>,
}

/// The work of engines.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Work {
    /// Number of positions analysed.
    pub(crate) analysed: usize,
    /// Number of nodes visited.
    pub(crate) nodes: u64,
    /// Time taken.
    pub(crate) time: Duration,
}

impl Engines {
    /// Creates engines that forget each search: a result does not depend on the engine that found
    /// it.
    pub(crate) fn new(options: &GrowArgs, stop: Arc<AtomicBool>) -> Self {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = options.threads.map_or_else(cores, usize::from);
        let hash_mib = options.hash_mib;
        let multi_pv = options.multi_pv;
        let search = SearchOptions { hash_mib, multi_pv, ..SearchOptions::default() };
        let analyst = |_| SearchAnalyst::standard(search.clone(), Memory::Fresh);
        Self { analysts: (0..threads).map(analyst).collect(), stop }
    }

    /// Returns true after Ctrl-C or a failure.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// All rounds of a run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Rounds {
    /// Work of the engines.
    pub(crate) work: Work,
    /// Number of rounds.
    pub(crate) count: u32,
    /// Number of jobs that wait for other engines.
    pub(crate) waiting_for_others: u64,
    /// True if Ctrl-C has ended the run before its work was done.
    pub(crate) is_stopped: bool,
}

/// Grows the book until the wanted number of positions has been analysed, or none is left.
pub(crate) fn run(
    book: &mut WorkingBook,
    engines: &mut Engines,
    options: &GrowArgs,
) -> anyhow::Result<Rounds> {
    let mut rounds = Rounds { is_stopped: engines.is_stopped(), ..Rounds::default() };
    if book.graph().is_empty() || options.positions == 0 || engines.is_stopped() {
        return Ok(rounds);
    }
    let multi_pv = options.multi_pv.try_into().unwrap_or(u16::MAX);
    let settings = JobSettings { nodes: Some(options.nodes), multi_pv, ..JobSettings::default() };
    let grow = GrowOptions {
        positions: options.positions,
        per_round: options.per_round.into(),
        ..GrowOptions::new(settings)
    };
    let start = Position::hirate();
    let mut progress = Progress::new("growing", options.positions, options.quiet);
    let mut on_event = |event: GrowEvent<'_>| match event {
        GrowEvent::Round { .. } => rounds.count += 1,
        GrowEvent::Analysed { graph, .. } => progress.tick(|| {
            let root = graph.value(&start).map(|value| value.score);
            format!("root {}", signed_score(root))
        }),
        other => grow_notes(&other).iter().for_each(|note| progress.print(note)),
    };
    let started = Instant::now();
    let mut next = |graph: &BookGraph| select(graph, options);
    let grown = book.grow(&mut engines.analysts, &grow, &engines.stop, &mut next, &mut on_event)?;
    progress.finish();
    ensure!(grown.end != GrowEnd::NoAnalysts, "all engines have failed repeatedly");
    rounds.is_stopped = grown.end == GrowEnd::Stopped && grown.analysed < options.positions;
    rounds.waiting_for_others = grown.waiting_for_others;
    rounds.work = Work { analysed: grown.analysed, nodes: grown.nodes, time: started.elapsed() };
    Ok(rounds)
}

/// Returns the positions of the sides' frontiers in turn, shortest lines first.
fn select(graph: &BookGraph, options: &GrowArgs) -> Vec<Position> {
    let frontier = |&side| graph.frontier(&options.frontier(side));
    let frontiers: Vec<_> = options.side.colors().iter().map(frontier).collect();
    Frontier::interleave(&frontiers).map(|found| found.position).collect()
}
