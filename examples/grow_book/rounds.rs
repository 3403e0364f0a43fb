//! Round by round: what is to be analysed next, and its analysis.

use std::collections::HashSet;

use komadai::Position;
use komadai::book::{BookGraph, FrontierPosition, Value};
use komadai::movegen::MoveGen as _;

use crate::first_search::identity;
use crate::grower::{Grower, Origin, Work};
use crate::options::Options;
use crate::progress::Progress;
use crate::snapshot::Snapshot;

/// One round.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Round {
    /// What was done.
    pub work: Work,
    /// The value of the start when it began.
    pub root: Option<Value>,
}

/// Goes on until as many positions have been analysed as asked for, or none is left.
pub(crate) fn run(grower: &mut Grower<'_>, before: &Snapshot) -> anyhow::Result<Vec<Round>> {
    let mut rounds: Vec<Round> = Vec::new();
    if before.valued == 0 || grower.options.positions == 0 || grower.is_stopped() {
        return Ok(rounds);
    }
    // Positions that gave nothing when they were analysed.
    let mut barren = HashSet::new();
    let options = grower.options;
    let mut progress = Progress::new("growing", options.positions, options.quiet);
    let mut left = options.positions;
    while left > 0 && !grower.is_stopped() {
        let values = grower.book().propagate();
        let root = values.value(&Position::hirate());
        let mut positions = select(&values, options, &barren);
        positions.truncate(left.min(options.per_round.into()));
        if positions.is_empty() {
            break;
        }
        let work = grower.analyse(
            &positions,
            options.nodes,
            &mut progress,
            |book, index, found, origin| {
                let Origin { analyst, when } = origin;
                let merged = book.merge_analysis(&positions[index], found, analyst, *when)?;
                if merged.positions == 0 {
                    barren.insert(identity(&positions[index]));
                }
                Ok(())
            },
        )?;
        left -= positions.len();
        rounds.push(Round { work, root });
    }
    progress.finish();
    Ok(rounds)
}

/// The first positions of the sides' frontiers in turn, shortest lines first, each once.
fn select(values: &BookGraph, options: &Options, barren: &HashSet<String>) -> Vec<Position> {
    let frontiers: Vec<_> = options
        .sides()
        .iter()
        .map(|&side| values.frontier(&options.frontier(side, options.window())))
        .collect();
    let mut queues: Vec<_> = frontiers.iter().map(|frontier| frontier.iter()).collect();
    let mut seen = HashSet::new();
    let mut positions = Vec::new();
    while !queues.is_empty() && positions.len() < options.per_round.into() {
        queues.retain_mut(|queue| {
            let next = queue.find(|FrontierPosition { position, .. }| {
                let identity = identity(position);
                position.has_legal_move() && !barren.contains(&identity) && seen.insert(identity)
            });
            positions.extend(next.as_ref().map(|found| found.position.clone()));
            next.is_some()
        });
    }
    positions
}
