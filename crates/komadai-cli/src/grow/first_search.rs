//! A first value for every move that the games have played.
//!
//! The position after each such move is searched shortly. That gives the move its value, and, if the
//! position is part of the book as well, also the engine's own move there: without it the value of
//! the position would rest on what happened to be played.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use komadai::book::store::{Change, Store, StoreError};
use komadai::book::{Analyst as _, AnalystId, LoggedAnalysis, analyse_all};
use komadai::core::{Bound, Line};
use komadai::movegen::MoveGen as _;
use komadai::{Analysis, Budget, Color, Move, Position, Pv, Score};

use crate::crew::{Crew, Work};
use crate::now::now;
use crate::options::Options;
use crate::progress::Progress;

/// How many positions are taken at a time, so that memory is bounded.
const AT_A_TIME: usize = 20_000;

/// How many analyses go into the book at a time: a transaction takes as long as a short search.
const PER_TRANSACTION: usize = 32;

/// A position to search, and the moves that lead there and have no value.
struct Job {
    position: Position,
    moves: Vec<(Position, Move)>,
}

/// Searches until every move has a value.
pub(crate) fn run(store: &Store, crew: &mut Crew, options: &Options) -> anyhow::Result<Work> {
    let mut total = Work::default();
    loop {
        let jobs = jobs(store)?;
        if jobs.is_empty() || crew.is_stopped() {
            return Ok(total);
        }
        let mut progress = Progress::new("first search", jobs.len(), options.quiet);
        total += search(store, crew, &jobs, options.first_nodes, &mut progress)?;
        progress.finish();
    }
}

/// Does the jobs. What is found does not depend on the number of engines.
fn search(
    store: &Store,
    crew: &mut Crew,
    jobs: &[Job],
    nodes: u64,
    progress: &mut Progress,
) -> anyhow::Result<Work> {
    let started = Instant::now();
    let (mut work, mut changes, mut failure) = (Work::default(), Vec::new(), None);
    let positions: Vec<Position> = jobs.iter().map(|job| job.position.clone()).collect();
    let budget = Budget::nodes(nodes).with_stop(Arc::clone(&crew.stop));
    let identity = crew.analysts[0].identity();
    analyse_all(&mut crew.analysts, &positions, &budget, |index, result| {
        progress.tick(|| format!("{} nodes", work.nodes));
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
            crew.stop.store(true, Ordering::Relaxed);
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
    /// What an analysis of the position says about it and about the moves that lead there.
    fn changes(
        &self,
        store: &Store,
        found: Analysis,
        analyst: &AnalystId,
    ) -> anyhow::Result<Vec<Change>> {
        let when = now();
        let mut logged = Vec::new();
        let after = judged(&self.position, &found)?;
        if store.position(&self.position)?.is_some() {
            logged.push(LoggedAnalysis::new(self.position.clone(), found, analyst.clone()));
        }
        logged.extend(self.moves.iter().map(|(position, m)| {
            LoggedAnalysis::of_successor(position.clone(), *m, &after, analyst.clone())
        }));
        Ok(logged.into_iter().map(|logged| logged.at(when).into()).collect())
    }
}

/// The analysis, or, where the game is over because there is no move, what that means.
fn judged(position: &Position, found: &Analysis) -> anyhow::Result<Analysis> {
    if !found.lines.is_empty() {
        return Ok(found.clone());
    }
    anyhow::ensure!(!position.has_legal_move(), "the engine found nothing in {position}");
    let lost = Line { score: Score::mated_in(0), bound: Bound::Exact, pv: Pv::new() };
    Ok(Analysis { lines: vec![lost], ..found.clone() })
}

/// The positions after moves without a value, each once, and positions without any value.
fn jobs(store: &Store) -> Result<Vec<Job>, StoreError> {
    let mut jobs = Jobs::default();
    let mut valueless = Vec::new();
    store.for_each_position(|stored| {
        if jobs.jobs.len() >= AT_A_TIME {
            return Ok::<(), StoreError>(());
        }
        let position = &stored.record.position;
        for (listed, _) in stored.moves().filter(|(_, value)| value.is_none()) {
            let next = position.after(listed.m).without_history();
            jobs.of(next).moves.push((position.clone(), listed.m));
        }
        if stored.best_score().is_none() {
            valueless.push(position.clone());
        }
        Ok(())
    })?;
    // The start is the successor of nothing. Others may be successors of positions not seen yet.
    if jobs.jobs.len() < AT_A_TIME {
        for position in valueless {
            jobs.of(position);
        }
    }
    Ok(jobs.jobs)
}

#[derive(Default)]
struct Jobs {
    jobs: Vec<Job>,
    known: HashMap<String, usize>,
}

impl Jobs {
    /// The job of a position, which is added if there is none.
    fn of(&mut self, position: Position) -> &mut Job {
        let next = self.jobs.len();
        let place = *self.known.entry(identity(&position)).or_insert(next);
        if place == next {
            self.jobs.push(Job { position, moves: Vec::new() });
        }
        &mut self.jobs[place]
    }
}

/// A text that is the same for a position in both orientations and with any move number.
fn identity(position: &Position) -> String {
    let setup = position.to_setup();
    let mut setup = if setup.side == Color::Black { setup } else { setup.flipped() };
    setup.ply = 1;
    setup.to_string()
}
