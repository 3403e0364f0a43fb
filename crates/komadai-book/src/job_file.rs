//! Jobs in a text file, for workers without a connection to the book.
//!
//! ```text
//! #KOMADAI-BOOK-JOBS 1
//! book⇥9d0e5c3a11b28f47
//! job⇥lnsgkgsnl/1r5b1/… b - 1⇥17⇥0⇥5⇥1000000⇥-⇥-⇥4⇥0⇥komadai
//! end⇥1⇥8c1f0b2a77e3d590
//! ```
//!
//! | line | cells |
//! |---|---|
//! | `book` | the number of the book |
//! | `job` | position, lease, revision, priority, nodes, milliseconds, depth, number of lines, generation, engine; `-` for a limit that does not matter |
//! | `end` | the number of jobs, and the fingerprint of all lines above |
//!
//! Lines that start with `#` are comments. Names are escaped as in the text log of a book, which the
//! results go into.

mod file_queue;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use komadai_base::file::read_bounded;
use komadai_bookfile::fields::shorten;
use komadai_bookfile::position_key::PositionKey;
use komadai_bookfile::{BookError, FaultPlace};

use crate::files::fingerprint::Fingerprint;
use crate::log_file::{Cells, escape};
use crate::queue::{JobSettings, Lease, LeaseRequest, LeasedJob, QueueError, QueueOptions};
use crate::store::{Store, StoreError};

pub use file_queue::FileQueue;

/// The first line.
const HEADER: &str = "#KOMADAI-BOOK-JOBS 1";

/// The maximum length of a file in bytes: two million jobs.
const MAX_BYTES: u64 = 1 << 28;

/// Jobs that were leased to a file.
///
/// # Examples
///
/// ```
/// use komadai_book::job_file::JobFile;
/// use komadai_book::queue::{
///     JobQueue, JobSettings, LeaseRequest, NewJob, PlanChanges, QueueOptions,
/// };
/// use komadai_book::store::Store;
/// use komadai_core::Position;
///
/// let folder = tempfile::tempdir()?;
/// let store = Store::create(folder.path().join("book.kbook"))?;
/// let settings = JobSettings { nodes: Some(1_000), ..JobSettings::default() };
/// let job = NewJob { position: Position::hirate(), priority: 0, settings };
/// store.queue(QueueOptions::default()).plan(&PlanChanges::wanted(vec![job]))?;
///
/// let request = LeaseRequest {
///     worker: "jobs.txt".to_owned(),
///     analyst: None,
///     count: 100,
///     duration_ms: 3_600_000,
/// };
/// let jobs = JobFile::lease(&store, &request)?;
/// let mut text = Vec::new();
/// jobs.write(&mut text)?;
/// let path = folder.path().join("jobs.txt");
/// std::fs::write(&path, text)?;
/// assert_eq!(JobFile::read(&path)?.jobs.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct JobFile {
    /// The number of the book.
    pub book: u64,
    /// The jobs, the most urgent first.
    pub jobs: Vec<LeasedJob>,
}

/// The reason why jobs in a file cannot be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobFileError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// A line of a file has a fault.
    #[error("{}: {error}", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// The fault.
        #[source]
        error: BookError,
    },
    /// The file of jobs is incomplete or has been changed.
    #[error("{}: damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damage.
        reason: String,
    },
    /// The log has results for another book than the jobs.
    #[error("{}: found results for the book {found:016x}, expected the book {expected:016x}", path.display())]
    OtherBook {
        /// The log.
        path: PathBuf,
        /// The number of the book that the log names; 0 if it names none.
        found: u64,
        /// The number of the book that has the jobs.
        expected: u64,
    },
    /// The jobs that are left name another engine than the analysts.
    #[error("{jobs} jobs are for the engine {engine:?}, found {found}")]
    OtherEngine {
        /// The engine of the first of these jobs.
        engine: String,
        /// The number of jobs.
        jobs: usize,
        /// The analysts.
        found: String,
    },
    /// The book or its queue failed.
    #[error(transparent)]
    Queue(#[from] QueueError),
}

impl JobFile {
    /// Leases jobs of a book. The leases outlive the process; [`release`](Self::release) gives them
    /// back if the file cannot be written.
    ///
    /// # Errors
    ///
    /// If the book cannot be written.
    pub fn lease(store: &Store, request: &LeaseRequest) -> Result<Self, QueueError> {
        let book = store.number()?;
        let jobs = store.queue(QueueOptions::default()).export(request)?;
        Ok(Self { book, jobs })
    }

    /// Gives the leases back: the jobs wait again.
    ///
    /// # Errors
    ///
    /// If the book cannot be written.
    pub fn release(&self, store: &Store) -> Result<(), QueueError> {
        use crate::queue::JobSource as _;

        let leases: Vec<Lease> = self.jobs.iter().map(|job| job.lease.clone()).collect();
        store.queue(QueueOptions::default()).release(&leases)
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut text = format!(
            "{HEADER}\n\
             # {} jobs of a book. `komadai book worker FILE OUT.log` does them; `komadai book log \
             import BOOK OUT.log`\n\
             # brings the results back. Cells: position, lease, revision, priority, nodes, \
             milliseconds, depth, lines,\n\
             # generation, engine.\n\
             book\t{:016x}\n",
            self.jobs.len(),
            self.book,
        );
        for job in &self.jobs {
            let JobSettings { nodes, time_ms, depth, multi_pv, generation, engine } = &job.settings;
            let cell = |limit: Option<u64>| limit.map_or("-".to_owned(), |limit| limit.to_string());
            text += &format!(
                "job\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{multi_pv}\t{generation}\t{}\n",
                job.position,
                job.lease.number,
                job.lease.revision,
                job.priority,
                cell(*nodes),
                cell(*time_ms),
                cell(depth.map(u64::from)),
                escape(engine),
            );
        }
        let mut fingerprint = Fingerprint::new();
        fingerprint.add(text.as_bytes());
        text += &format!("end\t{}\t{:016x}\n", self.jobs.len(), fingerprint.number());
        out.write_all(text.as_bytes())
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is no file of jobs, or is damaged.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, JobFileError> {
        let path = path.as_ref();
        let io = |error| JobFileError::Io { path: path.to_owned(), error };
        let bytes = read_bounded(path, MAX_BYTES).map_err(io)?;
        let damaged = |reason: &str| JobFileError::Damaged {
            path: path.to_owned(),
            reason: reason.to_owned(),
        };
        let text = str::from_utf8(&bytes).map_err(|_| damaged("it is not UTF-8"))?;
        Self::parse(text).map_err(|fault| match fault {
            Fault::Text(error) => JobFileError::Text { path: path.to_owned(), error },
            Fault::Damage(reason) => damaged(reason),
        })
    }

    fn parse(text: &str) -> Result<Self, Fault> {
        let header = text.lines().next().unwrap_or_default();
        if header != HEADER {
            let place = FaultPlace::Line { line: 1 };
            let found = shorten(header);
            let expected = "`#KOMADAI-BOOK-JOBS 1`";
            return Err(BookError::Header { place, found, expected }.into());
        }
        let (mut book, mut jobs) = (None, Vec::new());
        let mut fingerprint = Fingerprint::new();
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let content = line.trim_end_matches(['\n', '\r']);
            let mut cells = Cells::new(content, number);
            let kind = cells.next("the kind of the line")?;
            match kind.text {
                comment if comment.is_empty() || comment.starts_with('#') => {}
                "book" => book = Some(cells.hexadecimal("the number of a book")?),
                "job" => jobs.push(read_job(&mut cells, number)?),
                "end" => {
                    let count = cells.number("a number of jobs", 0..=i64::MAX)? as usize;
                    let expected = cells.hexadecimal("a fingerprint of the lines above")?;
                    if count != jobs.len() || expected != fingerprint.number() {
                        return Err(Fault::Damage("its content does not fit its last line"));
                    }
                    let book = book.ok_or(Fault::Damage("it has no line `book`"))?;
                    return Ok(Self { book, jobs });
                }
                _ => return Err(kind.error("`book`, `job` or `end`").into()),
            }
            fingerprint.add(line.as_bytes());
        }
        Err(Fault::Damage("it ends before its line `end`"))
    }
}

/// A fault of a text of jobs.
enum Fault {
    Text(BookError),
    Damage(&'static str),
}

impl From<BookError> for Fault {
    fn from(error: BookError) -> Self {
        Self::Text(error)
    }
}

fn read_job(cells: &mut Cells<'_>, line: u64) -> Result<LeasedJob, BookError> {
    let position = cells.position()?;
    let key =
        PositionKey::try_of(&position).map_err(|error| BookError::Position { line, error })?;
    let number = cells.number("the number of a lease", 0..=i64::MAX)? as u64;
    let revision = cells.number("a revision", 0..=u32::MAX.into())? as u32;
    let priority = cells.number("a priority", i64::MIN..=i64::MAX)?;
    let nodes = limit(cells, "a number of nodes, or `-`", i64::MAX)?;
    let time_ms = limit(cells, "a time in milliseconds, or `-`", i64::MAX)?;
    let depth = limit(cells, "a depth, or `-`", u32::MAX.into())?;
    let settings = JobSettings {
        nodes,
        time_ms,
        depth: depth.map(|depth| depth as u32),
        multi_pv: cells.number("a number of lines", 0..=u16::MAX.into())? as u16,
        generation: cells.number("a generation", 0..=u32::MAX.into())? as u32,
        engine: cells.text("the name of an engine")?,
    };
    Ok(LeasedJob {
        lease: Lease { job: key.packed(), number, revision },
        position,
        settings,
        priority,
        failures: 0,
        expiries: 0,
        duration_ms: 0,
    })
}

fn limit(
    cells: &mut Cells<'_>,
    expected: &'static str,
    most: i64,
) -> Result<Option<u64>, BookError> {
    let field = cells.next(expected)?;
    if field.text == "-" {
        return Ok(None);
    }
    let number = field.number(expected)?;
    if (0..=most).contains(&number) { Ok(Some(number as u64)) } else { Err(field.error(expected)) }
}

impl From<StoreError> for JobFileError {
    fn from(error: StoreError) -> Self {
        Self::Queue(error.into())
    }
}

#[cfg(test)]
mod tests;
