//! The interface of a queue for workers.

use std::thread::sleep;
use std::time::Duration;

use komadai_bookfile::check_move;
use komadai_bookfile::position_key::PositionKey;

use super::error::{QueueError, Refusal};
use super::job_settings::JobSettings;
use super::lease::{Lease, LeaseRequest, LeaseState, LeasedJob};
use crate::logged_analysis::LoggedAnalysis;

/// A queue as workers see it, on this machine or on others: they lease jobs, and return results.
///
/// The queue has the clock by which leases end; the clocks of workers do not matter. All methods may
/// be called from several threads at once. After [`QueueError::Unavailable`] every method may be
/// called again with the same arguments.
///
/// A job goes only to workers that have the engine that it names. A worker that has failed at a job
/// [`max_failures`](super::job_queue::QueueOptions::max_failures) times does not get it again, and
/// one that fails [five times in a row](super::job_queue::MAX_FAILURES_IN_A_ROW) gets no more jobs.
/// A queue for several machines may count the workers of one, MACHINE#1, MACHINE#2, as one here.
pub trait JobSource: Send + Sync {
    /// Leases waiting jobs to a worker, those with the highest priority first, and among these
    /// those that were planned first. Expired leases end before. Jobs for other engines than the
    /// worker's stay; they take the time of looking at those with a higher priority.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached, or gives this worker [no more jobs](Refusal::Dismissed).
    fn lease(&self, request: &LeaseRequest) -> Result<Vec<LeasedJob>, QueueError>;

    /// Reports that the worker is alive: the leases are valid for `duration_ms` milliseconds from
    /// now, unless they have ended. Returns the state of each.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn heartbeat(&self, leases: &[Lease], duration_ms: u64) -> Result<Vec<LeaseState>, QueueError>;

    /// Stores results and ends their jobs, each result with the end of its job in one transaction.
    /// Returns the outcome of each. The first result of a job counts, however late. A result that is
    /// [refused](Completion::Refused) does not affect the others.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn finish(&self, finished: &[FinishedJob]) -> Result<Vec<Completion>, QueueError>;

    /// Reports that the worker failed, with the reason.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn fail(&self, lease: &Lease, worker: &str, reason: &str)
    -> Result<FailureOutcome, QueueError>;

    /// Returns leases without a failure: their jobs wait again. Leases that have ended are passed
    /// over.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn release(&self, leases: &[Lease]) -> Result<(), QueueError>;

    /// Waits until jobs may have been added, for at most `timeout`. Returns whether they may have
    /// been. By default it only waits.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    fn wait_for_jobs(&self, timeout: Duration) -> Result<bool, QueueError> {
        sleep(timeout);
        Ok(false)
    }
}

/// A job with its result.
///
/// A queue refuses what these checks refuse:
///
/// ```
/// use komadai_book::LoggedAnalysis;
/// use komadai_book::queue::{FinishedJob, JobSettings, Lease, Refusal};
/// use komadai_core::{Analysis, AnalystId, PackedSfen, Position, Setup};
///
/// let position = Position::hirate();
/// let result = LoggedAnalysis::new(position, Analysis::default(), AnalystId::new("engine", "1"));
/// let job = PackedSfen::from_setup(&Setup::hirate())?;
/// let finished = FinishedJob { lease: Lease { job, number: 0, revision: 0 }, result };
/// assert_eq!(finished.check(), Ok(()));
/// let settings = JobSettings { engine: "other".to_owned(), ..JobSettings::default() };
/// assert!(!settings.are_for(&finished.result.analyst));
/// let refused = finished.check_analyst(&settings);
/// assert!(matches!(refused, Err(Refusal::OtherAnalyst { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedJob {
    /// The right to do the job.
    pub lease: Lease,
    /// The result. Its time and host are those of the end of the analysis: they stay the same if it
    /// is sent again.
    pub result: LoggedAnalysis,
}

impl FinishedJob {
    /// Checks the result: it must be for the position of the lease, and every line must start with a
    /// legal move or have none.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn check(&self) -> Result<(), Refusal> {
        let position = &self.result.position;
        if PositionKey::of(position)?.packed() != self.lease.job {
            return Err(Refusal::OtherPosition { found: position.to_string() });
        }
        let first_moves = self.result.analysis.lines.iter().filter_map(|line| line.pv.first());
        Ok(first_moves.copied().try_for_each(|m| check_move(position, m))?)
    }

    /// Checks that the analyst of the result may do a job with these settings.
    ///
    /// # Errors
    ///
    /// If the settings name another engine.
    pub fn check_analyst(&self, settings: &JobSettings) -> Result<(), Refusal> {
        let found = &self.result.analyst;
        if settings.are_for(found) {
            return Ok(());
        }
        Err(Refusal::OtherAnalyst { found: found.clone(), expected: settings.engine.clone() })
    }
}

/// The effect of a worker's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completion {
    /// The result was accepted.
    Accepted,
    /// The result was accepted, although the lease had ended.
    AcceptedLate,
    /// The result was ignored, because the job was done already.
    AlreadyDone,
    /// The result was refused. The job is as before, so a worker that still holds it reports a
    /// failure.
    Refused(Refusal),
}

/// The effect of a worker's failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum FailureOutcome {
    /// The job waits again, for this worker as well.
    Retried,
    /// The job waits again for other workers: this one alone has failed at it too often.
    LeftToOthers,
    /// The job is dead: no worker receives it any more.
    Dead,
    /// The failure was ignored, because the lease had ended.
    Stale,
}
