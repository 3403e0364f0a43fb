//! The operations of the queue on the tables of a store.

use komadai_bookfile::position_key::PositionKey;
use redb::{ReadableTable as _, Table, WriteTransaction};

use super::job::{Changed, Holder, Job, JobState};
use super::job_queue::{DeadJob, PlanChanges, Planned};
use super::job_source::FailureOutcome;
use super::lease::{Lease, LeaseRequest, LeasedJob};
use crate::store::{
    JOBS, JOBS_DEAD, JOBS_FAILURES, JOBS_LEASED, JOBS_WAITING, KeyBytes, NEXT_JOB, NEXT_LEASE,
    NUMBERS, StoreFault, decode, encode, take_number,
};

/// The key of a waiting job. Keys are ordered by descending priority, then by the order of
/// planning.
type WaitingKey = [u8; 48];

/// The key of a leased job: the end of the lease, then the position.
type LeasedKey = [u8; 40];

/// The jobs by their positions, with indices of the waiting, the leased and the dead jobs: the
/// tables of the queue, opened in one transaction.
///
/// [`put`](Self::put) keeps the indices consistent with the jobs.
pub(super) struct Jobs<'t> {
    transaction: &'t WriteTransaction,
    jobs: Table<'t, &'static KeyBytes, &'static [u8]>,
    waiting: Table<'t, &'static WaitingKey, ()>,
    leased: Table<'t, &'static LeasedKey, ()>,
    dead: Table<'t, &'static KeyBytes, ()>,
    numbers: Table<'t, &'static str, u64>,
}

impl<'t> Jobs<'t> {
    pub(super) fn open(transaction: &'t WriteTransaction) -> Result<Self, StoreFault> {
        Ok(Self {
            transaction,
            jobs: transaction.open_table(JOBS)?,
            waiting: transaction.open_table(JOBS_WAITING)?,
            leased: transaction.open_table(JOBS_LEASED)?,
            dead: transaction.open_table(JOBS_DEAD)?,
            numbers: transaction.open_table(NUMBERS)?,
        })
    }

    pub(super) fn plan(&mut self, changes: &PlanChanges) -> Result<Planned, StoreFault> {
        let mut planned = Planned::default();
        for position in &changes.withdrawn {
            let Ok(key) = PositionKey::try_of(position) else { continue };
            planned.withdrawn += usize::from(self.withdraw(&key)?);
        }
        for new in &changes.wanted {
            let Ok(key) = PositionKey::try_of(&new.position) else {
                planned.unheld += 1;
                continue;
            };
            let Some(old) = self.get(&key)? else {
                let order = take_number(&mut self.numbers, NEXT_JOB)?;
                self.put(&key, None, &Job::new(new, order))?;
                planned.added += 1;
                continue;
            };
            let mut job = old.clone();
            let count = match job.change(new) {
                Changed::Settings => &mut planned.extended,
                Changed::Raised => &mut planned.raised,
                Changed::Lowered => &mut planned.lowered,
                Changed::Nothing => &mut planned.unchanged,
            };
            *count += 1;
            if job != old {
                self.forget_failures(&key, &old, &job)?;
                self.put(&key, Some(&old), &job)?;
            }
        }
        Ok(planned)
    }

    /// Removes the job of a position if it waits.
    fn withdraw(&mut self, key: &PositionKey) -> Result<bool, StoreFault> {
        let Some(job) = self.get(key)? else { return Ok(false) };
        if job.state != JobState::Waiting {
            return Ok(false);
        }
        if job.failures > 0 {
            self.failures()?.remove(key.as_bytes())?;
        }
        self.waiting.remove(&waiting_key(key, &job))?;
        self.jobs.remove(key.as_bytes())?;
        Ok(true)
    }

    pub(super) fn lease(
        &mut self,
        request: &LeaseRequest,
        holder: Holder,
        max_failures: u32,
        now_ms: u64,
    ) -> Result<Vec<LeasedJob>, StoreFault> {
        self.expire(now_ms)?;
        let mut found: Vec<(PositionKey, Job)> = Vec::new();
        for row in self.waiting.iter()? {
            if found.len() >= request.count {
                break;
            }
            let key = waiting_position(row?.0.value());
            let job = self.existing(&key)?;
            let is_own = request.analyst.as_ref().is_none_or(|own| job.settings.are_for(own));
            if is_own && !self.is_excluded(&key, &job, &request.worker, max_failures)? {
                found.push((key, job));
            }
        }
        let mut leased = Vec::new();
        for (key, old) in found {
            let mut job = old.clone();
            job.grant(take_number(&mut self.numbers, NEXT_LEASE)?, request, holder, now_ms);
            self.put(&key, Some(&old), &job)?;
            leased.extend(job.to_leased(&key, now_ms).map_err(|reason| corrupt(&key, reason))?);
        }
        Ok(leased)
    }

    /// Returns whether a worker has failed at a job too often.
    fn is_excluded(
        &self,
        key: &PositionKey,
        job: &Job,
        worker: &str,
        max_failures: u32,
    ) -> Result<bool, StoreFault> {
        // The most frequent case needs no look into the table.
        if job.failures < max_failures {
            return Ok(false);
        }
        let failures = self.failures_of(key)?;
        Ok(failures.iter().any(|(name, count)| name == worker && *count >= max_failures))
    }

    /// Records the failure of a worker.
    pub(super) fn fail(
        &mut self,
        lease: &Lease,
        worker: &str,
        reason: &str,
        max_failures: u32,
    ) -> Result<FailureOutcome, StoreFault> {
        let key = PositionKey::from_packed(&lease.job);
        let Some(old) = self.get(&key)?.filter(|job| job.is_held_by(lease)) else {
            return Ok(FailureOutcome::Stale);
        };
        let mut failures = self.failures_of(&key)?;
        let place = failures.iter().position(|(name, _)| name == worker);
        let place = place.unwrap_or_else(|| {
            failures.push((worker.to_owned(), 0));
            failures.len() - 1
        });
        failures[place].1 += 1;
        let of_worker = failures[place].1;
        let mut job = old.clone();
        job.fail(reason, failures.len() >= 2 && old.failures + 1 >= max_failures);
        self.failures()?.insert(key.as_bytes(), encode(&failures).as_slice())?;
        self.put(&key, Some(&old), &job)?;
        Ok(match job.state {
            JobState::Dead => FailureOutcome::Dead,
            _ if of_worker >= max_failures => FailureOutcome::LeftToOthers,
            _ => FailureOutcome::Retried,
        })
    }

    /// Forgets the failures of the job of a position. Returns whether there were any.
    pub(super) fn revive(&mut self, key: &PositionKey) -> Result<bool, StoreFault> {
        let Some(old) = self.get(key)?.filter(|job| job.failures > 0) else { return Ok(false) };
        let mut job = old.clone();
        job.revive();
        self.forget_failures(key, &old, &job)?;
        self.put(key, Some(&old), &job)?;
        Ok(true)
    }

    /// Removes the list of a job's failures if the job has none any more.
    fn forget_failures(&self, key: &PositionKey, old: &Job, new: &Job) -> Result<(), StoreFault> {
        if old.failures > 0 && new.failures == 0 {
            self.failures()?.remove(key.as_bytes())?;
        }
        Ok(())
    }

    /// The workers that have failed at a job, with the numbers of their failures.
    fn failures_of(&self, key: &PositionKey) -> Result<Vec<(String, u32)>, StoreFault> {
        let failures = self.failures()?;
        let row = failures.get(key.as_bytes())?;
        row.map_or(Ok(Vec::new()), |row| decode("jobs_failures", key.as_bytes(), row.value()))
    }

    /// The table of failures, which most transactions do not need. Stores of earlier versions get
    /// it here.
    fn failures(&self) -> Result<Table<'t, &'static KeyBytes, &'static [u8]>, StoreFault> {
        Ok(self.transaction.open_table(JOBS_FAILURES)?)
    }

    /// Ends the leases of this process, and returns their number. Leases of files stay.
    pub(super) fn end_leases(&mut self) -> Result<usize, StoreFault> {
        let mut held = Vec::new();
        for row in self.leased.iter()? {
            let key = leased_position(row?.0.value());
            let job = self.existing(&key)?;
            if matches!(job.state, JobState::Leased { .. }) {
                held.push((key, job));
            }
        }
        for (key, old) in &held {
            let mut job = old.clone();
            job.expire();
            self.put(key, Some(old), &job)?;
        }
        Ok(held.len())
    }

    pub(super) fn expire(&mut self, now_ms: u64) -> Result<usize, StoreFault> {
        let mut expired = 0;
        loop {
            let first = self.leased.first()?.map(|(key, _)| *key.value());
            let Some(leased) = first else { return Ok(expired) };
            let (until, _) = leased.split_at(8);
            // Keys are ordered by the ends of the leases, so all others end later.
            if u64::from_be_bytes(until.try_into().expect("eight bytes")) > now_ms {
                return Ok(expired);
            }
            let key = leased_position(&leased);
            let old = self.existing(&key)?;
            let mut job = old.clone();
            job.expire();
            self.put(&key, Some(&old), &job)?;
            expired += 1;
        }
    }

    pub(super) fn dead(&self) -> Result<Vec<DeadJob>, StoreFault> {
        let mut dead = Vec::new();
        for row in self.dead.iter()? {
            let key = PositionKey::from_bytes(*row?.0.value());
            let job = self.existing(&key)?;
            dead.push(job.to_dead(&key).map_err(|reason| corrupt(&key, reason))?);
        }
        Ok(dead)
    }

    /// Changes the job that a lease is for; `None` if there is no such job.
    pub(super) fn change<T>(
        &mut self,
        lease: &Lease,
        f: impl FnOnce(&mut Job) -> T,
    ) -> Result<Option<T>, StoreFault> {
        let key = &PositionKey::from_packed(&lease.job);
        let Some(old) = self.get(key)? else { return Ok(None) };
        let mut job = old.clone();
        let outcome = f(&mut job);
        if job != old {
            self.put(key, Some(&old), &job)?;
        }
        Ok(Some(outcome))
    }

    fn get(&self, key: &PositionKey) -> Result<Option<Job>, StoreFault> {
        let Some(row) = self.jobs.get(key.as_bytes())? else { return Ok(None) };
        decode("jobs", key.as_bytes(), row.value()).map(Some)
    }

    /// The job that an index names. A missing job is an error, because the index would return its
    /// key again and again.
    fn existing(&self, key: &PositionKey) -> Result<Job, StoreFault> {
        let job = self.get(key)?;
        job.ok_or_else(|| corrupt(key, "an index names it, but it does not exist".to_owned()))
    }

    /// Replaces the job `old` by `new`.
    fn put(&mut self, key: &PositionKey, old: Option<&Job>, new: &Job) -> Result<(), StoreFault> {
        match old.map(|old| Place::of(key, old)) {
            Some(Place::Waiting(waiting)) => drop(self.waiting.remove(&waiting)?),
            Some(Place::Leased(leased)) => drop(self.leased.remove(&leased)?),
            Some(Place::Dead) => drop(self.dead.remove(key.as_bytes())?),
            Some(Place::Nowhere) | None => {}
        }
        match Place::of(key, new) {
            Place::Waiting(waiting) => drop(self.waiting.insert(&waiting, ())?),
            Place::Leased(leased) => drop(self.leased.insert(&leased, ())?),
            Place::Dead => drop(self.dead.insert(key.as_bytes(), ())?),
            Place::Nowhere => {}
        }
        self.jobs.insert(key.as_bytes(), encode(new).as_slice())?;
        Ok(())
    }
}

/// The error for a job that is invalid.
fn corrupt(key: &PositionKey, reason: String) -> StoreFault {
    StoreFault::corrupt_row("jobs", key.as_bytes(), reason)
}

/// The entry of a job in the indices.
enum Place {
    Waiting(WaitingKey),
    Leased(LeasedKey),
    Dead,
    Nowhere,
}

impl Place {
    fn of(key: &PositionKey, job: &Job) -> Self {
        match job.state {
            JobState::Waiting => Self::Waiting(waiting_key(key, job)),
            JobState::Leased { until_ms, .. } | JobState::Exported { until_ms, .. } => {
                Self::Leased(leased_key(key, until_ms))
            }
            JobState::Dead => Self::Dead,
            JobState::Done => Self::Nowhere,
        }
    }
}

pub(super) fn waiting_key(key: &PositionKey, job: &Job) -> WaitingKey {
    const SIGN: u64 = 1 << 63;
    let mut waiting = [0; 48];
    // With the sign bit flipped, numbers are ordered like their big-endian bytes. The complement
    // puts the highest priority first.
    waiting[..8].copy_from_slice(&(!(job.priority as u64 ^ SIGN)).to_be_bytes());
    waiting[8..16].copy_from_slice(&job.order.to_be_bytes());
    waiting[16..].copy_from_slice(key.as_bytes());
    waiting
}

/// The position of a waiting job.
pub(super) fn waiting_position(waiting: &WaitingKey) -> PositionKey {
    PositionKey::from_bytes(waiting[16..].try_into().expect("thirty-two bytes"))
}

/// The position of a leased job.
pub(super) fn leased_position(leased: &LeasedKey) -> PositionKey {
    PositionKey::from_bytes(leased[8..].try_into().expect("thirty-two bytes"))
}

fn leased_key(key: &PositionKey, until_ms: u64) -> LeasedKey {
    let mut leased = [0; 40];
    leased[..8].copy_from_slice(&until_ms.to_be_bytes());
    leased[8..].copy_from_slice(key.as_bytes());
    leased
}
