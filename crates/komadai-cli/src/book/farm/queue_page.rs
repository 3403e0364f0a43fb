//! The part of a page that shows the queue on a server.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use komadai::book::queue::QueueError;
use komadai::report::LiveTable;
use komadai_base::text::grouped;
use komadai_farm::FarmQueue;
use komadai_live::PageHandle;

use crate::book::farm::state::{WORKER_COLUMNS, is_at_work, worker_row};
use crate::book::growth::growth_page::{put_figures, put_table};

/// The time between two looks at the queue.
const EVERY: Duration = Duration::from_secs(3);

/// The time between two looks at the end of the run and at the button of the page.
const POLL: Duration = Duration::from_millis(200);

/// Maximum number of workers, and of failures, on the page.
const MOST_ROWS: usize = 40;

/// Does something while a page, if there is one, shows the state of the queue. The button of the
/// page pauses the queue.
pub(crate) fn shown_on<T>(
    page: Option<&PageHandle>,
    queue: &FarmQueue,
    work: impl FnOnce() -> T,
) -> T {
    let Some(page) = page else { return work() };
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| watch(queue, page, &ended));
        let _end = End(&ended);
        work()
    })
}

/// Sets a flag when it is dropped, even by a panic.
struct End<'f>(&'f AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn watch(queue: &FarmQueue, page: &PageHandle, ended: &AtomicBool) {
    let mut is_paused = false;
    while !ended.load(Ordering::Relaxed) {
        let now = Instant::now();
        // The next look tells what this one could not.
        let _ = show(queue, page);
        while now.elapsed() < EVERY && !ended.load(Ordering::Relaxed) {
            if page.is_paused() != is_paused {
                let wanted = !is_paused;
                let done = if wanted { queue.pause() } else { queue.resume() };
                is_paused = if done.is_ok() { wanted } else { is_paused };
            }
            thread::sleep(POLL);
        }
    }
    if is_paused {
        // Nobody could resume it by the page any more.
        let _ = queue.resume();
    }
}

fn show(queue: &FarmQueue, page: &PageHandle) -> Result<(), QueueError> {
    let (status, mut workers, failures) = match state(queue) {
        Err(error) => {
            page.update(|page| put_figures(page, [("queue", error.to_string())]));
            return Err(error);
        }
        Ok(state) => state,
    };
    let gone = workers.iter().filter(|worker| !is_at_work(worker)).count();
    workers.retain(is_at_work);
    let mut hosts: Vec<&str> = workers.iter().map(|worker| worker.host.as_str()).collect();
    hosts.sort_unstable();
    hosts.dedup();
    let jobs = status.jobs;
    let figures = [
        ("queue", if status.is_paused { "paused" } else { "open" }.to_owned()),
        ("jobs waiting", grouped(jobs.waiting)),
        ("jobs at work", grouped(jobs.leased)),
        ("jobs given up", grouped(jobs.dead)),
        ("results not in the book yet", grouped(status.unmerged)),
        ("workers", format!("{} on {} machines, {gone} silent", workers.len(), hosts.len())),
    ];
    workers.sort_by_key(|worker| std::cmp::Reverse(worker.finished));
    let workers = LiveTable {
        title: "Workers".to_owned(),
        columns: WORKER_COLUMNS.map(str::to_owned).to_vec(),
        rows: workers.iter().take(MOST_ROWS).map(worker_row).collect(),
    };
    let failures = LiveTable {
        title: "Failures".to_owned(),
        columns: ["position", "worker", "reason"].map(str::to_owned).to_vec(),
        rows: failures
            .into_iter()
            .map(|failure| vec![failure.position.to_string(), failure.worker, failure.reason])
            .collect(),
    };
    page.update(|page| {
        put_figures(page, figures);
        put_table(page, workers);
        put_table(page, failures);
    });
    Ok(())
}

type State =
    (komadai_farm::FarmStatus, Vec<komadai_farm::WorkerStatus>, Vec<komadai_farm::FailureReport>);

fn state(queue: &FarmQueue) -> Result<State, QueueError> {
    Ok((queue.status()?, queue.workers()?, queue.failures(MOST_ROWS)?))
}
