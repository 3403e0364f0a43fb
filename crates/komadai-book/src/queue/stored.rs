//! The queue of a store.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use komadai_bookfile::position_key::PositionKey;
use komadai_core::Position;
use redb::{ReadTransaction, ReadableTable as _, ReadableTableMetadata as _, WriteTransaction};

use super::error::{QueueError, Refusal};
use super::job::{Holder, Job, JobState};
use super::job_queue::{
    DeadJob, JobCounts, JobQueue, MAX_FAILURES_IN_A_ROW, PlanChanges, Planned, QueueOptions,
};
use super::job_settings::{JobSettings, NewJob};
use super::job_source::{Completion, FailureOutcome, FinishedJob, JobSource};
use super::lease::{Lease, LeaseRequest, LeaseState, LeasedJob};
use super::outbox::{self, Accepted};
use super::queued_result::QueuedResult;
use super::scheduler::{Jobs, leased_position, waiting_key, waiting_position};
use crate::clock::milliseconds_since_1970;
use crate::store::{
    Change, JOBS, JOBS_DEAD, JOBS_LEASED, JOBS_WAITING, Store, StoreError, StoreFault, Writer,
    analysts_in, decode,
};

/// The queue in the file of a [`Store`].
///
/// [`finish`](JobSource::finish) merges a result into the log in the transaction that marks its job
/// as done, so the two agree even if the process is killed, and the store has nothing left to merge.
/// [`results`](JobQueue::results) lists what has not been [marked](JobQueue::merged) as merged into a
/// graph of the book.
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

    /// Ends all leases of workers in a process, and returns their number. Leases that were
    /// [exported](Self::export) stay.
    ///
    /// The leases in a file that has just been opened for writing are those of a process that is
    /// gone: only one can have it open.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(crate) fn end_leases(&self) -> Result<usize, QueueError> {
        self.store.session.forget_failures();
        Ok(self.change(|jobs| jobs.end_leases())?)
    }

    /// Leases waiting jobs for longer than this process lives: to a file, which workers without a
    /// connection read. Otherwise as [`lease`](JobSource::lease).
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn export(&self, request: &LeaseRequest) -> Result<Vec<LeasedJob>, QueueError> {
        self.grant(request, Holder::File)
    }

    fn grant(&self, request: &LeaseRequest, holder: Holder) -> Result<Vec<LeasedJob>, QueueError> {
        let worker = request.worker.clone();
        let failures = self.store.session.failures_in_a_row(&worker);
        if failures >= MAX_FAILURES_IN_A_ROW {
            return Err(Refusal::Dismissed { worker, failures }.into());
        }
        let now_ms = self.now_ms();
        let most = self.options.max_failures;
        Ok(self.change(|jobs| jobs.lease(request, holder, most, now_ms))?)
    }

    /// The highest generation of a job, done or not; `None` without jobs.
    ///
    /// Jobs of a higher generation make positions that are done wait again. Takes time proportional
    /// to the number of jobs.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn newest_generation(&self) -> Result<Option<u32>, QueueError> {
        let newest = self.store.read(|transaction| {
            let mut newest = None;
            for row in transaction.open_table(JOBS)?.iter()? {
                let (key, row) = row?;
                let job: Job = decode("jobs", key.value(), row.value())?;
                newest = newest.max(Some(job.settings.generation));
            }
            Ok(newest)
        });
        Ok(newest?)
    }

    /// Passes the waiting jobs, in the order in which they are leased, to `f`.
    fn waiting_jobs<T>(
        &self,
        f: impl FnOnce(
            &mut dyn Iterator<Item = Result<(PositionKey, Job), StoreFault>>,
        ) -> Result<T, StoreFault>,
    ) -> Result<T, StoreError> {
        self.store.read(|transaction| {
            let jobs = transaction.open_table(JOBS)?;
            let waiting = transaction.open_table(JOBS_WAITING)?;
            let mut rows = waiting.iter()?.filter_map(|row| {
                let job = || {
                    let key = waiting_position(row?.0.value());
                    // A lease names the fault of an index without a job.
                    let Some(row) = jobs.get(key.as_bytes())? else { return Ok(None) };
                    let job: Job = decode("jobs", key.as_bytes(), row.value())?;
                    Ok(Some((key, job)))
                };
                job().transpose()
            });
            f(&mut rows)
        })
    }

    fn change<T>(
        &self,
        f: impl FnOnce(&mut Jobs<'_>) -> Result<T, StoreFault>,
    ) -> Result<T, StoreError> {
        self.store.write(|transaction| f(&mut Jobs::open(transaction)?))
    }
}

impl JobSource for StoreQueue<'_> {
    fn lease(&self, request: &LeaseRequest) -> Result<Vec<LeasedJob>, QueueError> {
        self.grant(request, Holder::Process)
    }

    fn heartbeat(&self, leases: &[Lease], duration_ms: u64) -> Result<Vec<LeaseState>, QueueError> {
        let until_ms = self.now_ms().saturating_add(duration_ms);
        let states = self.change(|jobs| {
            let mut states = Vec::new();
            for lease in leases {
                let is_held = jobs.change(lease, |job| job.prolong(lease, until_ms))?;
                states.push(match is_held {
                    Some(true) => LeaseState::Held,
                    Some(false) | None => LeaseState::Lost,
                });
            }
            Ok(states)
        });
        Ok(states?)
    }

    fn finish(&self, finished: &[FinishedJob]) -> Result<Vec<Completion>, QueueError> {
        let mut accepted = Vec::new();
        let merged = self.store.session.merged();
        let completions = self.store.write(|transaction| {
            outbox::remove(transaction, &merged)?;
            let completions = complete(transaction, finished, &mut accepted)?;
            let mut writer = Writer::open(transaction)?;
            for (result, _) in &accepted {
                writer.apply(&Change::Analysis(result.clone()))?;
            }
            outbox::add(transaction, &mut writer, &accepted)?;
            writer.finish()?;
            Ok(completions)
        })?;
        self.store.session.forget_merged(&merged);
        accepted.iter().for_each(|(_, worker)| self.store.session.note_success(worker));
        Ok(completions)
    }

    fn fail(
        &self,
        lease: &Lease,
        worker: &str,
        reason: &str,
    ) -> Result<FailureOutcome, QueueError> {
        let most = self.options.max_failures;
        let outcome = self.change(|jobs| jobs.fail(lease, worker, reason, most))?;
        if outcome != FailureOutcome::Stale {
            self.store.session.note_failure(worker);
        }
        Ok(outcome)
    }

    fn release(&self, leases: &[Lease]) -> Result<(), QueueError> {
        let released = self.change(|jobs| {
            for lease in leases {
                jobs.change(lease, |job| {
                    if job.is_held_by(lease) {
                        job.release();
                    }
                })?;
            }
            Ok(())
        });
        Ok(released?)
    }
}

/// Marks jobs as done. Returns the outcome of each, and adds the accepted results with their workers
/// to `accepted`.
fn complete(
    transaction: &WriteTransaction,
    finished: &[FinishedJob],
    accepted: &mut Vec<Accepted>,
) -> Result<Vec<Completion>, StoreFault> {
    let mut jobs = Jobs::open(transaction)?;
    let mut completions = Vec::new();
    for job in finished {
        let mut worker = None;
        let completion = match job.check() {
            Err(refusal) => Some(Completion::Refused(refusal)),
            Ok(()) => jobs.change(&job.lease, |stored| {
                if let Err(refusal) = job.check_analyst(&stored.settings) {
                    return Completion::Refused(refusal);
                }
                let held = stored.is_held_by(&job.lease);
                worker = stored.worker().filter(|_| held).map(str::to_owned);
                stored.complete(&job.lease)
            })?,
        };
        let completion = completion.unwrap_or(Completion::Refused(Refusal::UnknownJob));
        if matches!(completion, Completion::Accepted | Completion::AcceptedLate) {
            let worker = worker.unwrap_or_else(|| job.result.host.clone());
            accepted.push((job.result.clone(), worker));
        }
        completions.push(completion);
    }
    Ok(completions)
}

impl JobQueue for StoreQueue<'_> {
    fn plan(&self, changes: &PlanChanges) -> Result<Planned, QueueError> {
        let merged = self.store.session.merged();
        // A plan follows from results, which are merged on disk when the plan is.
        let planned = self.store.write(|transaction| {
            outbox::remove(transaction, &merged)?;
            Jobs::open(transaction)?.plan(changes)
        })?;
        self.store.session.forget_merged(&merged);
        Ok(planned)
    }

    fn waiting(&self, limit: usize) -> Result<Vec<NewJob>, QueueError> {
        let waiting = self.waiting_jobs(|rows| {
            rows.take(limit)
                .map(|row| {
                    let (key, job) = row?;
                    job.to_new(&key)
                        .map_err(|reason| StoreFault::corrupt_row("jobs", key.as_bytes(), reason))
                })
                .collect()
        });
        Ok(waiting?)
    }

    fn plan_order(&self) -> Result<Vec<(PositionKey, JobSettings)>, QueueError> {
        let results = self.results(usize::MAX)?;
        let ordered = self.store.read(|transaction| {
            let jobs = transaction.open_table(JOBS)?;
            let waiting = transaction.open_table(JOBS_WAITING)?;
            let leased = transaction.open_table(JOBS_LEASED)?;
            let waiting = waiting.iter()?.map(|row| Ok(waiting_position(row?.0.value())));
            let leased = leased.iter()?.map(|row| Ok(leased_position(row?.0.value())));
            let finished = results
                .iter()
                .map(|queued| PositionKey::of(&queued.result.position).map_err(StoreFault::from));
            let mut ordered = BTreeMap::new();
            for key in waiting.chain(leased).chain(finished) {
                let key = key?;
                let Some(row) = jobs.get(key.as_bytes())? else { continue };
                let job: Job = decode("jobs", key.as_bytes(), row.value())?;
                // What is in a file comes back by hand.
                if !matches!(job.state, JobState::Exported { .. }) {
                    ordered.insert(waiting_key(&key, &job), (key, job.settings));
                }
            }
            Ok(ordered)
        })?;
        Ok(ordered.into_values().collect())
    }

    fn results(&self, limit: usize) -> Result<Vec<QueuedResult>, QueueError> {
        let merged = self.store.session.merged();
        let results = self.store.read(|transaction| {
            outbox::results(transaction, &analysts_in(transaction)?, &merged, limit)
        });
        Ok(results?)
    }

    /// Removes results from the outbox with the next plan or result.
    fn merged(&self, ids: &[u64]) -> Result<(), QueueError> {
        self.store.session.note_merged(ids);
        Ok(())
    }

    fn expire(&self) -> Result<usize, QueueError> {
        let now_ms = self.now_ms();
        Ok(self.change(|jobs| jobs.expire(now_ms))?)
    }

    fn counts(&self) -> Result<JobCounts, QueueError> {
        Ok(self.store.read(counts)?)
    }

    fn waiting_by_engine(&self) -> Result<BTreeMap<String, u64>, QueueError> {
        let waiting = self.waiting_jobs(|rows| {
            let mut waiting = BTreeMap::new();
            for row in rows {
                *waiting.entry(row?.1.settings.engine).or_default() += 1;
            }
            Ok(waiting)
        });
        Ok(waiting?)
    }

    fn dead(&self) -> Result<Vec<DeadJob>, QueueError> {
        Ok(self.change(|jobs| jobs.dead())?)
    }

    fn revive(&self, positions: &[Position]) -> Result<usize, QueueError> {
        let revived = self.change(|jobs| {
            let mut revived = 0;
            for position in positions {
                let Ok(key) = PositionKey::try_of(position) else { continue };
                revived += usize::from(jobs.revive(&key)?);
            }
            Ok(revived)
        });
        Ok(revived?)
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
