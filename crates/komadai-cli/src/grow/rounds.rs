//! Round by round: what is to be analysed next, and its analysis.

use std::time::Instant;

use anyhow::ensure;
use komadai::Position;
use komadai::book::queue::{JobQueue as _, JobSettings, QueueOptions};
use komadai::book::{GrowEnd, GrowEvent, GrowOptions, WorkingBook};
use komadai::bookgraph::BookGraph;
use komadai::movegen::MoveGen as _;

use crate::crew::{Crew, Work};
use crate::options::Options;
use crate::progress::Progress;
use crate::value::value;

/// All rounds of a run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Rounds {
    /// What was done.
    pub work: Work,
    /// How many there were.
    pub count: u32,
}

/// Goes on until as many positions have been analysed as asked for, or none is left.
pub(crate) fn run(
    book: &mut WorkingBook,
    crew: &mut Crew,
    options: &Options,
) -> anyhow::Result<Rounds> {
    let mut rounds = Rounds::default();
    if book.graph().is_empty() || options.positions == 0 || crew.is_stopped() {
        return Ok(rounds);
    }
    let multi_pv = options.multi_pv.try_into().unwrap_or(u16::MAX);
    let settings = JobSettings { nodes: Some(options.nodes), multi_pv, ..JobSettings::default() };
    // What an earlier run was not done with is gone on with, unless it is now to be done otherwise.
    let queue = book.store().queue(QueueOptions::default());
    queue.expire(u64::MAX)?;
    queue.withdraw_others(&settings)?;
    let grow = GrowOptions {
        positions: options.positions,
        per_round: options.per_round.into(),
        ..GrowOptions::new(settings)
    };
    let start = Position::hirate();
    let mut progress = Progress::new("growing", options.positions, options.quiet);
    let mut hear = |event: GrowEvent<'_>| match event {
        GrowEvent::Round { .. } => rounds.count += 1,
        GrowEvent::Analysed { graph, .. } => progress.tick(|| {
            let root = graph.value(&start).map(|value| value.score);
            format!("root {}", value(root))
        }),
        GrowEvent::Failed { position, reason } => {
            progress.say(&format!("warning: {position}: {reason}"));
        }
        _ => {}
    };
    let started = Instant::now();
    let mut next = |graph: &BookGraph| select(graph, options);
    let grown = book.grow(&mut crew.analysts, &grow, &crew.stop, &mut next, &mut hear)?;
    progress.finish();
    ensure!(grown.end != GrowEnd::NoAnalysts, "every engine has failed time and again");
    rounds.work = Work { analysed: grown.analysed, nodes: grown.nodes, time: started.elapsed() };
    Ok(rounds)
}

/// The positions of the sides' frontiers in turn, shortest lines first.
fn select(graph: &BookGraph, options: &Options) -> Vec<Position> {
    let frontier = |&side| graph.frontier(&options.frontier(side));
    let frontiers: Vec<_> = options.side.colors().iter().map(frontier).collect();
    let mut queues: Vec<_> = frontiers.iter().map(|frontier| frontier.iter()).collect();
    let mut positions = Vec::new();
    while !queues.is_empty() {
        queues.retain_mut(|queue| {
            let next = queue.find(|found| found.position.has_legal_move());
            let is_there = next.is_some();
            positions.extend(next.map(|found| found.position));
            is_there
        });
    }
    positions
}
