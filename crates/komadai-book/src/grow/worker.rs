//! A thread that leases jobs from a queue and completes them.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use komadai_core::{Analyst, AnalystId, Budget, Position};
use komadai_movegen::{MoveGen as _, MoveList, generate_legal};

use super::options::GrowOptions;
use crate::clock::milliseconds_since_1970;
use crate::logged_analysis::LoggedAnalysis;
use crate::queue::{Completion, FinishedJob, JobSource, LeaseRequest, LeasedJob, QueueError};

/// A message of a worker to the thread that merges results.
#[derive(Debug)]
pub(super) enum WorkerEvent {
    /// A result is in the queue.
    Finished,
    /// An analyst failed at a position.
    Failed { position: Box<Position>, reason: String },
    /// An analyst failed too often in a row.
    Dismissed { analyst: usize, reason: String },
    /// The queue failed.
    QueueFailed(QueueError),
}

/// An analyst with its record of failures.
#[derive(Debug)]
pub(super) struct Member<'a, A: ?Sized> {
    /// The index of the analyst, from 0.
    pub(super) number: usize,
    pub(super) analyst: &'a mut A,
    /// The identity of the analyst at the start of the run. The numbers of lines of jobs may change
    /// it.
    pub(super) identity: AnalystId,
    /// The number of failures in a row.
    pub(super) failures: u32,
    /// True if the analyst has failed in this round.
    pub(super) has_failed: bool,
}

impl<'a, A: Analyst + ?Sized> Member<'a, A> {
    pub(super) fn new(number: usize, analyst: &'a mut A) -> Self {
        let identity = analyst.identity();
        Self { number, analyst, identity, failures: 0, has_failed: false }
    }
}

/// The number of failures in a row after which an analyst gets no more work. A job is given up
/// after three failures, so at least two positions are behind a dismissal.
const MOST_FAILURES_IN_A_ROW: u32 = 5;

/// The duration of a lease: a week, longer than any analysis. A lease need not end by itself,
/// because only one process has the file open, and the next run ends all leases when it starts.
const LEASE_MS: u64 = 7 * 24 * 3_600 * 1_000;

/// The number of recent positions whose results an analyst is assumed to have in its hash tables.
const REMEMBERED: usize = 8;

/// The state that all threads of a round share.
#[derive(Debug)]
pub(super) struct Round<'w, Q> {
    queue: &'w Q,
    options: &'w GrowOptions,
    stop: &'w Arc<AtomicBool>,
    /// True if the round is cancelled.
    is_cancelled: AtomicBool,
    /// The number of jobs that may still be started.
    left: AtomicUsize,
}

impl<'w, Q: JobSource> Round<'w, Q> {
    pub(super) fn new(
        queue: &'w Q,
        options: &'w GrowOptions,
        stop: &'w Arc<AtomicBool>,
        positions: usize,
    ) -> Self {
        let is_cancelled = AtomicBool::new(false);
        let left = AtomicUsize::new(positions);
        Self { queue, options, stop, is_cancelled, left }
    }

    /// Makes all threads end after their current jobs.
    pub(super) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Does jobs until none is left or the analyst fails. After a failure the analyst pauses for
    /// the rest of the round, so that another one tries the failed position.
    pub(super) fn work<A: Analyst + ?Sized>(
        &self,
        member: &mut Member<'_, A>,
        events: &Sender<WorkerEvent>,
    ) {
        let mut remembered: VecDeque<Vec<u64>> = VecDeque::new();
        while let Some(job) = self.next_job(member.number, &member.identity).transpose() {
            let result = job.and_then(|job| self.job(member, &job, &mut remembered));
            let event = match result {
                Ok(Some(event)) => event,
                Ok(None) => continue,
                Err(error) => WorkerEvent::QueueFailed(error),
            };
            let failure = match &event {
                WorkerEvent::Failed { reason, .. } => Some(reason.clone()),
                WorkerEvent::QueueFailed(_) => Some(String::new()),
                _ => None,
            };
            member.has_failed |= failure.is_some();
            member.failures = if failure.is_some() { member.failures + 1 } else { 0 };
            let is_received = events.send(event).is_ok();
            match failure {
                None if is_received => {}
                Some(reason) if is_received && member.failures >= MOST_FAILURES_IN_A_ROW => {
                    let _ = events.send(WorkerEvent::Dismissed { analyst: member.number, reason });
                    return;
                }
                // The analyst has failed, or the receiver is gone because the round was cancelled.
                _ => return,
            }
        }
    }

    fn next_job(
        &self,
        number: usize,
        identity: &AnalystId,
    ) -> Result<Option<LeasedJob>, QueueError> {
        let is_over =
            || self.stop.load(Ordering::Relaxed) || self.is_cancelled.load(Ordering::Relaxed);
        let may_start = || {
            let take = |left: usize| left.checked_sub(1);
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
        };
        if is_over() || !may_start() {
            return Ok(None);
        }
        let request = LeaseRequest {
            worker: self.worker(number),
            analyst: Some(identity.clone()),
            count: 1,
            duration_ms: LEASE_MS,
        };
        let job = self.queue.lease(&request)?.into_iter().next();
        if job.is_none() {
            // What waits is for other analysts, which may start as many jobs.
            self.left.fetch_add(1, Ordering::Relaxed);
        }
        Ok(job)
    }

    /// Does one job. Returns `None` if the job was interrupted.
    fn job<A: Analyst + ?Sized>(
        &self,
        member: &mut Member<'_, A>,
        job: &LeasedJob,
        remembered: &mut VecDeque<Vec<u64>>,
    ) -> Result<Option<WorkerEvent>, QueueError> {
        let position = job.position.clone();
        let number = member.number;
        let analyst = &mut *member.analyst;
        if let Err(error) = analyst.set_lines(NonZero::new(job.settings.multi_pv)) {
            return self.fail(number, job, error.to_string()).map(Some);
        }
        let share = self.node_share(&position, remembered);
        // The analyst keeps its tables only where fewer nodes are due for them: otherwise the
        // result would depend on the order of the jobs.
        if share < 100 {
            remembered.truncate(REMEMBERED - 1);
        } else {
            analyst.forget();
            remembered.clear();
        }
        remembered.push_front(successor_keys(&position));
        let analysis = match analyst.analyse(&position, &self.budget(job, share)) {
            // The result of an interrupted search depends on the moment of the interruption.
            _ if self.stop.load(Ordering::Relaxed) => return Ok(None),
            Ok(analysis) => analysis,
            Err(error) => return self.fail(number, job, error.to_string()).map(Some),
        };
        let logged = LoggedAnalysis {
            when: milliseconds_since_1970() / 1_000,
            host: self.options.host.clone(),
            ..LoggedAnalysis::new(position, analysis, analyst.identity())
        };
        // An analysis without lines is a valid result only in a mate or stalemate position.
        if logged.analysis.lines.is_empty() && logged.position.has_legal_move() {
            let reason = "the analyst returned no line for a position with legal moves";
            return self.fail(number, job, reason.to_owned()).map(Some);
        }
        let finished = FinishedJob { lease: job.lease.clone(), result: logged };
        match self.queue.finish(&[finished])?.pop() {
            Some(Completion::Refused(refusal)) => {
                self.fail(number, job, refusal.to_string()).map(Some)
            }
            Some(Completion::Accepted | Completion::AcceptedLate) => {
                Ok(Some(WorkerEvent::Finished))
            }
            Some(Completion::AlreadyDone) | None => Ok(None),
        }
    }

    /// Returns a job to the queue.
    fn fail(
        &self,
        number: usize,
        job: &LeasedJob,
        reason: String,
    ) -> Result<WorkerEvent, QueueError> {
        self.queue.fail(&job.lease, &self.worker(number), &reason)?;
        // The failed job returns to the queue and may be started again in this round.
        self.left.fetch_add(1, Ordering::Relaxed);
        Ok(WorkerEvent::Failed { position: Box::new(job.position.clone()), reason })
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
