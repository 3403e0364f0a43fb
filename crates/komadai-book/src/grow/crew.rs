//! The state that the threads of a run share.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::queue::{JobSource, Lease, LeaseRequest, LeasedJob, QueueError};

/// The time for which a lease is valid without a heartbeat: a server that reads its log after a
/// crash is away for a minute, and leases must not end by that.
const LEASE: Duration = Duration::from_secs(300);

/// The time between two heartbeats: two may be lost before a lease ends.
const HEARTBEAT: Duration = Duration::from_secs(100);

/// The time after which a thread without work looks into a queue to which others may have added
/// some.
const POLL: Duration = Duration::from_secs(5);

/// The time for which the queue is listened to at once: so long the end of a run may be delayed.
const LISTEN: Duration = Duration::from_millis(500);

/// The analysts' threads of a run, with their leases.
#[derive(Debug)]
pub(super) struct Crew {
    /// Held while a job is leased or planned. The state is locked only for moments, because
    /// heartbeats need it.
    leasing: Mutex<()>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// True when the threads are to end.
    is_over: bool,
    /// The number of threads that have not ended.
    active: usize,
    /// The number of threads that found no job since the last news.
    idle: usize,
    /// The number of times that jobs may have been added.
    news: u64,
    /// The number of jobs that may still be started.
    left: usize,
    held: HashMap<usize, Lease>,
}

/// Ends the run of a crew when it is dropped, even by a panic.
#[derive(Debug)]
pub(super) struct EndOfRun<'c>(pub(super) &'c Crew);

impl Drop for EndOfRun<'_> {
    fn drop(&mut self) {
        self.0.state().is_over = true;
        self.0.changed.notify_all();
    }
}

/// A thread of a crew, which leaves it when this is dropped, even by a panic.
#[derive(Debug)]
pub(super) struct Shift<'c> {
    crew: &'c Crew,
    number: usize,
}

impl Drop for Shift<'_> {
    fn drop(&mut self) {
        let mut state = self.crew.state();
        state.active -= 1;
        state.held.remove(&self.number);
        drop(state);
        self.crew.changed.notify_all();
    }
}

impl Crew {
    /// A crew of this size, which may start this number of jobs.
    pub(super) fn new(size: usize, jobs: usize) -> Self {
        let state = State {
            is_over: false,
            active: size,
            idle: 0,
            news: 0,
            left: jobs,
            held: HashMap::new(),
        };
        Self { leasing: Mutex::default(), state: Mutex::new(state), changed: Condvar::new() }
    }

    /// No code that holds the lock panics half-way through a change.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins the work of the thread with this number.
    pub(super) fn shift(&self, number: usize) -> Shift<'_> {
        Shift { crew: self, number }
    }

    /// The number of threads that have not ended.
    pub(super) fn active(&self) -> usize {
        self.state().active
    }

    /// Returns whether no thread has a job or may find one.
    pub(super) fn is_idle(&self) -> bool {
        let state = self.state();
        state.idle >= state.active
    }

    /// Runs `f`, which may add jobs to the queue, while no thread leases one.
    pub(super) fn with_news<T>(&self, f: impl FnOnce() -> T) -> T {
        let leasing = self.leasing.lock();
        let done = f();
        drop(leasing);
        let mut state = self.state();
        state.news += 1;
        state.idle = 0;
        drop(state);
        self.changed.notify_all();
        done
    }

    fn may_start(&self) -> bool {
        let state = self.state();
        !state.is_over && state.left > 0
    }

    /// Leases a job for a thread; `None` if there is none for it now.
    pub(super) fn lease(
        &self,
        queue: &impl JobSource,
        request: LeaseRequest,
        shift: &Shift<'_>,
    ) -> Result<Option<LeasedJob>, QueueError> {
        let _leasing = self.leasing.lock();
        if !self.may_start() {
            return Ok(None);
        }
        let duration_ms = LEASE.as_millis() as u64;
        let job = queue.lease(&LeaseRequest { count: 1, duration_ms, ..request })?.pop();
        if let Some(job) = &job {
            let mut state = self.state();
            state.left -= 1;
            state.held.insert(shift.number, job.lease.clone());
        }
        Ok(job)
    }

    /// Notes that a thread has ended its job. Jobs without a result may be started by others.
    pub(super) fn end_job(&self, shift: &Shift<'_>, has_result: bool) {
        let mut state = self.state();
        state.held.remove(&shift.number);
        if !has_result {
            state.left += 1;
            state.news += 1;
            state.idle = 0;
            drop(state);
            self.changed.notify_all();
        }
    }

    /// The number of times that jobs may have been added.
    pub(super) fn news(&self) -> u64 {
        self.state().news
    }

    /// Waits until jobs may have been added since there were `seen` news. Returns false if the run
    /// is over.
    pub(super) fn wait(&self, seen: u64) -> bool {
        let mut state = self.state();
        if state.news == seen && !state.is_over {
            state.idle += 1;
            self.changed.notify_all();
            let is_same = |state: &mut State| state.news == seen && !state.is_over;
            let (after, timeout) = self
                .changed
                .wait_timeout_while(state, POLL, is_same)
                .unwrap_or_else(PoisonError::into_inner);
            state = after;
            // News set the number of idle threads to 0.
            if timeout.timed_out() && state.news == seen {
                state.idle -= 1;
            }
        }
        !state.is_over
    }

    /// Wakes the threads without a job when the queue has news, until the run is over.
    pub(super) fn listen(&self, queue: &impl JobSource) {
        loop {
            let is_busy = |state: &mut State| !state.is_over && state.idle == 0;
            let waited = self.changed.wait_while(self.state(), is_busy);
            if waited.unwrap_or_else(PoisonError::into_inner).is_over {
                return;
            }
            match queue.wait_for_jobs(LISTEN) {
                Ok(true) => self.with_news(|| ()),
                Ok(false) => {}
                // The threads look into the queue by themselves, too.
                Err(_) => drop(self.pause(POLL)),
            }
        }
    }

    /// Waits for some time, or until the run is over. Returns false if it is.
    pub(super) fn pause(&self, time: Duration) -> bool {
        let is_on = |state: &mut State| !state.is_over;
        let waited = self.changed.wait_timeout_while(self.state(), time, is_on);
        !waited.unwrap_or_else(PoisonError::into_inner).0.is_over
    }

    /// Reports all leases of the crew as alive until the run is over and all threads have ended.
    /// A heartbeat that fails is repeated with the next one: a lease that ends only repeats work.
    pub(super) fn keep_alive(&self, queue: &impl JobSource) {
        loop {
            let is_on = |state: &mut State| !(state.is_over && state.active == 0);
            let waited = self.changed.wait_timeout_while(self.state(), HEARTBEAT, is_on);
            let (state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            if !timeout.timed_out() {
                return;
            }
            let held: Vec<Lease> = state.held.values().cloned().collect();
            drop(state);
            if !held.is_empty() {
                let _ = queue.heartbeat(&held, LEASE.as_millis() as u64);
            }
        }
    }
}
