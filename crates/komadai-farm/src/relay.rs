//! A queue for the threads of one process, with a stock of jobs and a spool of results.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use komadai_book::LoggedAnalysis;
use komadai_book::queue::{
    Completion, FailureOutcome, FinishedJob, JobSettings, JobSource, Lease, LeaseRequest,
    LeaseState, LeasedJob, QueueError, Refusal,
};
use komadai_core::AnalystId;

use crate::spool::{self, Batch, Spool, SpoolError};
use crate::stock::{Stock, Stocked};

/// The time between two batches: results that come meanwhile go together.
const GATHERING: Duration = Duration::from_millis(500);

/// The number of results that do not wait for others, and the most of a batch.
const BATCH: usize = 500;

/// The pause after a failed call.
const RETRY: Duration = Duration::from_millis(500);

/// The time after which the stock is looked through.
const TICK: Duration = Duration::from_secs(10);

/// The time for which [`JobSource::finish`] waits for room in the spool.
const ROOM: Duration = Duration::from_secs(1);

/// The time that a relay takes that is dropped.
const DROP: Duration = Duration::from_secs(5);

/// The time after the end for which the thread is waited for.
const GRACE: Duration = Duration::from_millis(200);

/// A queue for the threads of one process, which spares them the way to the server.
///
/// - A call of `lease` brings jobs for some seconds, if jobs are short. The rest is kept in a
///   *stock*, from which the threads are served. There is one for each identity of an analyst. Jobs
///   of more than some seconds are leased one by one.
/// - `finish` checks results, writes them to a *spool* on disk, and returns. A thread sends them to
///   the queue in batches. While the queue is away, results stay in the spool and the threads work
///   on the stock. What a process leaves behind, the next relay with the same file sends.
/// - `heartbeat` extends the leases of the stock along with the others.
/// - [`close`](Self::close) sends what is left and gives the stock back. Dropping a relay does this
///   as well, for at most five seconds.
///
/// [`Completion::Accepted`] of a relay means: the result is in the spool. It survives the end of
/// the process at any moment, but not a crash of the machine before the system has written the
/// file; then the lease ends, and the search is repeated. Whether the queue has accepted the result
/// is in the [`RelayReport`]. [`Completion::Refused`] is final: the result is for another position, by
/// another analyst than the job names, not part of a book, or too long.
///
/// A spool has results for one queue, whose name is in it, and is used by one process at a time. It
/// takes no more results from 64 MiB on; `finish` then waits for a second and returns
/// [`QueueError::Unavailable`], as on a full disk.
///
/// A worker that has failed gets its next job from the queue itself, so that the queue can dismiss
/// it. If the queue refuses a batch as a whole, such as for missing rights, its results stay in the
/// spool, and `lease` returns the reason.
///
/// # Examples
///
/// ```no_run
/// use std::time::Duration;
///
/// use komadai_book::{WhenEmpty, work};
/// use komadai_core::Analyst;
/// use komadai_farm::{FarmQueue, FarmUrl, Relay};
///
/// # fn analysts() -> Vec<Box<dyn Analyst>> { Vec::new() }
/// let url: FarmUrl = "postgres://anna@localhost/books".parse()?;
/// let queue = FarmQueue::open(&url, "anna-pc")?;
/// let relay = Relay::open(queue, &url.to_string(), "results.spool")?;
/// let stop = std::sync::Arc::default();
/// work(&relay, &mut analysts(), "anna-pc", WhenEmpty::End, &stop, &mut |_| {})?;
/// let report = relay.close(Duration::from_secs(30));
/// println!("{} results sent, {} left for the next time", report.sent, report.left);
/// println!("{} came too late, {} jobs given back", report.ignored, report.released);
/// for (result, reason) in report.refused {
///     println!("{} refused: {reason}", result.position);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Relay<S: JobSource + 'static> {
    shared: Arc<Shared<S>>,
    /// The thread that sends results. `None` after the end.
    thread: Option<JoinHandle<()>>,
}

/// The work of a relay in numbers.
#[derive(Debug, Clone, Default)]
pub struct RelayReport {
    /// Results that the queue has accepted.
    pub sent: u64,
    /// Results that the queue did not need: the job was done already, or had been withdrawn.
    pub ignored: u64,
    /// Results that the queue has refused, with the reasons. Their jobs wait again.
    pub refused: Vec<(LoggedAnalysis, Refusal)>,
    /// Results that are still in the spool, for the next start.
    pub left: usize,
    /// Jobs of the stock that were given back.
    pub released: usize,
}

/// The parts that the threads share.
#[derive(Debug)]
struct Shared<S> {
    queue: S,
    /// Held while jobs are leased, so that two threads do not fill the stock at the same time.
    leasing: Mutex<()>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    spool: Spool,
    stocks: HashMap<Option<AnalystId>, Stock>,
    /// The settings of the jobs that workers have, by the numbers of the leases.
    settings: HashMap<u64, JobSettings>,
    /// The workers whose last job failed.
    failing: HashSet<String>,
    /// The reason why the queue takes no results or the spool gives none, unless it is away.
    fault: Option<Refusal>,
    report: RelayReport,
    /// The time of the next call of the thread after one that failed.
    not_before: Instant,
    /// The time until which results are gathered.
    gathering: Instant,
    /// The time at which the relay ends at the latest, if it is to end.
    end: Option<Instant>,
    is_over: bool,
}

/// A call that the thread makes.
#[derive(Debug)]
enum Task {
    Send(Batch),
    Release(Vec<(Option<AnalystId>, Stocked)>),
}

impl<S: JobSource + 'static> Relay<S> {
    /// Opens a relay to a queue with a spool, which is created if it does not exist. The results in
    /// it are sent. The name of the queue, such as its address, keeps them from another one.
    ///
    /// # Errors
    ///
    /// If the spool cannot be read or written, is used by another process, is no spool or damaged,
    /// or has results for another queue.
    pub fn open(queue: S, name: &str, spool: impl AsRef<Path>) -> Result<Self, SpoolError> {
        let now = Instant::now();
        let state = State {
            spool: Spool::open(spool.as_ref(), name)?,
            stocks: HashMap::new(),
            settings: HashMap::new(),
            failing: HashSet::new(),
            fault: None,
            report: RelayReport::default(),
            not_before: now,
            gathering: now,
            end: None,
            is_over: false,
        };
        let (leasing, changed) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { queue, leasing, state: Mutex::new(state), changed });
        let of_thread = Arc::clone(&shared);
        let thread = Some(thread::spawn(move || of_thread.run()));
        Ok(Self { shared, thread })
    }

    /// Gives the stock back and sends the spool, for at most this time. A call of the queue that
    /// takes longer is not waited for; the file is in use until it returns.
    pub fn close(mut self, time: Duration) -> RelayReport {
        self.end(time)
    }

    fn end(&mut self, time: Duration) -> RelayReport {
        let mut state = self.shared.state();
        let now = Instant::now();
        state.not_before = now;
        state.end = Some(now + time);
        self.shared.changed.notify_all();
        let waited =
            self.shared.changed.wait_timeout_while(state, time + GRACE, |state| !state.is_over);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let mut report = std::mem::take(&mut state.report);
        report.left = state.spool.left();
        let is_over = state.is_over;
        drop(state);
        if let Some(thread) = self.thread.take().filter(|_| is_over) {
            // It has just returned.
            let _ = thread.join();
        }
        report
    }
}

impl<S: JobSource + 'static> Drop for Relay<S> {
    fn drop(&mut self) {
        if self.thread.is_some() {
            self.end(DROP);
        }
    }
}

impl<S: JobSource + 'static> JobSource for Relay<S> {
    fn lease(&self, request: &LeaseRequest) -> Result<Vec<LeasedJob>, QueueError> {
        let shared = &self.shared;
        let mut state = shared.state();
        if let Some(fault) = &state.fault {
            return Err(fault.clone().into());
        }
        let has_failed = state.failing.contains(&request.worker);
        let now = Instant::now();
        state.stock(request).note_request(&request.worker, now);
        if !has_failed {
            let jobs = state.take(request, now);
            if !jobs.is_empty() {
                return Ok(jobs);
            }
        }
        drop(state);
        let _leasing = shared.leasing.lock();
        let mut wanted = request.count;
        if !has_failed {
            // Another thread may have filled the stock.
            let mut state = shared.state();
            let jobs = state.take(request, Instant::now());
            if !jobs.is_empty() {
                return Ok(jobs);
            }
            wanted = wanted.max(state.stock(request).wanted());
        }
        let since = Instant::now();
        let mut jobs = shared.queue.lease(&LeaseRequest { count: wanted, ..request.clone() })?;
        let rest = jobs.split_off(request.count.min(jobs.len()));
        let mut state = shared.state();
        state.failing.remove(&request.worker);
        let stock = state.stock(request);
        stock.add(rest, since);
        if !jobs.is_empty() {
            stock.note_start(&request.worker, Instant::now());
        }
        state.note_given(&jobs);
        Ok(jobs)
    }

    fn heartbeat(&self, leases: &[Lease], duration_ms: u64) -> Result<Vec<LeaseState>, QueueError> {
        let mut all = leases.to_vec();
        all.extend(self.shared.state().stocks.values().flat_map(Stock::leases).cloned());
        let now = Instant::now();
        let mut states = self.shared.queue.heartbeat(&all, duration_ms)?;
        let in_state = |wanted: LeaseState| -> HashSet<u64> {
            let all = all.iter().zip(&states).skip(leases.len());
            all.filter(|(_, state)| **state == wanted).map(|(lease, _)| lease.number).collect()
        };
        let (held, lost) = (in_state(LeaseState::Held), in_state(LeaseState::Lost));
        for stock in self.shared.state().stocks.values_mut() {
            stock.renew(&held, &lost, now, duration_ms);
        }
        states.truncate(leases.len());
        Ok(states)
    }

    fn finish(&self, finished: &[FinishedJob]) -> Result<Vec<Completion>, QueueError> {
        let mut state = self.shared.state();
        let mut completions = Vec::with_capacity(finished.len());
        let mut records = Vec::with_capacity(finished.len());
        for job in finished {
            completions.push(match state.record(job) {
                Ok(record) => {
                    records.push(record);
                    Completion::Accepted
                }
                Err(refusal) => Completion::Refused(refusal),
            });
        }
        if !state.spool.has_room() {
            let is_full = |state: &mut State| !state.spool.has_room();
            let waited = self.shared.changed.wait_timeout_while(state, ROOM, is_full);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if !state.spool.has_room() {
                let error = format!("{} results wait in the spool", state.spool.left());
                return Err(QueueError::Unavailable { error: error.into() });
            }
        }
        let written = state.spool.append(&records);
        written.map_err(|error| QueueError::Unavailable { error: error.into() })?;
        for (job, completion) in finished.iter().zip(&completions) {
            if *completion == Completion::Accepted {
                state.settings.remove(&job.lease.number);
            }
        }
        drop(state);
        self.shared.changed.notify_all();
        Ok(completions)
    }

    fn fail(
        &self,
        lease: &Lease,
        worker: &str,
        reason: &str,
    ) -> Result<FailureOutcome, QueueError> {
        let outcome = self.shared.queue.fail(lease, worker, reason)?;
        let mut state = self.shared.state();
        state.settings.remove(&lease.number);
        state.failing.insert(worker.to_owned());
        Ok(outcome)
    }

    fn release(&self, leases: &[Lease]) -> Result<(), QueueError> {
        self.shared.queue.release(leases)?;
        let mut state = self.shared.state();
        for lease in leases {
            state.settings.remove(&lease.number);
        }
        Ok(())
    }

    fn wait_for_jobs(&self, timeout: Duration) -> Result<bool, QueueError> {
        self.shared.queue.wait_for_jobs(timeout)
    }
}

impl State {
    fn stock(&mut self, request: &LeaseRequest) -> &mut Stock {
        self.stocks.entry(request.analyst.clone()).or_default()
    }

    /// Takes jobs from the stock.
    fn take(&mut self, request: &LeaseRequest, now: Instant) -> Vec<LeasedJob> {
        let jobs = self.stock(request).take(&request.worker, request.count, now);
        self.note_given(&jobs);
        jobs
    }

    fn note_given(&mut self, jobs: &[LeasedJob]) {
        let settings = jobs.iter().map(|job| (job.lease.number, job.settings.clone()));
        self.settings.extend(settings);
    }

    /// The record of a result for the spool.
    fn record(&self, job: &FinishedJob) -> Result<Vec<u8>, Refusal> {
        job.check()?;
        if let Some(settings) = self.settings.get(&job.lease.number) {
            job.check_analyst(settings)?;
        }
        spool::record(job).map_err(|error| Refusal::Other { reason: error.to_string() })
    }

    /// Returns whether nothing is left to send or to give back.
    fn is_empty(&self) -> bool {
        self.spool.left() == 0 && self.stocks.values().all(|stock| stock.leases().len() == 0)
    }

    /// Takes the jobs of the stock that have waited too long, or all if the relay is to end.
    fn due_back(&mut self, now: Instant) -> Vec<(Option<AnalystId>, Stocked)> {
        let is_end = self.end.is_some();
        let mut jobs = Vec::new();
        for (analyst, stock) in &mut self.stocks {
            let of_stock = if is_end { stock.take_all() } else { stock.take_old(now) };
            jobs.extend(of_stock.into_iter().map(|stocked| (analyst.clone(), stocked)));
        }
        jobs
    }

    /// The results to send now.
    fn due_batch(&mut self, now: Instant) -> Option<Batch> {
        let left = self.spool.left();
        if left == 0 || (left < BATCH && now < self.gathering && self.end.is_none()) {
            return None;
        }
        match self.spool.first(BATCH) {
            Ok(batch) => Some(batch),
            Err(error) => {
                self.fault = Some(Refusal::Other { reason: error.to_string() });
                self.not_before = now + RETRY;
                None
            }
        }
    }
}

impl<S: JobSource> Shared<S> {
    /// No code that holds the lock panics half-way through a change.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends results and gives old jobs back, until the end.
    fn run(&self) {
        while let Some(task) = self.next_task() {
            match task {
                Task::Send(batch) => self.send(&batch),
                Task::Release(jobs) => self.give_back(jobs),
            }
        }
        self.state().is_over = true;
        self.changed.notify_all();
    }

    /// Waits for something to do. Returns `None` at the end.
    fn next_task(&self) -> Option<Task> {
        let mut state = self.state();
        loop {
            let now = Instant::now();
            if state.end.is_some_and(|end| now >= end) {
                return None;
            }
            if now >= state.not_before {
                let jobs = state.due_back(now);
                if !jobs.is_empty() {
                    return Some(Task::Release(jobs));
                }
                if let Some(batch) = state.due_batch(now) {
                    return Some(Task::Send(batch));
                }
            }
            // A fault lasts longer than the end.
            if state.end.is_some() && (state.is_empty() || state.fault.is_some()) {
                return None;
            }
            let mut next = now + TICK;
            if now < state.not_before {
                next = next.min(state.not_before);
            } else if state.spool.left() > 0 {
                next = next.min(state.gathering);
            }
            next = state.end.map_or(next, |end| next.min(end));
            let waited = self.changed.wait_timeout(state, next.saturating_duration_since(now));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn send(&self, batch: &Batch) {
        let start = Instant::now();
        let completions = match self.queue.finish(&batch.jobs) {
            Ok(completions) => completions,
            Err(error) => return self.note_failure(error),
        };
        let results = || batch.jobs.iter().zip(&completions);
        let refused: Vec<(&FinishedJob, &Refusal)> = results()
            .filter_map(|(job, completion)| match completion {
                Completion::Refused(Refusal::UnknownJob) => None,
                Completion::Refused(refusal) => Some((job, refusal)),
                _ => None,
            })
            .collect();
        if !refused.is_empty() {
            // The settings of these jobs have changed meanwhile, or an earlier process has sent the
            // results with another engine. A lease that is not released ends by itself.
            let leases: Vec<Lease> = refused.iter().map(|(job, _)| job.lease.clone()).collect();
            let _ = self.queue.release(&leases);
        }
        let is_sent = |completion: &&Completion| {
            matches!(completion, Completion::Accepted | Completion::AcceptedLate)
        };
        let sent = completions.iter().filter(is_sent).count();
        let mut state = self.state();
        state.report.sent += sent as u64;
        state.report.ignored += (completions.len() - sent - refused.len()) as u64;
        let refused = refused.into_iter().map(|(job, why)| (job.result.clone(), why.clone()));
        state.report.refused.extend(refused);
        state.spool.remove(batch);
        state.fault = None;
        state.gathering = start + GATHERING;
        drop(state);
        self.changed.notify_all();
    }

    /// Returns jobs of the stock to the queue, or to the stock if the queue is away.
    fn give_back(&self, jobs: Vec<(Option<AnalystId>, Stocked)>) {
        let leases: Vec<Lease> =
            jobs.iter().map(|(_, stocked)| stocked.job.lease.clone()).collect();
        match self.queue.release(&leases) {
            Ok(()) => self.state().report.released += leases.len(),
            Err(error) => {
                self.note_failure(error);
                let mut state = self.state();
                for (analyst, stocked) in jobs {
                    state.stocks.entry(analyst).or_default().put_back([stocked]);
                }
            }
        }
    }

    /// Notes that a call has failed.
    fn note_failure(&self, error: QueueError) {
        let mut state = self.state();
        state.not_before = Instant::now() + RETRY;
        state.fault = match error {
            QueueError::Unavailable { .. } => return,
            QueueError::Refused(refusal) => Some(refusal),
            error => Some(Refusal::Other { reason: error.to_string() }),
        };
    }
}
