//! Values for moves without a value, such as those seeded from games.
//!
//! The position after each such move is searched briefly. The search gives the move its value and, if the
//! position after it is part of the book as well, adds the engine's own move there. Without that move, the
//! value of the position would depend only on the moves that happened to be played in games.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use komadai::book::store::{Change, Store, StoreError};
use komadai::book::{Analyst, AnalystId, LoggedAnalysis, analyse_all};
use komadai::core::{Bound, Line};
use komadai::movegen::MoveGen as _;
use komadai::{Analysis, Budget, Color, Move, Position, Pv, Score};

use super::engines::Work;
use crate::console::format::now;

/// Maximum number of positions in a batch, which bounds memory.
const BATCH_SIZE: usize = 20_000;

/// Number of analyses in a transaction of the store. A transaction takes as long as a short search.
const PER_TRANSACTION: usize = 32;

/// The progress of [`search_unvalued`].
#[derive(Debug, Clone, Copy)]
pub(super) enum SearchEvent {
    /// A batch of positions starts.
    Batch {
        /// Number of positions.
        positions: usize,
    },
    /// A position of the batch was searched, or its search failed.
    Result {
        /// Number of nodes visited in this batch before.
        nodes: u64,
    },
}

/// A position to search, and the moves without a value that lead to it.
struct Job {
    position: Position,
    moves: Vec<(Position, Move)>,
}

/// Searches until every move and every position of the book has a value, or until `stop` is set.
///
/// Each search visits `nodes` nodes. The results do not depend on the number of analysts if these do not
/// remember earlier searches. A failure sets `stop`.
pub(super) fn search_unvalued<A: Analyst>(
    store: &Store,
    analysts: &mut [A],
    nodes: u64,
    stop: &Arc<AtomicBool>,
    on_event: &mut dyn FnMut(SearchEvent),
) -> anyhow::Result<Work> {
    let mut total = Work::default();
    loop {
        let jobs = unvalued_jobs(store)?;
        if jobs.is_empty() || stop.load(Ordering::Relaxed) {
            return Ok(total);
        }
        on_event(SearchEvent::Batch { positions: jobs.len() });
        let budget = Budget::nodes(nodes).with_stop(Arc::clone(stop));
        total += search_batch(store, analysts, &jobs, &budget, stop, on_event)?;
    }
}

/// Searches the positions of one batch and merges the results into the store.
fn search_batch<A: Analyst>(
    store: &Store,
    analysts: &mut [A],
    jobs: &[Job],
    budget: &Budget,
    stop: &AtomicBool,
    on_event: &mut dyn FnMut(SearchEvent),
) -> anyhow::Result<Work> {
    let started = Instant::now();
    let (mut work, mut changes, mut failure) = (Work::default(), Vec::new(), None);
    let positions: Vec<Position> = jobs.iter().map(|job| job.position.clone()).collect();
    let identity = analysts[0].identity();
    analyse_all(analysts, &positions, budget, |index, result| {
        on_event(SearchEvent::Result { nodes: work.nodes });
        let merged = result.map_err(anyhow::Error::from).and_then(|found| {
            work.analysed += 1;
            work.nodes += found.nodes;
            changes.extend(jobs[index].changes(store, found, &identity)?);
            if work.analysed.is_multiple_of(PER_TRANSACTION) {
                store.merge_batch(&mem::take(&mut changes))?;
            }
            Ok(())
        });
        if let Err(error) = merged {
            failure.get_or_insert(error);
            stop.store(true, Ordering::Relaxed);
        }
    });
    let merged = store.merge_batch(&changes);
    work.time = started.elapsed();
    match failure {
        Some(error) => Err(error),
        None => Ok(merged.map(|_| work)?),
    }
}

impl Job {
    /// Returns the changes that follow from an analysis of the position: values of the moves that lead to
    /// it and, if it is part of the book, the analysis itself.
    fn changes(
        &self,
        store: &Store,
        found: Analysis,
        analyst: &AnalystId,
    ) -> anyhow::Result<Vec<Change>> {
        let when = now();
        let mut logged = Vec::new();
        let after = with_mate(&self.position, &found)?;
        if store.position(&self.position)?.is_some() {
            logged.push(LoggedAnalysis::new(self.position.clone(), found, analyst.clone()));
        }
        logged.extend(self.moves.iter().map(|(position, m)| {
            LoggedAnalysis::of_successor(position.clone(), *m, &after, analyst.clone())
        }));
        Ok(logged.into_iter().map(|logged| logged.at(when).into()).collect())
    }
}

/// Returns the analysis, or, in a position without a legal move, one that reports the loss.
fn with_mate(position: &Position, found: &Analysis) -> anyhow::Result<Analysis> {
    if !found.lines.is_empty() {
        return Ok(found.clone());
    }
    anyhow::ensure!(!position.has_legal_move(), "the engine found no move in {position}");
    let lost = Line { score: Score::mated_in(0), bound: Bound::Exact, pv: Pv::new() };
    Ok(Analysis { lines: vec![lost], ..found.clone() })
}

/// Returns the positions after moves without a value, each once, and the positions without any value.
fn unvalued_jobs(store: &Store) -> Result<Vec<Job>, StoreError> {
    let mut jobs = Jobs::default();
    let mut unvalued = Vec::new();
    store.for_each_position(|stored| {
        if jobs.jobs.len() >= BATCH_SIZE {
            return Ok::<(), StoreError>(());
        }
        let position = &stored.record.position;
        for (listed, _) in stored.moves().filter(|(_, value)| value.is_none()) {
            let next = position.after(listed.m).without_history();
            jobs.of(next).moves.push((position.clone(), listed.m));
        }
        if stored.best_score().is_none() {
            unvalued.push(position.clone());
        }
        Ok(())
    })?;
    // Most positions without a value follow a move without a value and are searched for its sake. Only
    // when all moves have been seen is it certain that the others, such as the start, follow none.
    if jobs.jobs.len() < BATCH_SIZE {
        for position in unvalued {
            jobs.of(position);
        }
    }
    Ok(jobs.jobs)
}

#[derive(Default)]
struct Jobs {
    jobs: Vec<Job>,
    by_position: HashMap<String, usize>,
}

impl Jobs {
    /// Returns the job of a position, and adds it if there is none.
    fn of(&mut self, position: Position) -> &mut Job {
        let next = self.jobs.len();
        let index = *self.by_position.entry(black_to_move_sfen(&position)).or_insert(next);
        if index == next {
            self.jobs.push(Job { position, moves: Vec::new() });
        }
        &mut self.jobs[index]
    }
}

/// Returns the SFEN of a position turned so that Black is to move, with move number 1: the same text for
/// both orientations and all move numbers.
fn black_to_move_sfen(position: &Position) -> String {
    let setup = position.to_setup();
    let mut setup = if setup.side == Color::Black { setup } else { setup.flipped() };
    setup.ply = 1;
    setup.to_string()
}
