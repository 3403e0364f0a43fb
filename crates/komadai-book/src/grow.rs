//! The loop by which a book grows: select, analyse, merge, propagate.
//!
//! The selected positions become jobs in the queue of the book's own file. Each result is merged in
//! the same transaction that completes its job. The loop can therefore end at any moment, even by a
//! crash: finished analyses are in the file, and the other jobs wait there for the next run.

mod event;
mod grower;
mod options;
mod worker;

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use komadai_bookfile::position_key::PositionKey;
use komadai_bookgraph::BookGraph;
use komadai_core::{Analyst, AnalystId, Position};

use crate::queue::{
    JobQueue, JobSettings, NewJob, PlanChanges, QueueError, QueueOptions, QueuedResult,
};
use crate::run_error::RunError;
use crate::store::{Change, Store};
use crate::working_book::{WorkingBook, refresh};
use worker::{Member, Round, WorkerEvent};

pub use event::{GrowEnd, GrowEvent, Grown};
pub use grower::Grower;
pub use options::GrowOptions;

impl WorkingBook {
    /// Grows the book in rounds: selects positions, analyses them with one thread per analyst,
    /// merges the results and propagates their values.
    ///
    /// `select` returns positions, the most urgent first. Positions that have been analysed with
    /// these settings, or have been given up, are skipped, and so are positions that a book cannot
    /// hold. Jobs that an earlier run left in the queue are done first, unless they have other
    /// settings than `options` for the same engine and generation; those that
    /// [name](crate::queue::JobSettings::engine) an engine that none of the analysts is are left to
    /// others. Setting `stop` ends the run; an analysis that is interrupted is repeated in the next
    /// run. With a node budget and independent analyses the result does not depend on the number of
    /// analysts. An analyst [finds](Analyst::set_lines) as many lines as a job states.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn grow<A: Analyst>(
        &mut self,
        analysts: &mut [A],
        options: &GrowOptions,
        stop: &Arc<AtomicBool>,
        select: &mut dyn FnMut(&BookGraph) -> Vec<Position>,
        on_event: &mut dyn FnMut(GrowEvent<'_>),
    ) -> Result<Grown, RunError> {
        let (store, graph) = self.parts();
        let queue = store.queue(QueueOptions::default());
        // Only one process has the file open, so the workers of all existing leases have ended.
        queue.end_leases()?;
        withdraw_others(&queue, &options.settings)?;
        let mut growth = Growth {
            store,
            graph,
            queue: &queue,
            options,
            stop,
            selected_before: HashSet::new(),
            unheld: HashSet::new(),
            grown: Grown::default(),
        };
        let members = analysts.iter_mut().enumerate();
        let mut members: Vec<Member<'_, A>> =
            members.map(|(number, analyst)| Member::new(number, analyst)).collect();
        let identities: Vec<AnalystId> =
            members.iter().map(|member| member.identity.clone()).collect();
        growth.run(&mut members, select, on_event)?;
        let others = others_wait(&queue, &identities)?;
        growth.grown.waiting_for_others = others.values().sum();
        if !others.is_empty() {
            on_event(GrowEvent::OthersWait { jobs: &others });
        }
        // The analysts find their own number of lines again. One that cannot is gone, which its
        // next use tells.
        members.iter_mut().for_each(|member| drop(member.analyst.set_lines(None)));
        Ok(growth.grown)
    }
}

/// Withdraws what an earlier run of the same engine and generation selected for other settings.
/// Jobs for other engines or generations belong to other plans.
fn withdraw_others(queue: &impl JobQueue, wanted: &JobSettings) -> Result<(), QueueError> {
    let is_other = |job: &NewJob| job.settings.are_of_plan(wanted) && job.settings != *wanted;
    let waiting = queue.waiting(usize::MAX)?;
    let others = waiting.into_iter().filter(is_other).map(|job| job.position).collect();
    queue.plan(&PlanChanges::withdrawn(others))?;
    Ok(())
}

/// A run in progress.
struct Growth<'g, Q> {
    store: &'g Store,
    graph: &'g mut BookGraph,
    queue: &'g Q,
    options: &'g GrowOptions,
    stop: &'g Arc<AtomicBool>,
    /// The positions that this run has tried to plan.
    selected_before: HashSet<PositionKey>,
    /// The keys of selected positions that a book cannot hold.
    unheld: HashSet<u64>,
    grown: Grown,
}

/// The number of waiting jobs for engines that are none of the analysts, by engine.
fn others_wait(
    queue: &impl JobQueue,
    analysts: &[AnalystId],
) -> Result<BTreeMap<String, u64>, QueueError> {
    let mut waiting = queue.waiting_by_engine()?;
    waiting.retain(|engine, _| !are_for_one_of(engine, analysts.iter()));
    Ok(waiting)
}

/// Returns whether jobs that name this engine are for one of the analysts.
fn are_for_one_of<'a>(engine: &str, mut analysts: impl Iterator<Item = &'a AnalystId>) -> bool {
    engine.is_empty() || analysts.any(|analyst| analyst.is_named(engine))
}

impl<Q: JobQueue> Growth<'_, Q> {
    fn run<A: Analyst>(
        &mut self,
        members: &mut Vec<Member<'_, A>>,
        select: &mut dyn FnMut(&BookGraph) -> Vec<Position>,
        on_event: &mut dyn FnMut(GrowEvent<'_>),
    ) -> Result<(), RunError> {
        let mut is_stuck = false;
        loop {
            self.grown.end = self.end(members.is_empty());
            if self.grown.end != GrowEnd::Exhausted {
                return Ok(());
            }
            let mut waiting = self.waiting(members)?;
            if waiting == 0 || is_stuck {
                is_stuck &= self.plan(members, select)? == 0;
                waiting = self.waiting(members)?;
            }
            if waiting == 0 || is_stuck {
                return Ok(());
            }
            let left = self.options.positions - self.grown.analysed;
            let positions = left.min(usize::try_from(waiting).unwrap_or(usize::MAX));
            self.grown.rounds += 1;
            on_event(GrowEvent::Round { number: self.grown.rounds, positions });
            let before = (self.grown.analysed, self.grown.failures);
            self.round(members, positions, on_event)?;
            // The members have failed too often at what still waits.
            is_stuck = before == (self.grown.analysed, self.grown.failures);
        }
    }

    /// Returns the number of waiting jobs that one of the members may do.
    fn waiting<A>(&self, members: &[Member<'_, A>]) -> Result<u64, QueueError> {
        let waiting = self.queue.waiting_by_engine()?;
        let is_ours =
            |engine: &str| are_for_one_of(engine, members.iter().map(|member| &member.identity));
        Ok(waiting.iter().filter(|(engine, _)| is_ours(engine)).map(|(_, jobs)| jobs).sum())
    }

    /// Returns the reason why no further round may start; `Exhausted` if only a lack of positions
    /// can end the run.
    fn end(&self, no_analysts: bool) -> GrowEnd {
        if self.stop.load(Ordering::Relaxed) {
            GrowEnd::Stopped
        } else if self.grown.analysed >= self.options.positions {
            GrowEnd::Enough
        } else if no_analysts {
            GrowEnd::NoAnalysts
        } else {
            GrowEnd::Exhausted
        }
    }

    /// Plans a round of selected positions that have not been analysed before, and returns the
    /// number of new or changed jobs.
    fn plan<A>(
        &mut self,
        members: &[Member<'_, A>],
        select: &mut dyn FnMut(&BookGraph) -> Vec<Position>,
    ) -> Result<usize, RunError> {
        let mut added = 0;
        let left = self.options.positions - self.grown.analysed;
        let mut selected: VecDeque<Position> = select(self.graph).into();
        let most = self.options.per_round.min(left).max(1);
        let mut wanted = most;
        while wanted > 0 && !selected.is_empty() {
            let mut jobs = Vec::new();
            while jobs.len() < wanted
                && let Some(position) = selected.pop_front()
            {
                let Ok(key) = PositionKey::try_of(&position) else {
                    self.unheld.insert(position.key());
                    continue;
                };
                if self.selected_before.insert(key) {
                    // The queue keeps the order of planning among jobs of equal priority.
                    let settings = self.options.settings.clone();
                    jobs.push(NewJob { position, priority: 0, settings });
                }
            }
            let planned = self.queue.plan(&PlanChanges::wanted(jobs))?;
            added += planned.added + planned.extended;
            // The queue refuses positions that an earlier run has analysed: select others instead.
            // Settings that were raised may be those of a job for an engine that none of the
            // members is.
            wanted = match planned.extended {
                0 => wanted - planned.added.min(wanted),
                _ => most.saturating_sub(self.waiting(members)?.try_into().unwrap_or(usize::MAX)),
            };
        }
        self.grown.unheld = self.unheld.len();
        Ok(added)
    }

    /// Analyses at most `positions` jobs of the queue, and removes the members that fail too often.
    fn round<A: Analyst>(
        &mut self,
        members: &mut Vec<Member<'_, A>>,
        positions: usize,
        on_event: &mut dyn FnMut(GrowEvent<'_>),
    ) -> Result<(), RunError> {
        let (sender, events) = mpsc::channel();
        let round = Round::new(self.queue, self.options, self.stop, positions);
        let mut dismissed = Vec::new();
        let end = thread::scope(|scope| {
            let all_failed = members.iter().all(|member| member.has_failed);
            for member in members.iter_mut() {
                // A member that failed rests for a round, so that others get the failed jobs.
                if std::mem::take(&mut member.has_failed) && !all_failed {
                    continue;
                }
                let sender = sender.clone();
                let round = &round;
                scope.spawn(move || round.work(member, &sender));
            }
            // The receiver ends when the last sender of a thread is dropped.
            drop(sender);
            let end = self.process(&events, &mut dismissed, on_event);
            if end.is_err() {
                round.cancel();
            }
            end
        });
        members.retain(|member| !dismissed.contains(&member.number));
        end
    }

    /// Merges results into the graph and passes on events until all threads have ended.
    fn process(
        &mut self,
        events: &Receiver<WorkerEvent>,
        dismissed: &mut Vec<usize>,
        on_event: &mut dyn FnMut(GrowEvent<'_>),
    ) -> Result<(), RunError> {
        for event in events {
            match event {
                WorkerEvent::Finished => self.merge(on_event)?,
                WorkerEvent::Failed { position, reason } => {
                    self.grown.failures += 1;
                    on_event(GrowEvent::Failed { position: &position, reason: &reason });
                }
                WorkerEvent::Dismissed { analyst, reason } => {
                    dismissed.push(analyst);
                    on_event(GrowEvent::Dismissed { analyst, reason: &reason });
                }
                WorkerEvent::QueueFailed(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Merges the results of the queue into the store and the graph.
    fn merge(&mut self, on_event: &mut dyn FnMut(GrowEvent<'_>)) -> Result<(), RunError> {
        const MOST: usize = 1_000;
        loop {
            let results = self.queue.results(MOST)?;
            if results.is_empty() {
                return Ok(());
            }
            self.merge_into_store(&results)?;
            for QueuedResult { result, .. } in &results {
                let position = &result.position;
                let updated = refresh(self.store, self.graph, [position])?;
                self.grown.analysed += 1;
                self.grown.nodes += result.analysis.nodes;
                let graph = &*self.graph;
                let analysis = &result.analysis;
                on_event(GrowEvent::Analysed { position, analysis, updated, graph });
            }
            let ids: Vec<u64> = results.iter().map(|result| result.id).collect();
            self.queue.merged(&ids)?;
        }
    }

    /// Merges what the store does not hold: the queue of a store has merged it already, and one that
    /// was not told of a merge passes it on again.
    fn merge_into_store(&self, results: &[QueuedResult]) -> Result<(), RunError> {
        let mut new = Vec::new();
        for QueuedResult { result, .. } in results {
            if !self.store.holds(result)? {
                new.push(Change::Analysis(result.clone()));
            }
        }
        if !new.is_empty() {
            self.store.merge_batch(&new)?;
        }
        Ok(())
    }
}
