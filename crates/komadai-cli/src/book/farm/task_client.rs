//! Calls about tasks that wait for the server, and leases that are extended.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;
use komadai::book::queue::{LeaseState, QueueError};
use komadai_console::note;
use komadai_farm::{FarmQueue, LeasedTask};

/// The time after which a task of a machine that has died waits again.
pub(crate) const LEASE: Duration = Duration::from_secs(300);

/// The time between two extensions of a lease.
const EXTEND: Duration = Duration::from_secs(60);

/// The time between two requests for a task, where none waits or the server is away.
pub(crate) const RETRY: Duration = Duration::from_secs(5);

/// The time between two looks at whether to stop.
const LOOK: Duration = Duration::from_millis(50);

/// A queue of tasks as a program sees it that is to stop at some time.
#[derive(Debug)]
pub(crate) struct TaskClient {
    pub(crate) queue: FarmQueue,
    pub(crate) stop: Arc<AtomicBool>,
}

impl TaskClient {
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Calls the queue until it answers; `None` if it does not, and the work is to stop.
    pub(crate) fn persist<T>(
        &self,
        call: impl Fn(&FarmQueue) -> Result<T, QueueError>,
    ) -> Result<Option<T>, QueueError> {
        let mut is_away = false;
        loop {
            match call(&self.queue) {
                Err(error) if error.is_temporary() => {
                    if !is_away {
                        note!("warning: {error}");
                    }
                    is_away = true;
                    if self.is_stopped() {
                        return Ok(None);
                    }
                    self.pause(RETRY);
                }
                result => return result.map(Some),
            }
        }
    }

    /// Reports why there was nothing to do, if the tasks are for other programs.
    pub(crate) fn check_kinds(&self, own: &[String]) -> anyhow::Result<()> {
        let kinds = self.queue.task_kinds()?;
        if !kinds.is_empty() && !kinds.iter().any(|kind| own.contains(kind)) {
            bail!("found tasks for {}, none for {}", kinds.join("; "), own.join("; "));
        }
        Ok(())
    }

    /// Waits, unless it is to stop.
    pub(crate) fn pause(&self, time: Duration) {
        let start = Instant::now();
        while start.elapsed() < time && !self.is_stopped() {
            thread::sleep(LOOK);
        }
    }

    /// Does something for a task, and extends its lease meanwhile. Sets the flag that it gets if
    /// the program is to stop.
    pub(crate) fn with_lease<T>(
        &self,
        task: &LeasedTask,
        work: impl FnOnce(&Arc<AtomicBool>) -> T,
    ) -> T {
        let (is_over, stop) = (AtomicBool::new(false), Arc::new(AtomicBool::new(false)));
        thread::scope(|scope| {
            scope.spawn(|| self.extend(task, &is_over, &stop));
            let _end = SetAtEnd(&is_over);
            work(&stop)
        })
    }

    fn extend(&self, task: &LeasedTask, is_over: &AtomicBool, stop: &AtomicBool) {
        let mut last = Instant::now();
        let mut is_held = true;
        while !is_over.load(Ordering::Relaxed) {
            thread::sleep(LOOK);
            if self.is_stopped() {
                stop.store(true, Ordering::Relaxed);
            }
            if !is_held || last.elapsed() < EXTEND {
                continue;
            }
            last = Instant::now();
            match self.queue.extend_task(&task.lease, LEASE) {
                Ok(LeaseState::Held) => {}
                // The first result counts. It may still be this one.
                Ok(LeaseState::Lost) => {
                    note!("warning: the lease of task {} has ended", task.number);
                    is_held = false;
                }
                Err(error) => note!("warning: {error}"),
            }
        }
    }
}

/// Sets a flag when it is dropped, also by a panic.
struct SetAtEnd<'f>(&'f AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
