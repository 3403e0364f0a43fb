//! The queue of a store.

use std::collections::BTreeMap;

use komadai_bookfile::position_key::PositionKey;
use redb::{ReadTransaction, ReadableTable, ReadableTableMetadata, Table, WriteTransaction};

use super::job::Job;
use super::job_queue::{JobQueue, QueueOptions};
use super::job_settings::{JobSettings, NewJob};
use super::lease::{Lease, LeaseRequest, LeaseState, LeasedJob};
use super::outcome::{Completion, DeadJob, Enqueued, FailureOutcome, JobCounts};
use super::scheduler::{self, JobTable, LeasedKey, Place, WaitingKey, known, waiting_position};
use crate::logged_analysis::LoggedAnalysis;
use crate::store::{
    Change, JOBS, JOBS_DEAD, JOBS_LEASED, JOBS_WAITING, KeyBytes, NEXT_JOB, NEXT_LEASE, NUMBERS,
    Store, StoreError, StoreFault, Writer, decode, encode,
};

/// The queue in the file of a [`Store`]. A result is merged and its job marked as done in one transaction, so
/// the two agree even if the process is killed.
#[derive(Debug, Clone, Copy)]
pub struct StoreQueue<'s> {
    store: &'s Store,
    options: QueueOptions,
}

impl Store {
    /// The queue in this file. Several handles may be used at once.
    #[must_use]
    pub fn queue(&self, options: QueueOptions) -> StoreQueue<'_> {
        StoreQueue { store: self, options }
    }
}

impl StoreQueue<'_> {
    /// The highest generation of a job, done or not; `None` without jobs.
    ///
    /// Jobs of a higher generation make positions that are done wait again. Takes time proportional to the
    /// number of jobs.
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

    /// Removes every waiting job that has the generation and the engine of `wanted` but other settings. Returns
    /// the number of these jobs. Jobs for other engines or generations stay.
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
        self.change(|table| {
            let mut others = Vec::new();
            for row in table.waiting.iter()? {
                let waiting = *row?.0.value();
                let key = waiting_position(&waiting);
                // An entry of the index without a job is removed as well.
                if table.get(&key)?.is_none_or(|job| is_other(&job.settings)) {
                    others.push((waiting, key));
                }
            }
            for (waiting, key) in &others {
                table.waiting.remove(waiting)?;
                table.jobs.remove(key.as_bytes())?;
            }
            Ok(others.len())
        })
    }
}

impl JobQueue for StoreQueue<'_> {
    fn enqueue(&self, jobs: &[NewJob]) -> Result<Enqueued, StoreError> {
        self.change(|table| scheduler::enqueue(table, jobs))
    }

    fn lease(&self, request: &LeaseRequest) -> Result<Vec<LeasedJob>, StoreError> {
        self.change(|table| scheduler::lease(table, request))
    }

    fn heartbeat(
        &self,
        lease: &Lease,
        now_ms: u64,
        duration_ms: u64,
    ) -> Result<LeaseState, StoreError> {
        let until_ms = now_ms.saturating_add(duration_ms);
        known(lease, self.change(|table| scheduler::heartbeat(table, lease, until_ms))?)
    }

    fn complete(
        &self,
        lease: &Lease,
        results: &[LoggedAnalysis],
        _now_ms: u64,
    ) -> Result<Completion, StoreError> {
        let completion = self.store.write(|transaction| {
            let completion = scheduler::complete(&mut Jobs::open(transaction)?, lease)?;
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
        let options = self.options;
        known(lease, self.change(|table| scheduler::fail(table, lease, reason, options))?)
    }

    fn expire(&self, now_ms: u64) -> Result<usize, StoreError> {
        self.change(|table| scheduler::expire(table, now_ms))
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
        self.change(|table| scheduler::dead(table))
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

/// The tables of the queue, opened in one transaction.
struct Jobs<'t> {
    jobs: Table<'t, &'static KeyBytes, &'static [u8]>,
    waiting: Table<'t, &'static WaitingKey, ()>,
    leased: Table<'t, &'static LeasedKey, ()>,
    dead: Table<'t, &'static KeyBytes, ()>,
    numbers: Table<'t, &'static str, u64>,
}

impl<'t> Jobs<'t> {
    fn open(transaction: &'t WriteTransaction) -> Result<Self, StoreFault> {
        Ok(Self {
            jobs: transaction.open_table(JOBS)?,
            waiting: transaction.open_table(JOBS_WAITING)?,
            leased: transaction.open_table(JOBS_LEASED)?,
            dead: transaction.open_table(JOBS_DEAD)?,
            numbers: transaction.open_table(NUMBERS)?,
        })
    }

    fn take_number(&mut self, name: &'static str) -> Result<u64, StoreFault> {
        let number = self.numbers.get(name)?.map_or(0, |number| number.value());
        self.numbers.insert(name, number + 1)?;
        Ok(number)
    }
}

impl JobTable for Jobs<'_> {
    type Error = StoreFault;

    fn get(&self, key: &PositionKey) -> Result<Option<Job>, StoreFault> {
        let Some(row) = self.jobs.get(key.as_bytes())? else { return Ok(None) };
        decode("jobs", key.as_bytes(), row.value()).map(Some)
    }

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

    fn for_each_waiting(
        &self,
        mut visit: impl FnMut(&PositionKey) -> Result<bool, StoreFault>,
    ) -> Result<(), StoreFault> {
        for row in self.waiting.iter()? {
            if !visit(&waiting_position(row?.0.value()))? {
                break;
            }
        }
        Ok(())
    }

    fn first_leased(&self) -> Result<Option<LeasedKey>, StoreFault> {
        Ok(self.leased.first()?.map(|(key, _)| *key.value()))
    }

    fn dead(&self) -> Result<Vec<PositionKey>, StoreFault> {
        let mut keys = Vec::new();
        for row in self.dead.iter()? {
            keys.push(PositionKey::from_bytes(*row?.0.value()));
        }
        Ok(keys)
    }

    fn next_order(&mut self) -> Result<u64, StoreFault> {
        self.take_number(NEXT_JOB)
    }

    fn next_lease(&mut self) -> Result<u64, StoreFault> {
        self.take_number(NEXT_LEASE)
    }

    fn corrupt(key: &PositionKey, reason: String) -> StoreFault {
        StoreFault::corrupt_row("jobs", key.as_bytes(), reason)
    }
}
