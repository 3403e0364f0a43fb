//! The loop by which a book grows: select, analyse, merge, propagate.
//!
//! Whatever is selected becomes jobs in the queue of the book's own file, and each result is merged and its
//! job done in one transaction. So the loop can end at any moment, by whatever cause: what was finished is
//! there, and what was not waits to be done when it is run again.

mod error;
mod worker;

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use komadai_core::{Analysis, Position};

use crate::analyst::Analyst;
use crate::queue::{JobQueue, JobSettings, NewJob, QueueOptions};
use crate::working_book::{WorkingBook, refresh};
use komadai_bookfile::position_key::PositionKey;
use komadai_bookgraph::{BookGraph, Updated};
use worker::{Finding, Member, Worker};

pub use error::GrowError;

/// How a book grows.
///
/// # Examples
///
/// ```
/// use komadai_book::GrowOptions;
/// use komadai_book::queue::JobSettings;
///
/// let settings = JobSettings { nodes: Some(1_000_000), ..JobSettings::default() };
/// let options = GrowOptions { positions: 10_000, ..GrowOptions::new(settings) };
/// assert_eq!(options.per_round, 64);
/// ```
#[derive(Debug, Clone)]
pub struct GrowOptions {
    /// What is to be known of each position.
    pub settings: JobSettings,
    /// The most positions to analyse.
    pub positions: usize,
    /// The number of positions that are selected at a time. More keep many analysts busy; fewer follow the
    /// values more closely.
    pub per_round: usize,
    /// Which part of the nodes is enough for a position if the analyst has just analysed the position before
    /// it, in per cent: what it has learned there it keeps then. 100 makes every analysis independent of
    /// those before.
    pub nodes_after_parent_percent: u32,
    /// The name of the machine, for the log.
    pub host: String,
}

impl GrowOptions {
    /// As many positions as can be found, 64 at a time, each by itself.
    #[must_use]
    pub fn new(settings: JobSettings) -> Self {
        Self {
            settings,
            positions: usize::MAX,
            per_round: 64,
            nodes_after_parent_percent: 100,
            host: String::new(),
        }
    }
}

/// What happens while a book grows.
#[derive(Debug)]
#[non_exhaustive]
pub enum GrowEvent<'a> {
    /// A round begins.
    Round {
        /// Its number, from 1.
        number: u32,
        /// The number of positions to be analysed in it.
        positions: usize,
    },
    /// A position was analysed, and the result merged.
    Analysed {
        /// The position.
        position: &'a Position,
        /// What was found.
        analysis: &'a Analysis,
        /// What it has changed.
        updated: Updated,
        /// The book as it is now.
        graph: &'a BookGraph,
    },
    /// An analyst failed; the position will be tried again, up to three times in all.
    Failed {
        /// The position.
        position: &'a Position,
        /// What happened.
        reason: &'a str,
    },
    /// An analyst failed time and again, and gets no more work.
    Dismissed {
        /// Which of them, from 0.
        analyst: usize,
        /// What happened last.
        reason: &'a str,
    },
}

/// What growing has brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Grown {
    /// The number of positions analysed.
    pub analysed: usize,
    /// The number of failures.
    pub failures: usize,
    /// The nodes visited.
    pub nodes: u64,
    /// The number of rounds.
    pub rounds: u32,
    /// Why it ended.
    pub end: GrowEnd,
}

/// Why growing ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum GrowEnd {
    /// Nothing was left to be selected.
    #[default]
    Exhausted,
    /// As many positions as asked for have been analysed.
    Enough,
    /// The flag was set.
    Stopped,
    /// No analyst was left.
    NoAnalysts,
}

impl WorkingBook {
    /// Lets the book grow: what `select` chooses is analysed, by as many threads as there are analysts,
    /// merged and propagated, and so on.
    ///
    /// `select` gives positions, most urgent first; those that were analysed with these settings already, or
    /// given up, are passed over. What an earlier run left waiting is done first. `stop` ends it: analyses
    /// that are not finished then are done anew when it is run again. With a budget in nodes, and analyses
    /// independent of each other, the result does not depend on the number of analysts.
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
        hear: &mut dyn FnMut(GrowEvent<'_>),
    ) -> Result<Grown, GrowError> {
        let (store, graph) = self.parts();
        let queue = store.queue(QueueOptions::default());
        // Whoever had leases is not alive any more: the file is open once at a time.
        queue.expire(u64::MAX)?;
        let mut growth = Growth {
            store,
            graph,
            queue: &queue,
            options,
            stop,
            passed_over: HashSet::new(),
            grown: Grown::default(),
        };
        let members = analysts.iter_mut().enumerate();
        let mut crew: Vec<Member<'_, A>> =
            members.map(|(number, analyst)| Member::new(number, analyst)).collect();
        growth.run(&mut crew, select, hear)?;
        Ok(growth.grown)
    }
}

struct Growth<'g, Q> {
    store: &'g crate::store::Store,
    graph: &'g mut BookGraph,
    queue: &'g Q,
    options: &'g GrowOptions,
    stop: &'g Arc<AtomicBool>,
    /// Positions of this run that need not be enqueued again.
    passed_over: HashSet<PositionKey>,
    grown: Grown,
}

impl<Q: JobQueue> Growth<'_, Q> {
    fn run<A: Analyst>(
        &mut self,
        crew: &mut Vec<Member<'_, A>>,
        select: &mut dyn FnMut(&BookGraph) -> Vec<Position>,
        hear: &mut dyn FnMut(GrowEvent<'_>),
    ) -> Result<(), GrowError> {
        loop {
            self.grown.end = if self.stop.load(Ordering::Relaxed) {
                GrowEnd::Stopped
            } else if self.grown.analysed >= self.options.positions {
                GrowEnd::Enough
            } else if crew.is_empty() {
                GrowEnd::NoAnalysts
            } else {
                GrowEnd::Exhausted
            };
            if self.grown.end != GrowEnd::Exhausted {
                return Ok(());
            }
            let mut waiting = self.queue.counts()?.waiting;
            if waiting == 0 {
                self.enqueue(select)?;
                waiting = self.queue.counts()?.waiting;
            }
            if waiting == 0 {
                return Ok(());
            }
            let left = self.options.positions - self.grown.analysed;
            let positions = left.min(usize::try_from(waiting).unwrap_or(usize::MAX));
            self.grown.rounds += 1;
            hear(GrowEvent::Round { number: self.grown.rounds, positions });
            self.round(crew, positions, hear)?;
        }
    }

    /// Makes jobs of what is selected and was not analysed before.
    fn enqueue(
        &mut self,
        select: &mut dyn FnMut(&BookGraph) -> Vec<Position>,
    ) -> Result<(), GrowError> {
        let left = self.options.positions - self.grown.analysed;
        let mut selected: VecDeque<Position> = select(self.graph).into();
        let mut wanted = self.options.per_round.min(left).max(1);
        while wanted > 0 && !selected.is_empty() {
            let mut jobs = Vec::new();
            while jobs.len() < wanted
                && let Some(position) = selected.pop_front()
            {
                let key = PositionKey::try_of(&position);
                let is_new = key.is_ok_and(|key| self.passed_over.insert(key));
                if is_new {
                    // Jobs enqueued first are done first among equals.
                    let settings = self.options.settings.clone();
                    jobs.push(NewJob { position, priority: 0, settings });
                }
            }
            let enqueued = self.queue.enqueue(&jobs)?;
            // Some may have been analysed in an earlier run.
            wanted -= (enqueued.added + enqueued.extended).min(wanted);
        }
        Ok(())
    }

    fn round<A: Analyst>(
        &mut self,
        crew: &mut Vec<Member<'_, A>>,
        positions: usize,
        hear: &mut dyn FnMut(GrowEvent<'_>),
    ) -> Result<(), GrowError> {
        let (sender, findings) = mpsc::channel();
        let worker = Worker::new(self.queue, self.options, self.stop, positions);
        let mut dismissed = Vec::new();
        let end = thread::scope(|scope| {
            let all_failed = crew.iter().all(|member| member.has_failed);
            for member in crew.iter_mut() {
                if std::mem::take(&mut member.has_failed) && !all_failed {
                    continue;
                }
                let (sender, worker) = (sender.clone(), &worker);
                scope.spawn(move || worker.work(member, &sender));
            }
            drop(sender);
            let end = self.take_in(&findings, &mut dismissed, hear);
            if end.is_err() {
                worker.give_up();
            }
            end
        });
        crew.retain(|member| !dismissed.contains(&member.number));
        end
    }

    fn take_in(
        &mut self,
        findings: &Receiver<Finding>,
        dismissed: &mut Vec<usize>,
        hear: &mut dyn FnMut(GrowEvent<'_>),
    ) -> Result<(), GrowError> {
        for finding in findings {
            match finding {
                Finding::Merged { position, analysis } => {
                    let updated = refresh(self.store, self.graph, [&position])?;
                    self.grown.analysed += 1;
                    self.grown.nodes += analysis.nodes;
                    let (position, analysis, graph) = (&position, &analysis, &*self.graph);
                    hear(GrowEvent::Analysed { position, analysis, updated, graph });
                }
                Finding::Failed { position, reason } => {
                    self.grown.failures += 1;
                    hear(GrowEvent::Failed { position: &position, reason: &reason });
                }
                Finding::Dismissed { analyst, reason } => {
                    dismissed.push(analyst);
                    hear(GrowEvent::Dismissed { analyst, reason: &reason });
                }
                Finding::Broken(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}
