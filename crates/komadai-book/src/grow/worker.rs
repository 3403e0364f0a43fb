//! One thread that takes jobs from a queue and hands in results.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use komadai_core::{Analysis, Budget, Position};
use komadai_movegen::{MoveList, generate_legal};

use super::GrowOptions;
use crate::analyst::Analyst;
use crate::clock::milliseconds_since_1970;
use crate::logged_analysis::LoggedAnalysis;
use crate::queue::{Completion, JobQueue, LeaseRequest, LeasedJob};
use crate::store::StoreError;

/// What a worker tells.
#[derive(Debug)]
pub(super) enum Finding {
    /// A result was taken over.
    Merged { position: Position, analysis: Analysis },
    /// An analyst could not do it.
    Failed { position: Position, reason: String },
    /// An analyst gets no more work.
    Dismissed { analyst: usize, reason: String },
    /// The queue failed.
    Broken(StoreError),
}

/// An analyst at work.
#[derive(Debug)]
pub(super) struct Member<'a, A: ?Sized> {
    /// Which it is, from 0.
    pub(super) number: usize,
    pub(super) analyst: &'a mut A,
    /// How often it has failed in a row.
    pub(super) failures: u32,
    /// Whether it has failed in this round. Then it rests in the next one, if others do not, so that they
    /// get what it could not do.
    pub(super) has_failed: bool,
}

impl<'a, A: ?Sized> Member<'a, A> {
    pub(super) fn new(number: usize, analyst: &'a mut A) -> Self {
        Self { number, analyst, failures: 0, has_failed: false }
    }
}

/// An analyst that fails so often in a row gets no more work.
const MOST_FAILURES_IN_A_ROW: u32 = 5;

/// Leases of a process that is alive: it holds the file, and whoever opens the file next ends them.
const LEASE_MS: u64 = 7 * 24 * 3_600 * 1_000;

/// How many positions an analyst is taken to remember.
const REMEMBERED: usize = 8;

/// What all threads of a round share.
#[derive(Debug)]
pub(super) struct Worker<'w, Q> {
    queue: &'w Q,
    options: &'w GrowOptions,
    stop: &'w Arc<AtomicBool>,
    /// Set if the round is given up.
    is_over: AtomicBool,
    /// The number of jobs that may still be begun.
    left: AtomicUsize,
}

impl<'w, Q: JobQueue> Worker<'w, Q> {
    pub(super) fn new(
        queue: &'w Q,
        options: &'w GrowOptions,
        stop: &'w Arc<AtomicBool>,
        positions: usize,
    ) -> Self {
        let (is_over, left) = (AtomicBool::new(false), AtomicUsize::new(positions));
        Self { queue, options, stop, is_over, left }
    }

    /// Lets all threads end after what they are at.
    pub(super) fn give_up(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Works until there is nothing to do, or the analyst fails: what one cannot do is left to others for
    /// the rest of the round.
    pub(super) fn work<A: Analyst + ?Sized>(
        &self,
        member: &mut Member<'_, A>,
        findings: &Sender<Finding>,
    ) {
        let mut remembered: VecDeque<Vec<u64>> = VecDeque::new();
        while let Some(job) = self.next_job(member.number).transpose() {
            let result = job.and_then(|job| self.job(member.analyst, &job, &mut remembered));
            let finding = match result {
                Ok(Some(finding)) => finding,
                Ok(None) => continue,
                Err(error) => Finding::Broken(error),
            };
            let failure = match &finding {
                Finding::Failed { reason, .. } => Some(reason.clone()),
                Finding::Broken(_) => Some(String::new()),
                _ => None,
            };
            member.has_failed |= failure.is_some();
            member.failures = if failure.is_some() { member.failures + 1 } else { 0 };
            let is_heard = findings.send(finding).is_ok();
            match failure {
                None if is_heard => {}
                Some(reason) if is_heard && member.failures >= MOST_FAILURES_IN_A_ROW => {
                    let _ = findings.send(Finding::Dismissed { analyst: member.number, reason });
                    return;
                }
                // Whoever listens has gone if the round was given up.
                _ => return,
            }
        }
    }

    fn next_job(&self, number: usize) -> Result<Option<LeasedJob>, StoreError> {
        let is_over = || self.stop.load(Ordering::Relaxed) || self.is_over.load(Ordering::Relaxed);
        let may_begin = || {
            let take = |left: usize| left.checked_sub(1);
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
        };
        if is_over() || !may_begin() {
            return Ok(None);
        }
        let worker = format!("{}#{number}", self.options.host);
        let request = LeaseRequest {
            worker,
            count: 1,
            now_ms: milliseconds_since_1970(),
            duration_ms: LEASE_MS,
        };
        Ok(self.queue.lease(&request)?.into_iter().next())
    }

    /// Does one job; `None` if it was broken off.
    fn job<A: Analyst + ?Sized>(
        &self,
        analyst: &mut A,
        job: &LeasedJob,
        remembered: &mut VecDeque<Vec<u64>>,
    ) -> Result<Option<Finding>, StoreError> {
        let position = job.position.clone();
        let budget = self.budget(job, follows(&position, remembered));
        if budget.share < 100 {
            remembered.truncate(REMEMBERED - 1);
        } else {
            analyst.forget();
            remembered.clear();
        }
        remembered.push_front(successor_keys(&position));
        let analysis = match analyst.analyse(&position, &budget.budget) {
            _ if self.stop.load(Ordering::Relaxed) => return Ok(None),
            Ok(analysis) => analysis,
            Err(error) => return self.fail(job, error.to_string()).map(Some),
        };
        let mut logged = LoggedAnalysis::new(position, analysis, analyst.identity())
            .at(milliseconds_since_1970() / 1_000)
            .on(self.options.host.as_str());
        // An analysis without lines is an answer only if there is no move.
        if logged.analysis.lines.is_empty() && has_move(&logged.position) {
            return self.fail(job, "the analyst found nothing".to_owned()).map(Some);
        }
        match self.queue.complete(
            &job.lease,
            std::slice::from_ref(&logged),
            milliseconds_since_1970(),
        ) {
            Ok(Completion::AlreadyDone) => Ok(None),
            Ok(_) => {
                let analysis = std::mem::take(&mut logged.analysis);
                Ok(Some(Finding::Merged { position: logged.position, analysis }))
            }
            Err(StoreError::Entry(error)) => self.fail(job, error.to_string()).map(Some),
            Err(error) => Err(error),
        }
    }

    fn fail(&self, job: &LeasedJob, reason: String) -> Result<Finding, StoreError> {
        self.queue.fail(&job.lease, &reason)?;
        // The job may be begun again.
        self.left.fetch_add(1, Ordering::Relaxed);
        Ok(Finding::Failed { position: job.position.clone(), reason })
    }

    fn budget(&self, job: &LeasedJob, follows: Follows) -> JobBudget {
        let share = match follows {
            Follows::Parent => self.options.nodes_after_parent_percent.min(100),
            Follows::Nothing => 100,
        };
        let mut budget = Budget::unlimited().with_stop(Arc::clone(self.stop));
        if let Some(nodes) = job.settings.nodes {
            budget = budget.with_nodes((nodes * u64::from(share) / 100).max(1));
        }
        if let Some(depth) = job.settings.depth {
            budget = budget.with_depth(depth);
        }
        if let Some(time) = job.settings.time_ms {
            budget = budget.with_deadline(Instant::now() + Duration::from_millis(time));
        }
        JobBudget { budget, share }
    }
}

struct JobBudget {
    budget: Budget,
    /// Of the nodes asked for, in per cent.
    share: u32,
}

/// What an analyst has analysed before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follows {
    Parent,
    Nothing,
}

/// Whether a move leads here from one of the positions remembered, of which the keys of all successors
/// are kept.
fn follows(position: &Position, remembered: &VecDeque<Vec<u64>>) -> Follows {
    let is_after = |successors: &Vec<u64>| successors.contains(&position.key());
    if remembered.iter().any(is_after) { Follows::Parent } else { Follows::Nothing }
}

fn successor_keys(position: &Position) -> Vec<u64> {
    let mut moves = MoveList::new();
    generate_legal(position, &mut moves);
    (&moves).into_iter().map(|m| position.key_after(m)).collect()
}

fn has_move(position: &Position) -> bool {
    let mut moves = MoveList::new();
    generate_legal(position, &mut moves);
    !moves.is_empty()
}
