//! Work on a stream of any length by several threads, in bounded memory, with results in the order
//! of the stream.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Largest number of jobs that have been read, but whose results have not been passed on. One job
/// that takes long keeps the results of those after it in memory.
const WINDOW: u64 = 8_192;

/// Largest number of jobs that pass between threads at once.
const MAX_BATCH: usize = 256;

/// A job that takes less has more time spent on its way between threads than is worth it.
const SHORT: Duration = Duration::from_millis(2);

/// A batch that takes more delays the results of its first jobs.
const LONG: Duration = Duration::from_millis(20);

/// Interval between calls of the idle function.
const IDLE: Duration = Duration::from_millis(200);

/// The threads that work on a stream.
///
/// # Examples
///
/// ```
/// use komadai_console::Pipeline;
///
/// let mut squares = Vec::new();
/// let pipeline = Pipeline { threads: 2, stop: Default::default() };
/// let square = |(): &mut (), number: u64| number * number;
/// let each = |results: Vec<u64>, _| Ok::<_, std::io::Error>(squares.extend(results));
/// pipeline.run(0..5, || (), square, each, || {})?;
/// assert_eq!(squares, [0, 1, 4, 9, 16]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Pipeline {
    /// Number of threads that work, beside one that reads and the caller's, which writes.
    pub threads: usize,
    /// Set when a result cannot be passed on, for work that can end early.
    pub stop: Arc<AtomicBool>,
}

/// Consecutive items with their place in the stream of batches.
struct Batch<T> {
    index: u64,
    items: Vec<T>,
    /// The time that the work took.
    elapsed: Duration,
}

impl Pipeline {
    /// Works on all jobs and passes the results on in the order of the jobs, in batches.
    ///
    /// Each thread has a value of `worker`. `each` receives a batch of results, and true if no
    /// further ones are ready. `idle` is called several times a second. Memory is bounded: at most
    /// some 8,000 jobs are read before their results are passed on.
    ///
    /// # Errors
    ///
    /// Returns the first error of `each`, which ends the run.
    pub fn run<J: Send, W, A: Send, E>(
        &self,
        jobs: impl Iterator<Item = J> + Send,
        worker: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, J) -> A + Sync,
        mut each: impl FnMut(Vec<A>, bool) -> Result<(), E>,
        mut idle: impl FnMut(),
    ) -> Result<(), E> {
        let flow = Flow::default();
        let (job_sender, job_receiver) = sync_channel(self.threads * 2);
        // Owned by the workers alone: when all have ended, the reader notices.
        let job_receiver = Arc::new(Mutex::new(job_receiver));
        let (result_sender, results) = channel();
        thread::scope(|scope| {
            let (flow, worker, work) = (&flow, &worker, &work);
            scope.spawn(move || flow.read(jobs, &job_sender));
            for _ in 0..self.threads {
                let (receiver, sender) = (Arc::clone(&job_receiver), result_sender.clone());
                scope.spawn(move || {
                    let _guard = CloseOnPanic(flow);
                    work_all(&receiver, &sender, &mut worker(), work);
                });
            }
            drop((job_receiver, result_sender));
            let written = flow.write(&results, &mut each, &mut idle);
            if written.is_err() {
                self.stop.store(true, Ordering::Relaxed);
                flow.close();
            }
            written
        })
    }
}

/// The numbers that keep the reader near the writer.
#[derive(Debug)]
struct Flow {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    written: u64,
    is_closed: bool,
    /// Number of jobs that are worth passing on together.
    batch: usize,
}

impl Default for Flow {
    fn default() -> Self {
        let state = State { written: 0, is_closed: false, batch: 1 };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }
}

impl Flow {
    /// Reads jobs and passes them on, never more than the window ahead of the writer.
    fn read<J>(&self, mut jobs: impl Iterator<Item = J>, sender: &SyncSender<Batch<J>>) {
        let mut read = 0;
        for index in 0.. {
            let Some(size) = self.next_size(read) else { return };
            let mut items = Vec::new();
            let mut is_over = false;
            while items.len() < size {
                let start = Instant::now();
                let Some(job) = jobs.next() else {
                    is_over = true;
                    break;
                };
                items.push(job);
                // A slow source, such as a person: what is there must not wait for more.
                if start.elapsed() > SHORT {
                    self.shrink();
                    break;
                }
            }
            read += items.len() as u64;
            let batch = Batch { index, items, elapsed: Duration::ZERO };
            // All workers have ended only if the writer has.
            if batch.items.is_empty() || sender.send(batch).is_err() || is_over {
                return;
            }
        }
    }

    /// Waits until the reader may read more, and returns the number of jobs; `None` if it must end.
    fn next_size(&self, read: u64) -> Option<usize> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |state: &mut State| !state.is_closed && read - state.written >= WINDOW;
        let state = self.changed.wait_while(state, is_full).unwrap_or_else(PoisonError::into_inner);
        (!state.is_closed).then_some(state.batch)
    }

    fn shrink(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).batch = 1;
    }

    fn close(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_closed = true;
        self.changed.notify_all();
    }

    /// Notes that a batch has been written, and adapts the size of the next ones to its time.
    fn note_written(&self, count: usize, elapsed: Duration) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.written += count as u64;
        if elapsed < SHORT && count == state.batch {
            state.batch = (state.batch * 2).min(MAX_BATCH);
        } else if elapsed > LONG {
            state.batch = (state.batch / 2).max(1);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Passes the results on in their order, until all workers have ended.
    fn write<A, E>(
        &self,
        results: &Receiver<Batch<A>>,
        each: &mut impl FnMut(Vec<A>, bool) -> Result<(), E>,
        idle: &mut impl FnMut(),
    ) -> Result<(), E> {
        let (mut early, mut next) = (BTreeMap::new(), 0);
        let mut last_idle = Instant::now();
        loop {
            if last_idle.elapsed() >= IDLE {
                idle();
                last_idle = Instant::now();
            }
            match results.recv_timeout(IDLE) {
                Ok(batch) => {
                    early.insert(batch.index, batch);
                }
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            early.extend(results.try_iter().map(|batch| (batch.index, batch)));
            while let Some(Batch { items, elapsed, .. }) = early.remove(&next) {
                next += 1;
                let count = items.len();
                each(items, !early.contains_key(&next))?;
                self.note_written(count, elapsed);
            }
        }
    }
}

/// Ends the reading if a worker panics: its results never come, so that the others would wait for
/// ever.
struct CloseOnPanic<'f>(&'f Flow);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.close();
        }
    }
}

/// Works on batches until there are no more.
fn work_all<J, W, A>(
    jobs: &Mutex<Receiver<Batch<J>>>,
    results: &Sender<Batch<A>>,
    worker: &mut W,
    work: impl Fn(&mut W, J) -> A,
) {
    loop {
        // The lock is released before the work.
        let received = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Batch { index, items, .. }) = received else { return };
        let start = Instant::now();
        let items = items.into_iter().map(|job| work(worker, job)).collect();
        // The writer has ended with an error, which the caller returns.
        if results.send(Batch { index, items, elapsed: start.elapsed() }).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::AtomicU64;

    use super::*;

    fn pipeline(threads: usize) -> Pipeline {
        Pipeline { threads, stop: Arc::default() }
    }

    /// Doubles all numbers below `count`; those divisible by 1,000 take long.
    fn doubled(threads: usize, count: u64) -> Vec<u64> {
        let mut all = Vec::new();
        let work = |seen: &mut u64, job: u64| {
            *seen += 1;
            if job.is_multiple_of(1_000) {
                let until = Instant::now() + Duration::from_millis(3);
                while Instant::now() < until {
                    thread::yield_now();
                }
            }
            job * 2
        };
        let each = |items: Vec<u64>, _: bool| {
            all.extend(items);
            Ok::<_, Infallible>(())
        };
        let Ok(()) = pipeline(threads).run(0..count, || 0, work, each, || {});
        all
    }

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        for (threads, count) in [(1, 0), (1, 1), (2, 3), (3, 20_000)] {
            let expected: Vec<u64> = (0..count).map(|job| job * 2).collect();
            assert_eq!(doubled(threads, count), expected, "{threads} {count}");
        }
    }

    #[test]
    fn the_reader_stays_near_the_writer() {
        let (read, mut written, mut most) = (AtomicU64::new(0), 0, 0);
        let jobs = (0..50_000_u64).inspect(|_| {
            read.fetch_add(1, Ordering::Relaxed);
        });
        let each = |items: Vec<u64>, _: bool| {
            most = most.max(read.load(Ordering::Relaxed) - written);
            written += items.len() as u64;
            Ok::<_, Infallible>(())
        };
        let Ok(()) = pipeline(2).run(jobs, || (), |(), job| job, each, || {});
        assert_eq!(written, 50_000);
        assert!(most <= WINDOW + MAX_BATCH as u64, "{most}");
    }

    #[test]
    fn an_error_of_the_writer_ends_the_run() {
        let pipeline = pipeline(2);
        let mut batches = 0;
        let each = |_: Vec<u64>, _: bool| {
            batches += 1;
            if batches == 3 { Err("full") } else { Ok(()) }
        };
        assert_eq!(pipeline.run(0.., || (), |(), job| job, each, || {}), Err("full"));
        assert!(pipeline.stop.load(Ordering::Relaxed));
    }

    #[test]
    fn a_panic_of_a_worker_ends_the_run() {
        let run = || {
            let work = |(): &mut (), job: u64| assert!(job < 1_000, "a job that fails");
            let each = |_: Vec<()>, _: bool| Ok::<_, Infallible>(());
            pipeline(2).run(0.., || (), work, each, || {})
        };
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}
