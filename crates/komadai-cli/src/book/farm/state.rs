//! `book queue status`, `watch`, `workers` and `failures`: the state of a queue.

use std::io::Write as _;
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::Args;
use komadai::book::queue::{JobCounts, JobQueue as _, QueueError, QueueOptions};
use komadai_console::{date, grouped, padded, print_json, stdout, stop_on_interrupt, width};
use komadai_farm::{FarmQueue, FarmStatus, TaskCounts, WorkerStatus};
use serde_json::json;

use crate::arguments::duration::duration;
use crate::book::farm::place::{Opened, Place, Server};

/// The silence after which a worker is taken for gone: three heartbeats were lost.
const GONE_S: u64 = 300;

/// Returns whether a worker has given a sign of life lately.
pub(super) fn is_at_work(worker: &WorkerStatus) -> bool {
    worker.silent_s < GONE_S
}

#[derive(Debug, Args)]
pub(super) struct Status {
    #[command(flatten)]
    place: Place,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Status {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let (status, engines, tasks) = match self.place.open()? {
            Opened::Book(store) => {
                let queue = store.queue(QueueOptions::default());
                let jobs = queue.counts()?;
                let status = FarmStatus { jobs, ..FarmStatus::default() };
                (status, queue.waiting_by_engine()?, Vec::new())
            }
            Opened::Server(queue) => {
                (queue.status()?, queue.waiting_by_engine()?, queue.task_counts()?)
            }
        };
        if self.json {
            let FarmStatus { jobs, unmerged, refused, is_paused } = status;
            return Ok(print_json(&json!({
                "waiting": jobs.waiting,
                "leased": jobs.leased,
                "done": jobs.done,
                "dead": jobs.dead,
                "unmerged": unmerged,
                "refused": refused,
                "is_paused": is_paused,
                "waiting_by_engine": engines,
                "tasks": tasks,
            }))?);
        }
        let mut out = stdout();
        writeln!(out, "{}", in_words(&status))?;
        for (engine, jobs) in engines.iter().filter(|(engine, _)| !engine.is_empty()) {
            writeln!(out, "waiting for {engine}: {}", grouped(*jobs))?;
        }
        for TaskCounts { run, kind, waiting, leased, done, dead } in &tasks {
            let counts = format!(
                "{} waiting, {} leased, {} done, {} given up",
                grouped(*waiting),
                grouped(*leased),
                grouped(*done),
                grouped(*dead)
            );
            writeln!(out, "tasks of the run {run} ({kind}): {counts}")?;
        }
        Ok(())
    }
}

/// The state of a queue as a line.
fn in_words(status: &FarmStatus) -> String {
    let FarmStatus { jobs: JobCounts { waiting, leased, done, dead, .. }, .. } = *status;
    let mut line = format!(
        "{} waiting, {} leased, {} done, {} given up",
        grouped(waiting),
        grouped(leased),
        grouped(done),
        grouped(dead)
    );
    if status.unmerged > 0 {
        line += &format!(", {} results not in the book yet", grouped(status.unmerged));
    }
    if status.refused > 0 {
        line += &format!(", {} results refused", grouped(status.refused));
    }
    if status.is_paused {
        line += ", paused";
    }
    line
}

#[derive(Debug, Args)]
pub(super) struct Watch {
    #[command(flatten)]
    server: Server,
    /// Time between two lines.
    #[arg(long, default_value = "10s", value_parser = duration)]
    every: Duration,
}

impl Watch {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        const POLL: Duration = Duration::from_millis(100);
        let queue = self.server.open()?;
        let stop = stop_on_interrupt()?;
        let mut last: Option<(Instant, u64)> = None;
        while !stop.load(Ordering::Relaxed) {
            let now = Instant::now();
            match state(&queue) {
                Ok((status, workers)) => {
                    let at_work = workers.iter().filter(|worker| is_at_work(worker)).count();
                    let mut line = format!("{}; {at_work} workers", in_words(&status));
                    let done = status.jobs.done;
                    if let Some((then, before)) = last {
                        let minutes = (now - then).as_secs_f64() / 60.0;
                        let rate = done.saturating_sub(before) as f64 / minutes;
                        line += &format!(", {rate:.1} results a minute");
                    }
                    last = Some((now, done));
                    writeln!(stdout(), "{line}")?;
                }
                // The server may come back.
                Err(error) if error.is_temporary() => writeln!(stdout(), "{error}")?,
                Err(error) => return Err(error.into()),
            }
            while now.elapsed() < self.every && !stop.load(Ordering::Relaxed) {
                sleep(POLL.min(self.every));
            }
        }
        Ok(())
    }
}

fn state(queue: &FarmQueue) -> Result<(FarmStatus, Vec<WorkerStatus>), QueueError> {
    Ok((queue.status()?, queue.workers()?))
}

#[derive(Debug, Args)]
pub(super) struct Workers {
    #[command(flatten)]
    server: Server,
    /// List workers that were silent for five minutes as well.
    #[arg(long)]
    all: bool,
    /// Print one JSON array.
    #[arg(long)]
    json: bool,
}

impl Workers {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let mut workers = self.server.open()?.workers()?;
        let total = workers.len();
        if !self.all {
            workers.retain(is_at_work);
        }
        if self.json {
            return Ok(print_json(&serde_json::to_value(&workers)?)?);
        }
        let rows: Vec<Vec<String>> = workers.iter().map(worker_row).collect();
        write!(stdout(), "{}", table(&WORKER_COLUMNS, &rows))?;
        let silent = total - workers.len();
        if silent > 0 {
            writeln!(stdout(), "{silent} more were silent for five minutes; --all lists them")?;
        }
        Ok(())
    }
}

/// The columns of a table of workers.
pub(super) const WORKER_COLUMNS: [&str; 8] =
    ["role", "worker", "host", "leased", "results", "failures", "nodes", "silent"];

/// The cells of a worker.
pub(super) fn worker_row(worker: &WorkerStatus) -> Vec<String> {
    vec![
        worker.role.clone(),
        worker.name.clone(),
        worker.host.clone(),
        grouped(worker.leased),
        grouped(worker.finished),
        grouped(worker.failures),
        grouped(worker.nodes),
        format!("{} s", worker.silent_s),
    ]
}

#[derive(Debug, Args)]
pub(super) struct Failures {
    #[command(flatten)]
    place: Place,
    /// Maximum number of failures.
    #[arg(long, default_value_t = 20, value_name = "N")]
    limit: usize,
    /// Print one JSON array.
    #[arg(long)]
    json: bool,
}

impl Failures {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let failures: Vec<Failure> = match self.place.open()? {
            Opened::Book(store) => {
                let dead = store.queue(QueueOptions::default()).dead()?;
                let failure = |job: komadai::book::queue::DeadJob| Failure {
                    sfen: job.position.to_string(),
                    worker: None,
                    when: None,
                    reason: job.reason,
                };
                dead.into_iter().take(self.limit).map(failure).collect()
            }
            Opened::Server(queue) => {
                let failure = |report: komadai_farm::FailureReport| Failure {
                    sfen: report.position.to_string(),
                    worker: Some(format!("{} ({})", report.worker, report.role)),
                    when: Some(report.when),
                    reason: report.reason,
                };
                queue.failures(self.limit)?.into_iter().map(failure).collect()
            }
        };
        if self.json {
            return Ok(print_json(&serde_json::to_value(&failures)?)?);
        }
        for Failure { sfen, worker, when, reason } in &failures {
            let worker = worker.as_ref().map(|worker| format!(" {worker}:")).unwrap_or_default();
            let when = when.map(|when| format!("{}  ", date(when))).unwrap_or_default();
            writeln!(stdout(), "{when}{sfen} {worker} {reason}")?;
        }
        Ok(())
    }
}

/// A failure at a job.
#[derive(Debug, serde::Serialize)]
struct Failure {
    sfen: String,
    worker: Option<String>,
    /// The time in seconds since the start of 1970.
    when: Option<u64>,
    reason: String,
}

/// A table of text with a heading.
fn table(columns: &[&str], rows: &[Vec<String>]) -> String {
    let heading: Vec<String> = columns.iter().map(|&name| name.to_owned()).collect();
    let lines: Vec<&Vec<String>> = std::iter::once(&heading).chain(rows).collect();
    let widths: Vec<usize> = (0..columns.len())
        .map(|at| lines.iter().map(|line| width(&line[at])).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for line in lines {
        let cells: Vec<String> =
            line.iter().zip(&widths).map(|(cell, width)| padded(cell, *width)).collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text
}
