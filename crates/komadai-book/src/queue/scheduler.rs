//! The operations of a queue on any table of jobs.

use komadai_bookfile::position_key::PositionKey;

use super::job::{Job, JobState, Raised};
use super::job_queue::QueueOptions;
use super::job_settings::NewJob;
use super::lease::{Lease, LeaseRequest, LeaseState, LeasedJob};
use super::outcome::{Completion, DeadJob, Enqueued, FailureOutcome};
use crate::store::StoreError;

/// The key of a waiting job. Keys are ordered by descending priority, then by the order of enqueueing.
pub(crate) type WaitingKey = [u8; 48];

/// The key of a leased job: the end of the lease, then the position.
pub(crate) type LeasedKey = [u8; 40];

/// Jobs by their positions, with indices of the waiting, the leased and the dead jobs.
///
/// [`put`](Self::put) keeps the indices consistent with the jobs.
pub(crate) trait JobTable {
    type Error;

    fn get(&self, key: &PositionKey) -> Result<Option<Job>, Self::Error>;
    /// Replaces the job `old` by `new`.
    fn put(&mut self, key: &PositionKey, old: Option<&Job>, new: &Job) -> Result<(), Self::Error>;
    /// Visits the positions of the waiting jobs in the order of their keys, until `visit` returns false.
    fn for_each_waiting(
        &self,
        visit: impl FnMut(&PositionKey) -> Result<bool, Self::Error>,
    ) -> Result<(), Self::Error>;
    fn first_leased(&self) -> Result<Option<LeasedKey>, Self::Error>;
    fn dead(&self) -> Result<Vec<PositionKey>, Self::Error>;
    fn next_order(&mut self) -> Result<u64, Self::Error>;
    fn next_lease(&mut self) -> Result<u64, Self::Error>;
    /// The error for a job that is invalid.
    fn corrupt(key: &PositionKey, reason: String) -> Self::Error;
}

pub(crate) fn waiting_key(key: &PositionKey, job: &Job) -> WaitingKey {
    const SIGN: u64 = 1 << 63;
    let mut waiting = [0; 48];
    // With the sign bit flipped, numbers are ordered like their big-endian bytes. The complement puts the
    // highest priority first.
    waiting[..8].copy_from_slice(&(!(job.priority as u64 ^ SIGN)).to_be_bytes());
    waiting[8..16].copy_from_slice(&job.order.to_be_bytes());
    waiting[16..].copy_from_slice(key.as_bytes());
    waiting
}

/// The position of a waiting job.
pub(crate) fn waiting_position(waiting: &WaitingKey) -> PositionKey {
    PositionKey::from_bytes(waiting[16..].try_into().expect("thirty-two bytes"))
}

pub(crate) fn leased_key(key: &PositionKey, until_ms: u64) -> LeasedKey {
    let mut leased = [0; 40];
    leased[..8].copy_from_slice(&until_ms.to_be_bytes());
    leased[8..].copy_from_slice(key.as_bytes());
    leased
}

pub(crate) fn enqueue<T: JobTable>(table: &mut T, jobs: &[NewJob]) -> Result<Enqueued, T::Error> {
    let mut enqueued = Enqueued::default();
    for new in jobs {
        let Ok(key) = PositionKey::try_of(&new.position) else {
            enqueued.unheld += 1;
            continue;
        };
        let Some(old) = table.get(&key)? else {
            let order = table.next_order()?;
            table.put(&key, None, &Job::new(new, order))?;
            enqueued.added += 1;
            continue;
        };
        let mut job = old.clone();
        let count = match job.raise(new) {
            Raised::Settings => &mut enqueued.extended,
            Raised::Priority => &mut enqueued.raised,
            Raised::Nothing => &mut enqueued.unchanged,
        };
        *count += 1;
        table.put(&key, Some(&old), &job)?;
    }
    Ok(enqueued)
}

pub(crate) fn lease<T: JobTable>(
    table: &mut T,
    request: &LeaseRequest,
) -> Result<Vec<LeasedJob>, T::Error> {
    expire(table, request.now_ms)?;
    let mut found: Vec<(PositionKey, Job)> = Vec::new();
    table.for_each_waiting(|key| {
        if found.len() < request.count {
            let job = existing(table, key)?;
            if request.accepts(&job.settings) {
                found.push((*key, job));
            }
        }
        Ok(found.len() < request.count)
    })?;
    let mut leased = Vec::new();
    for (key, old) in found {
        let mut job = old.clone();
        job.grant(table.next_lease()?, request);
        table.put(&key, Some(&old), &job)?;
        leased.extend(job.to_leased(&key).map_err(|reason| T::corrupt(&key, reason))?);
    }
    Ok(leased)
}

/// Extends a lease; `None` if there is no such job, as in the functions below.
pub(crate) fn heartbeat<T: JobTable>(
    table: &mut T,
    lease: &Lease,
    until_ms: u64,
) -> Result<Option<LeaseState>, T::Error> {
    change(table, lease, |job| match job.prolong(lease, until_ms) {
        true => LeaseState::Held,
        false => LeaseState::Lost,
    })
}

pub(crate) fn complete<T: JobTable>(
    table: &mut T,
    lease: &Lease,
) -> Result<Option<Completion>, T::Error> {
    change(table, lease, |job| job.complete(lease))
}

pub(crate) fn fail<T: JobTable>(
    table: &mut T,
    lease: &Lease,
    reason: &str,
    options: QueueOptions,
) -> Result<Option<FailureOutcome>, T::Error> {
    change(table, lease, |job| job.fail(lease, reason, options.max_failures))
}

pub(crate) fn expire<T: JobTable>(table: &mut T, now_ms: u64) -> Result<usize, T::Error> {
    let mut expired = 0;
    while let Some(leased) = table.first_leased()? {
        let (until, key) = leased.split_at(8);
        // Keys are ordered by the ends of the leases, so all others end later.
        if u64::from_be_bytes(until.try_into().expect("eight bytes")) > now_ms {
            break;
        }
        let key = PositionKey::from_bytes(key.try_into().expect("thirty-two bytes"));
        let old = existing(table, &key)?;
        let mut job = old.clone();
        job.expire();
        table.put(&key, Some(&old), &job)?;
        expired += 1;
    }
    Ok(expired)
}

pub(crate) fn dead<T: JobTable>(table: &T) -> Result<Vec<DeadJob>, T::Error> {
    let mut dead = Vec::new();
    for key in table.dead()? {
        let job = existing(table, &key)?;
        dead.push(job.to_dead(&key).map_err(|reason| T::corrupt(&key, reason))?);
    }
    Ok(dead)
}

fn change<T: JobTable, R>(
    table: &mut T,
    lease: &Lease,
    f: impl FnOnce(&mut Job) -> R,
) -> Result<Option<R>, T::Error> {
    let key = &PositionKey::from_packed(&lease.job);
    let Some(old) = table.get(key)? else { return Ok(None) };
    let mut job = old.clone();
    let outcome = f(&mut job);
    table.put(key, Some(&old), &job)?;
    Ok(Some(outcome))
}

/// The job that an index names. A missing job is an error: the index would return its key again and again.
fn existing<T: JobTable>(table: &T, key: &PositionKey) -> Result<Job, T::Error> {
    let job = table.get(key)?;
    job.ok_or_else(|| T::corrupt(key, "an index names it, but it does not exist".to_owned()))
}

/// The outcome, or the error for a job that is not in the queue.
pub(crate) fn known<T>(lease: &Lease, outcome: Option<T>) -> Result<T, StoreError> {
    outcome.ok_or(StoreError::UnknownJob { number: lease.number })
}

/// The entry of a job in the indices.
pub(crate) enum Place {
    Waiting(WaitingKey),
    Leased(LeasedKey),
    Dead,
    Nowhere,
}

impl Place {
    pub(crate) fn of(key: &PositionKey, job: &Job) -> Self {
        match job.state {
            JobState::Waiting => Self::Waiting(waiting_key(key, job)),
            JobState::Leased { until_ms, .. } => Self::Leased(leased_key(key, until_ms)),
            JobState::Dead => Self::Dead,
            JobState::Done => Self::Nowhere,
        }
    }
}
