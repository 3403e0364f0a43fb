//! The queue of a store.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use redb::{ReadTransaction, ReadableTable as _, ReadableTableMetadata as _};

use super::job::Job;
use super::job_queue::{
    Completion, DeadJob, Enqueued, FailureOutcome, JobCounts, JobQueue, Lease, LeaseRequest,
    LeaseState, LeasedJob, QueueOptions,
};
use super::job_settings::{JobSettings, NewJob};
use super::scheduler::{Jobs, waiting_position};
use crate::clock::milliseconds_since_1970;
use crate::logged_analysis::LoggedAnalysis;
use crate::store::{
    Change, JOBS, JOBS_DEAD, JOBS_LEASED, JOBS_WAITING, Store, StoreError, StoreFault, Writer,
    decode,
};

/// The queue in the file of a [`Store`]. A result is merged and its job marked as done in one
/// transaction, so the two agree even if the process is killed.
#[derive(Debug, Clone, Copy)]
pub struct StoreQueue<'s> {
    store: &'s Store,
    options: QueueOptions,
    clock: Clock<'s>,
}

/// The clock by which leases end, in milliseconds.
#[derive(Debug, Clone, Copy)]
enum Clock<'s> {
    /// That of the machine, since the start of 1970.
    System,
    /// One that somebody else sets.
    Set(&'s AtomicU64),
}

impl Store {
    /// The queue in this file. Several handles may be used at once.
    pub fn queue(&self, options: QueueOptions) -> StoreQueue<'_> {
        StoreQueue { store: self, options, clock: Clock::System }
    }
}

impl<'s> StoreQueue<'s> {
    /// The same queue by another clock, in milliseconds, for tests and simulations.
    #[must_use]
    pub fn by_clock(self, clock: &'s AtomicU64) -> Self {
        Self { clock: Clock::Set(clock), ..self }
    }

    fn now_ms(&self) -> u64 {
        match self.clock {
            Clock::System => milliseconds_since_1970(),
            Clock::Set(clock) => clock.load(Ordering::SeqCst),
        }
    }

    /// Ends all leases, and returns their number.
    ///
    /// The leases in a file that has just been opened for writing are those of a process that is
    /// gone: only one can have it open.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn end_leases(&self) -> Result<usize, StoreError> {
        self.change(|jobs| jobs.expire(u64::MAX))
    }

    /// The highest generation of a job, done or not; `None` without jobs.
    ///
    /// Jobs of a higher generation make positions that are done wait again. Takes time proportional
    /// to the number of jobs.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn newest_generation(&self) -> Result<Option<u32>, StoreError> {
        self.store.read(|transaction| {
            let mut newest = None;
            for row in transaction.open_table(JOBS)?.iter()? {
                let (key, row) = row?;
                let job: Job = decode("jobs", key.value(), row.value())?;
                newest = newest.max(Some(job.settings.generation));
            }
            Ok(newest)
        })
    }

    fn change<T>(
        &self,
        f: impl FnOnce(&mut Jobs<'_>) -> Result<T, StoreFault>,
    ) -> Result<T, StoreError> {
        self.store.write(|transaction| f(&mut Jobs::open(transaction)?))
    }

    /// Removes every waiting job that has the generation and the engine of `wanted` but other
    /// settings. Returns the number of these jobs. Jobs for other engines or generations stay.
    ///
    /// A program that plans all analyses of an engine and a generation replaces its plan this way.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn withdraw_others(&self, wanted: &JobSettings) -> Result<usize, StoreError> {
        let is_other = |settings: &JobSettings| {
            let is_ours =
                settings.generation == wanted.generation && settings.engine == wanted.engine;
            is_ours && settings != wanted
        };
        self.change(|jobs| jobs.withdraw(is_other))
    }
}

impl JobQueue for StoreQueue<'_> {
    fn enqueue(&self, jobs: &[NewJob]) -> Result<Enqueued, StoreError> {
        self.change(|table| table.enqueue(jobs))
    }

    fn lease(&self, request: &LeaseRequest) -> Result<Vec<LeasedJob>, StoreError> {
        let now_ms = self.now_ms();
        self.change(|table| table.lease(request, now_ms))
    }

    fn heartbeat(&self, lease: &Lease, duration_ms: u64) -> Result<LeaseState, StoreError> {
        let until_ms = self.now_ms().saturating_add(duration_ms);
        let is_held = self.change(|jobs| jobs.change(lease, |job| job.prolong(lease, until_ms)))?;
        known(lease, is_held.map(|held| if held { LeaseState::Held } else { LeaseState::Lost }))
    }

    fn complete(
        &self,
        lease: &Lease,
        results: &[LoggedAnalysis],
    ) -> Result<Completion, StoreError> {
        let completion = self.store.write(|transaction| {
            let completion = Jobs::open(transaction)?.change(lease, |job| job.complete(lease))?;
            if matches!(completion, Some(Completion::Accepted | Completion::AcceptedLate)) {
                let mut writer = Writer::open(transaction)?;
                for result in results {
                    writer.apply(&Change::Analysis(result.clone()))?;
                }
                writer.finish()?;
            }
            Ok(completion)
        })?;
        known(lease, completion)
    }

    fn fail(&self, lease: &Lease, reason: &str) -> Result<FailureOutcome, StoreError> {
        let most = self.options.max_failures;
        known(lease, self.change(|jobs| jobs.change(lease, |job| job.fail(lease, reason, most)))?)
    }

    fn expire(&self) -> Result<usize, StoreError> {
        let now_ms = self.now_ms();
        self.change(|jobs| jobs.expire(now_ms))
    }

    fn counts(&self) -> Result<JobCounts, StoreError> {
        self.store.read(counts)
    }

    fn waiting_by_engine(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        self.store.read(|transaction| {
            let jobs = transaction.open_table(JOBS)?;
            let mut waiting = BTreeMap::new();
            for row in transaction.open_table(JOBS_WAITING)?.iter()? {
                let key = waiting_position(row?.0.value());
                // A lease names the fault of an index without a job.
                let Some(row) = jobs.get(key.as_bytes())? else { continue };
                let job: Job = decode("jobs", key.as_bytes(), row.value())?;
                *waiting.entry(job.settings.engine).or_default() += 1;
            }
            Ok(waiting)
        })
    }

    fn dead(&self) -> Result<Vec<DeadJob>, StoreError> {
        self.change(|jobs| jobs.dead())
    }
}

fn counts(transaction: &ReadTransaction) -> Result<JobCounts, StoreFault> {
    let waiting = transaction.open_table(JOBS_WAITING)?.len()?;
    let leased = transaction.open_table(JOBS_LEASED)?.len()?;
    let dead = transaction.open_table(JOBS_DEAD)?.len()?;
    let all = transaction.open_table(JOBS)?.len()?;
    let done = all.saturating_sub(waiting + leased + dead);
    Ok(JobCounts { waiting, leased, done, dead })
}

/// The outcome, or the error for a job that is not in the queue.
fn known<T>(lease: &Lease, outcome: Option<T>) -> Result<T, StoreError> {
    outcome.ok_or(StoreError::UnknownJob { number: lease.number })
}
