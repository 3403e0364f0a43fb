//! The jobs of a file as the queue of a worker.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use komadai_base::file::{LockedFile, open_locked};
use komadai_core::AnalystId;
use komadai_kifu::Tolerance;

use super::{JobFile, JobFileError};
use crate::log_file::{LOG_HEADER, LogReader, LogWriter};
use crate::queue::{
    Completion, FailureOutcome, FinishedJob, JobSource, Lease, LeaseRequest, LeaseState, LeasedJob,
    MAX_FAILURES_IN_A_ROW, QueueError, QueueOptions, Refusal,
};
use crate::store::StoreError;

/// The jobs of a file, whose results go into a text log.
///
/// Each result is on disk when [`finish`](JobSource::finish) returns. Jobs that the log has done
/// already are passed over, so a worker that was interrupted continues with the others. Leases do
/// not end here: the book alone knows until when they are valid.
#[derive(Debug)]
pub struct FileQueue {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    jobs: Vec<FileJob>,
    log: LockedFile,
    /// Composes the lines, and knows the analysts that the log has named.
    writer: LogWriter<Vec<u8>>,
    failures_in_a_row: HashMap<String, u32>,
}

#[derive(Debug)]
struct FileJob {
    job: LeasedJob,
    state: JobState,
    /// The worker that had the job last.
    worker: String,
    failures: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JobState {
    Waiting,
    Leased,
    Done,
}

impl FileQueue {
    /// Opens the log, or creates it, for the results of these jobs. A line that a process has left
    /// incomplete when it was killed is removed.
    ///
    /// # Errors
    ///
    /// If the log cannot be read or written, is used by another worker, is no log or damaged, or has
    /// results for another book.
    pub fn open(jobs: JobFile, log: impl AsRef<Path>) -> Result<Self, JobFileError> {
        let path = log.as_ref();
        let io = |error| JobFileError::Io { path: path.to_owned(), error };
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let mut log = open_locked(&options, path, "worker").map_err(io)?;
        let mut content = Vec::new();
        log.read_to_end(&mut content).map_err(io)?;
        let whole = content.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if whole < content.len() {
            // Only a log is cut: another file, named by mistake, is an error and keeps its content.
            if !LOG_HEADER.as_bytes().starts_with(&content) {
                check_log(&content[..whole], path)?;
            }
            log.set_len(whole as u64).map_err(io)?;
            content.truncate(whole);
        }
        let mut writer = LogWriter::new(Vec::new());
        let done = if content.is_empty() {
            writer.header().and_then(|()| writer.book(jobs.book)).map_err(io)?;
            Vec::new()
        } else {
            let (book, done) = check_log(&content, path)?;
            if book != Some(jobs.book) {
                let (found, expected) = (book.unwrap_or(0), jobs.book);
                return Err(JobFileError::OtherBook { path: path.to_owned(), found, expected });
            }
            done
        };
        let jobs = jobs.jobs.into_iter().map(|job| {
            let is_done = done.contains(&job.lease);
            let state = if is_done { JobState::Done } else { JobState::Waiting };
            FileJob { job, state, worker: String::new(), failures: 0 }
        });
        let jobs = jobs.collect();
        let mut state = State { jobs, log, writer, failures_in_a_row: HashMap::new() };
        state.save().map_err(io)?;
        Ok(Self { path: path.to_owned(), state: Mutex::new(state) })
    }

    /// The numbers of all jobs and of those that are done.
    pub fn progress(&self) -> (usize, usize) {
        let state = self.state();
        let done = state.jobs.iter().filter(|job| job.state == JobState::Done).count();
        (state.jobs.len(), done)
    }

    /// Checks that no job that is left names another engine than these analysts.
    ///
    /// # Errors
    ///
    /// If one does.
    pub fn check_engines(&self, analysts: &[AnalystId]) -> Result<(), JobFileError> {
        let state = self.state();
        let is_alien = |job: &&FileJob| {
            job.state == JobState::Waiting
                && !analysts.iter().any(|analyst| job.job.settings.are_for(analyst))
        };
        let mut alien = state.jobs.iter().filter(is_alien);
        let Some(first) = alien.next() else { return Ok(()) };
        let mut found: Vec<String> = analysts.iter().map(ToString::to_string).collect();
        found.dedup();
        Err(JobFileError::OtherEngine {
            engine: first.job.settings.engine.clone(),
            jobs: 1 + alien.count(),
            found: found.join(", "),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self, error: io::Error) -> QueueError {
        StoreError::Io { path: self.path.clone(), error }.into()
    }
}

/// Returns the book that a log names, and the leases of the jobs that it has done.
fn check_log(content: &[u8], path: &Path) -> Result<(Option<u64>, Vec<Lease>), JobFileError> {
    let text = |error| JobFileError::Text { path: path.to_owned(), error };
    let mut lines = LogReader::new(content, Tolerance::Strict);
    while lines.next_change().map_err(text)?.is_some() {}
    let (book, done) = lines.jobs();
    Ok((book, done.into_iter().map(|done| done.lease).collect()))
}

impl State {
    fn job(&mut self, lease: &Lease) -> Option<&mut FileJob> {
        self.jobs.iter_mut().find(|job| job.job.lease == *lease)
    }

    /// Appends the composed lines to the log, on disk.
    fn save(&mut self) -> io::Result<()> {
        let lines = std::mem::take(self.writer.out());
        self.log.write_all(&lines)?;
        self.log.sync_data()
    }
}

impl JobSource for FileQueue {
    fn lease(&self, request: &LeaseRequest) -> Result<Vec<LeasedJob>, QueueError> {
        let most = QueueOptions::default().max_failures;
        let is_free = |job: &&mut FileJob| {
            let is_own = request.analyst.as_ref().is_none_or(|own| job.job.settings.are_for(own));
            job.state == JobState::Waiting && job.failures < most && is_own
        };
        let mut state = self.state();
        let failures = state.failures_in_a_row.get(&request.worker).copied().unwrap_or(0);
        if failures >= MAX_FAILURES_IN_A_ROW {
            return Err(Refusal::Dismissed { worker: request.worker.clone(), failures }.into());
        }
        let free = state.jobs.iter_mut().filter(is_free).take(request.count);
        let leased = free.map(|job| {
            job.state = JobState::Leased;
            job.worker.clone_from(&request.worker);
            let duration_ms = request.duration_ms;
            LeasedJob { failures: job.failures, duration_ms, ..job.job.clone() }
        });
        Ok(leased.collect())
    }

    fn heartbeat(&self, leases: &[Lease], _: u64) -> Result<Vec<LeaseState>, QueueError> {
        let mut state = self.state();
        let is_held = |lease: &Lease| {
            let is_held = state.job(lease).is_some_and(|job| job.state == JobState::Leased);
            if is_held { LeaseState::Held } else { LeaseState::Lost }
        };
        Ok(leases.iter().map(is_held).collect())
    }

    fn finish(&self, finished: &[FinishedJob]) -> Result<Vec<Completion>, QueueError> {
        let mut state = self.state();
        let mut completions = Vec::new();
        for done in finished {
            let job = state.job(&done.lease).map(|job| (job.state, job.job.settings.clone()));
            let refusal = match &job {
                None => Err(Refusal::UnknownJob),
                Some((_, settings)) => done.check().and_then(|()| done.check_analyst(settings)),
            };
            let completion = match (refusal, job) {
                (Err(refusal), _) => Completion::Refused(refusal),
                (Ok(()), Some((JobState::Done, _))) => Completion::AlreadyDone,
                (Ok(()), _) => {
                    let lines = compose(&mut state.writer, done).and_then(|()| state.save());
                    lines.map_err(|error| self.failed(error))?;
                    let worker = state.job(&done.lease).map(|job| {
                        job.state = JobState::Done;
                        job.worker.clone()
                    });
                    worker.and_then(|worker| state.failures_in_a_row.remove(&worker));
                    Completion::Accepted
                }
            };
            completions.push(completion);
        }
        Ok(completions)
    }

    fn fail(&self, lease: &Lease, worker: &str, _: &str) -> Result<FailureOutcome, QueueError> {
        let most = QueueOptions::default().max_failures;
        let mut state = self.state();
        let held = state.job(lease).filter(|job| job.state == JobState::Leased);
        let Some(job) = held else { return Ok(FailureOutcome::Stale) };
        job.state = JobState::Waiting;
        job.failures += 1;
        let is_left = job.failures >= most;
        *state.failures_in_a_row.entry(worker.to_owned()).or_default() += 1;
        Ok(if is_left { FailureOutcome::LeftToOthers } else { FailureOutcome::Retried })
    }

    fn release(&self, leases: &[Lease]) -> Result<(), QueueError> {
        let mut state = self.state();
        for lease in leases {
            if let Some(job) = state.job(lease).filter(|job| job.state == JobState::Leased) {
                job.state = JobState::Waiting;
            }
        }
        Ok(())
    }
}

/// Composes the lines of a result.
fn compose(writer: &mut LogWriter<Vec<u8>>, done: &FinishedJob) -> io::Result<()> {
    use komadai_movegen::check_legality;

    let position = &done.result.position;
    for line in &done.result.analysis.lines {
        let Some(&m) = line.pv.first() else { continue };
        // The reader would refuse an illegal answer.
        let is_legal =
            |answer: &komadai_core::Move| check_legality(&position.after(m), *answer).is_ok();
        let ponder = line.pv.get(1).copied().filter(is_legal);
        writer.evaluation(&done.result, line, m, ponder)?;
    }
    writer.done(done)
}
