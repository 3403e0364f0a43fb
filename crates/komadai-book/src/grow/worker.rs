//! A thread that leases jobs from a queue and finishes them.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use komadai_core::{Analyst, AnalystId, Budget, Position};
use komadai_movegen::{MoveGen as _, MoveList, generate_legal};

use super::crew::{Crew, Shift};
use super::options::GrowOptions;
use crate::clock::milliseconds_since_1970;
use crate::logged_analysis::LoggedAnalysis;
use crate::queue::{
    Completion, FinishedJob, JobSource, LeaseRequest, LeasedJob, QueueError, Refusal,
};

/// A message of a worker to the thread that merges results.
#[derive(Debug)]
pub(super) enum WorkerEvent {
    /// A result is in the queue.
    Finished,
    /// A worker found no job.
    Idle,
    /// An analyst failed at a position.
    Failed { position: Box<Position>, reason: String },
    /// An analyst gets no more work, because it failed too often in a row.
    Dismissed { analyst: usize, reason: String },
    /// The queue failed.
    QueueFailed(QueueError),
}

/// An analyst with its thread's memory.
#[derive(Debug)]
pub(super) struct Member<'a, A: ?Sized> {
    /// The index of the analyst, from 0.
    pub(super) number: usize,
    pub(super) analyst: &'a mut A,
    /// The identity of the analyst at the start of the run. The numbers of lines of jobs may change
    /// it.
    pub(super) identity: AnalystId,
    /// The successors of the positions that the analyst has in its tables, the newest first.
    remembered: VecDeque<Vec<u64>>,
    /// The reason of the last failure.
    last_failure: String,
}

impl<'a, A: Analyst + ?Sized> Member<'a, A> {
    pub(super) fn new(number: usize, analyst: &'a mut A) -> Self {
        let identity = analyst.identity();
        let (remembered, last_failure) = (VecDeque::new(), String::new());
        Self { number, analyst, identity, remembered, last_failure }
    }
}

/// The number of recent positions whose results an analyst is assumed to have in its hash tables.
const REMEMBERED: usize = 8;

/// The first and the longest pause before a queue that was not available is tried again.
const PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(60)];

/// The work of a thread, the same for all of a run.
#[derive(Debug)]
pub(super) struct Work<'w, Q> {
    pub(super) queue: &'w Q,
    pub(super) options: &'w GrowOptions,
    pub(super) stop: &'w Arc<AtomicBool>,
    pub(super) crew: &'w Crew,
}

impl<Q: JobSource> Work<'_, Q> {
    /// Does jobs until the run is over or the queue gives the analyst no more.
    pub(super) fn work<A: Analyst + ?Sized>(
        &self,
        member: &mut Member<'_, A>,
        events: &Sender<WorkerEvent>,
    ) {
        let shift = self.crew.shift(member.number);
        loop {
            let news = self.crew.news();
            let event = match self.try_job(member, &shift) {
                Ok(Some(event)) => event,
                Ok(None) => {
                    // The receiver lives as long as the run.
                    let _ = events.send(WorkerEvent::Idle);
                    if self.crew.wait(news) {
                        continue;
                    }
                    return;
                }
                Err(QueueError::Refused(Refusal::Dismissed { .. })) => {
                    let reason = member.last_failure.clone();
                    let _ = events.send(WorkerEvent::Dismissed { analyst: member.number, reason });
                    return;
                }
                Err(error) => {
                    let _ = events.send(WorkerEvent::QueueFailed(error));
                    return;
                }
            };
            let _ = events.send(event);
        }
    }

    /// Does one job. Returns `None` if there is none now.
    fn try_job<A: Analyst + ?Sized>(
        &self,
        member: &mut Member<'_, A>,
        shift: &Shift<'_>,
    ) -> Result<Option<WorkerEvent>, QueueError> {
        if self.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let request = || LeaseRequest {
            worker: self.worker(member.number),
            analyst: Some(member.identity.clone()),
            count: 1,
            duration_ms: 0,
        };
        let lease = || self.crew.lease(self.queue, request(), shift);
        let Some(job) = self.patiently(lease)?.flatten() else { return Ok(None) };
        let event = self.job(member, &job);
        self.crew.end_job(shift, matches!(event, Ok(Some(WorkerEvent::Finished))));
        event
    }

    /// Does a leased job. Returns `None` if it was interrupted.
    fn job<A: Analyst + ?Sized>(
        &self,
        member: &mut Member<'_, A>,
        job: &LeasedJob,
    ) -> Result<Option<WorkerEvent>, QueueError> {
        let result = match self.analyse(member, job) {
            // The result of an interrupted search depends on the moment of the interruption.
            _ if self.stop.load(Ordering::Relaxed) => {
                // A lease that is not released ends by itself.
                let _ = self.queue.release(std::slice::from_ref(&job.lease));
                return Ok(None);
            }
            Ok(result) => result,
            Err(reason) => return self.fail(member, job, reason),
        };
        let finished = [FinishedJob { lease: job.lease.clone(), result }];
        let completions = self.patiently(|| self.queue.finish(&finished))?;
        match completions.and_then(|mut completions| completions.pop()) {
            Some(Completion::Refused(Refusal::UnknownJob)) | None => Ok(None),
            Some(Completion::Refused(refusal)) => self.fail(member, job, refusal.to_string()),
            Some(Completion::AlreadyDone) => Ok(None),
            Some(Completion::Accepted | Completion::AcceptedLate) => {
                Ok(Some(WorkerEvent::Finished))
            }
        }
    }

    /// Analyses the position of a job.
    fn analyse<A: Analyst + ?Sized>(
        &self,
        member: &mut Member<'_, A>,
        job: &LeasedJob,
    ) -> Result<LoggedAnalysis, String> {
        let position = job.position.clone();
        let lines = NonZero::new(job.settings.multi_pv);
        member.analyst.set_lines(lines).map_err(|error| error.to_string())?;
        let share = self.node_share(&position, &member.remembered);
        // The analyst keeps its tables only where fewer nodes are due for them: otherwise the
        // result would depend on the order of the jobs.
        if share < 100 {
            member.remembered.truncate(REMEMBERED - 1);
        } else {
            member.analyst.forget();
            member.remembered.clear();
        }
        member.remembered.push_front(successor_keys(&position));
        let analysis = member.analyst.analyse(&position, &self.budget(job, share));
        let analysis = analysis.map_err(|error| error.to_string())?;
        // An analysis without lines is a valid result only in a mate or stalemate position.
        if analysis.lines.is_empty() && position.has_legal_move() {
            return Err("the analyst returned no line for a position with legal moves".to_owned());
        }
        Ok(LoggedAnalysis {
            when: milliseconds_since_1970() / 1_000,
            host: self.options.host.clone(),
            ..LoggedAnalysis::new(position, analysis, member.analyst.identity())
        })
    }

    /// Returns a job to the queue.
    fn fail<A: ?Sized>(
        &self,
        member: &mut Member<'_, A>,
        job: &LeasedJob,
        reason: String,
    ) -> Result<Option<WorkerEvent>, QueueError> {
        self.patiently(|| self.queue.fail(&job.lease, &self.worker(member.number), &reason))?;
        member.last_failure.clone_from(&reason);
        Ok(Some(WorkerEvent::Failed { position: Box::new(job.position.clone()), reason }))
    }

    /// Repeats a request while the queue is not available. Returns `None` if the run is over before.
    fn patiently<T>(
        &self,
        mut request: impl FnMut() -> Result<T, QueueError>,
    ) -> Result<Option<T>, QueueError> {
        let [mut pause, longest] = PAUSES;
        loop {
            match request() {
                Err(error) if error.is_temporary() => {
                    if !self.crew.pause(pause) {
                        return Ok(None);
                    }
                    pause = (2 * pause).min(longest);
                }
                done => return done.map(Some),
            }
        }
    }

    /// The name of a member in the queue.
    fn worker(&self, number: usize) -> String {
        format!("{}#{number}", self.options.host)
    }

    /// Returns the share of the node budget that is due for a position, in per cent: less than 100
    /// only if a move leads to it from a remembered position.
    fn node_share(&self, position: &Position, remembered: &VecDeque<Vec<u64>>) -> u32 {
        let key = position.key();
        if remembered.iter().any(|successors| successors.contains(&key)) {
            self.options.nodes_after_parent_percent.min(100)
        } else {
            100
        }
    }

    fn budget(&self, job: &LeasedJob, share: u32) -> Budget {
        let mut budget = match job.settings.nodes {
            Some(nodes) => {
                let due = u128::from(nodes) * u128::from(share) / 100;
                Budget::about(u64::try_from(due).unwrap_or(u64::MAX).max(1))
            }
            None => Budget::unlimited(),
        };
        budget.stop = Some(Arc::clone(self.stop));
        budget.depth = job.settings.depth;
        let time = job.settings.time_ms.map(Duration::from_millis);
        budget.deadline = time.map(|time| Instant::now() + time);
        budget
    }
}

fn successor_keys(position: &Position) -> Vec<u64> {
    let mut moves = MoveList::new();
    generate_legal(position, &mut moves);
    (&moves).into_iter().map(|m| position.key_after(m)).collect()
}
