//! The operations of the queue on the tables of a store.

use komadai_bookfile::position_key::PositionKey;
use redb::{ReadableTable as _, Table, WriteTransaction};

use super::job::{Job, JobState, Raised};
use super::job_queue::{DeadJob, Enqueued, Lease, LeaseRequest, LeasedJob};
use super::job_settings::{JobSettings, NewJob};
use crate::store::{
    JOBS, JOBS_DEAD, JOBS_LEASED, JOBS_WAITING, KeyBytes, NEXT_JOB, NEXT_LEASE, NUMBERS,
    StoreFault, decode, encode, take_number,
};

/// The key of a waiting job. Keys are ordered by descending priority, then by the order of
/// enqueueing.
type WaitingKey = [u8; 48];

/// The key of a leased job: the end of the lease, then the position.
type LeasedKey = [u8; 40];

/// The jobs by their positions, with indices of the waiting, the leased and the dead jobs: the
/// tables of the queue, opened in one transaction.
///
/// [`put`](Self::put) keeps the indices consistent with the jobs.
pub(super) struct Jobs<'t> {
    jobs: Table<'t, &'static KeyBytes, &'static [u8]>,
    waiting: Table<'t, &'static WaitingKey, ()>,
    leased: Table<'t, &'static LeasedKey, ()>,
    dead: Table<'t, &'static KeyBytes, ()>,
    numbers: Table<'t, &'static str, u64>,
}

impl<'t> Jobs<'t> {
    pub(super) fn open(transaction: &'t WriteTransaction) -> Result<Self, StoreFault> {
        Ok(Self {
            jobs: transaction.open_table(JOBS)?,
            waiting: transaction.open_table(JOBS_WAITING)?,
            leased: transaction.open_table(JOBS_LEASED)?,
            dead: transaction.open_table(JOBS_DEAD)?,
            numbers: transaction.open_table(NUMBERS)?,
        })
    }

    pub(super) fn enqueue(&mut self, jobs: &[NewJob]) -> Result<Enqueued, StoreFault> {
        let mut enqueued = Enqueued::default();
        for new in jobs {
            let Ok(key) = PositionKey::try_of(&new.position) else {
                enqueued.unheld += 1;
                continue;
            };
            let Some(old) = self.get(&key)? else {
                let order = take_number(&mut self.numbers, NEXT_JOB)?;
                self.put(&key, None, &Job::new(new, order))?;
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
            self.put(&key, Some(&old), &job)?;
        }
        Ok(enqueued)
    }

    pub(super) fn lease(
        &mut self,
        request: &LeaseRequest,
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
            if request.analyst.as_ref().is_none_or(|analyst| job.settings.are_for(analyst)) {
                found.push((key, job));
            }
        }
        let mut leased = Vec::new();
        for (key, old) in found {
            let mut job = old.clone();
            job.grant(take_number(&mut self.numbers, NEXT_LEASE)?, request, now_ms);
            self.put(&key, Some(&old), &job)?;
            leased.extend(job.to_leased(&key, now_ms).map_err(|reason| corrupt(&key, reason))?);
        }
        Ok(leased)
    }

    pub(super) fn expire(&mut self, now_ms: u64) -> Result<usize, StoreFault> {
        let mut expired = 0;
        loop {
            let first = self.leased.first()?.map(|(key, _)| *key.value());
            let Some(leased) = first else { return Ok(expired) };
            let (until, key) = leased.split_at(8);
            // Keys are ordered by the ends of the leases, so all others end later.
            if u64::from_be_bytes(until.try_into().expect("eight bytes")) > now_ms {
                return Ok(expired);
            }
            let key = PositionKey::from_bytes(key.try_into().expect("thirty-two bytes"));
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
        self.put(key, Some(&old), &job)?;
        Ok(Some(outcome))
    }

    /// Removes the waiting jobs that have these settings, and returns their number.
    pub(super) fn withdraw(
        &mut self,
        is_withdrawn: impl Fn(&JobSettings) -> bool,
    ) -> Result<usize, StoreFault> {
        let mut withdrawn = Vec::new();
        for row in self.waiting.iter()? {
            let waiting = *row?.0.value();
            let key = waiting_position(&waiting);
            // An entry of the index without a job is removed as well.
            if self.get(&key)?.is_none_or(|job| is_withdrawn(&job.settings)) {
                withdrawn.push((waiting, key));
            }
        }
        for (waiting, key) in &withdrawn {
            self.waiting.remove(waiting)?;
            self.jobs.remove(key.as_bytes())?;
        }
        Ok(withdrawn.len())
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
            JobState::Leased { until_ms, .. } => Self::Leased(leased_key(key, until_ms)),
            JobState::Dead => Self::Dead,
            JobState::Done => Self::Nowhere,
        }
    }
}

fn waiting_key(key: &PositionKey, job: &Job) -> WaitingKey {
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

fn leased_key(key: &PositionKey, until_ms: u64) -> LeasedKey {
    let mut leased = [0; 40];
    leased[..8].copy_from_slice(&until_ms.to_be_bytes());
    leased[8..].copy_from_slice(key.as_bytes());
    leased
}
