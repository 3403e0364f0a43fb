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

use crate::queue::{JobQueue, NewJob, QueueOptions};
use crate::run_error::RunError;
use crate::store::{Store, StoreError};
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
    /// hold. Jobs that an earlier run left in the queue are done first; those that
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

/// A run in progress.
struct Growth<'g, Q> {
    store: &'g Store,
    graph: &'g mut BookGraph,
    queue: &'g Q,
    options: &'g GrowOptions,
    stop: &'g Arc<AtomicBool>,
    /// The positions that this run has tried to enqueue.
    selected_before: HashSet<PositionKey>,
    /// The keys of selected positions that a book cannot hold.
    unheld: HashSet<u64>,
    grown: Grown,
}

/// The number of waiting jobs for engines that are none of the analysts, by engine.
fn others_wait(
    queue: &impl JobQueue,
    analysts: &[AnalystId],
) -> Result<BTreeMap<String, u64>, StoreError> {
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
        loop {
            self.grown.end = self.end(members.is_empty());
            if self.grown.end != GrowEnd::Exhausted {
                return Ok(());
            }
            let mut waiting = self.waiting(members)?;
            if waiting == 0 {
                self.enqueue(members, select)?;
                waiting = self.waiting(members)?;
            }
            if waiting == 0 {
                return Ok(());
            }
            let left = self.options.positions - self.grown.analysed;
            let positions = left.min(usize::try_from(waiting).unwrap_or(usize::MAX));
            self.grown.rounds += 1;
            on_event(GrowEvent::Round { number: self.grown.rounds, positions });
            self.round(members, positions, on_event)?;
        }
    }

    /// Returns the number of waiting jobs that one of the members may do.
    fn waiting<A>(&self, members: &[Member<'_, A>]) -> Result<u64, StoreError> {
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

    /// Enqueues a round of selected positions that have not been analysed before.
    fn enqueue<A>(
        &mut self,
        members: &[Member<'_, A>],
        select: &mut dyn FnMut(&BookGraph) -> Vec<Position>,
    ) -> Result<(), RunError> {
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
                    // The queue keeps the order of enqueueing among jobs of equal priority.
                    let settings = self.options.settings.clone();
                    jobs.push(NewJob { position, priority: 0, settings });
                }
            }
            let enqueued = self.queue.enqueue(&jobs)?;
            // The queue refuses positions that an earlier run has analysed: select others instead.
            // Settings that were raised may be those of a job for an engine that none of the
            // members is.
            wanted = match enqueued.extended {
                0 => wanted - enqueued.added.min(wanted),
                _ => most.saturating_sub(self.waiting(members)?.try_into().unwrap_or(usize::MAX)),
            };
        }
        self.grown.unheld = self.unheld.len();
        Ok(())
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
                WorkerEvent::Merged { position, analysis } => {
                    let updated = refresh(self.store, self.graph, [&position])?;
                    self.grown.analysed += 1;
                    self.grown.nodes += analysis.nodes;
                    let position = &position;
                    let analysis = &analysis;
                    let graph = &*self.graph;
                    on_event(GrowEvent::Analysed { position, analysis, updated, graph });
                }
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
}
