//! Results on disk, on their way to the queue.
//!
//! ```text
//! #KOMADAI-SPOOL 1\n
//! length of the body, its check sum, the check sum of these two numbers
//! body: the name of the queue
//! length of the body, its check sum, the check sum of these two numbers
//! body: number and revision of the lease, the result as in `wire`
//! …
//! ```
//!
//! All numbers are little-endian; check sums are CRC-32. The head of a record has a check sum of
//! its own: otherwise a damaged length could pass for the torn record at the end of the file, and
//! take the records behind it along.

use std::fs::OpenOptions;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use komadai_base::file::{LockedFile, open_locked};
use komadai_book::queue::{FinishedJob, Lease};
use komadai_bookfile::position_key::PositionKey;

use crate::wire::{self, WireError};

/// The first line of a file, which has the number of the format.
const FIRST_LINE: &[u8] = b"#KOMADAI-SPOOL 1\n";

/// The length of the head of a record.
const HEAD: usize = 12;

/// The length of the lease at the start of a body.
const LEASE: usize = 12;

/// The length of a file from which on it takes no more results.
pub(crate) const LIMIT: u64 = 64 << 20;

/// The number of bytes that are read for a batch. It has room for the longest record.
const CHUNK: u64 = 1 << 20;

const _: () = assert!(CHUNK as usize > HEAD + LEASE + wire::MAX_LENGTH);

/// The reason why a spool cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpoolError {
    /// The file cannot be read or written, or another process uses it.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// The file is no spool, or one of a newer program.
    #[error("{} is no spool of results: another first line", path.display())]
    NoSpool {
        /// The file.
        path: PathBuf,
    },
    /// Results for another queue are left in the file.
    #[error("{} has results for {found}, expected some for {expected}", path.display())]
    OtherQueue {
        /// The file.
        path: PathBuf,
        /// The name of the queue in the file.
        found: String,
        /// The name of this queue.
        expected: String,
    },
    /// A record is damaged.
    #[error("{}: the record at byte {offset} is damaged: {reason}; the results before it are sent if the file is cut there", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The place of the record.
        offset: u64,
        /// The fault.
        reason: String,
    },
}

/// A file of results that the queue has not acknowledged.
///
/// Results leave it in the order in which they came. Sent ones stay in the file until all are sent;
/// after a crash they are sent again, and the queue ignores them.
#[derive(Debug)]
pub(crate) struct Spool {
    path: PathBuf,
    file: LockedFile,
    /// The place after the name of the queue.
    first: u64,
    /// The place of the first result that has not been sent.
    start: u64,
    /// The end of the last whole record.
    end: u64,
    /// The number of results that have not been sent.
    left: usize,
    /// There may be more bytes in the file than the whole records.
    is_torn: bool,
}

/// The first results of a spool.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) jobs: Vec<FinishedJob>,
    /// The place after them.
    end: u64,
}

impl Spool {
    /// Opens a file with results for a queue of a name, or creates it. A record that a process has
    /// left incomplete is removed. A file without results becomes one for this queue.
    pub(crate) fn open(path: &Path, queue: &str) -> Result<Self, SpoolError> {
        let io = |error| SpoolError::Io { path: path.to_owned(), error };
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let file = open_locked(&options, path, "worker").map_err(io)?;
        let mut first_line = Vec::new();
        let after = FIRST_LINE.len() as u64;
        (&*file).take(after).read_to_end(&mut first_line).map_err(io)?;
        let is_cut = first_line.len() < FIRST_LINE.len() && FIRST_LINE.starts_with(&first_line);
        if !is_cut && first_line != FIRST_LINE {
            return Err(SpoolError::NoSpool { path: path.to_owned() });
        }
        let length = file.metadata().map_err(io)?.len();
        let path = path.to_owned();
        let mut spool =
            Self { path, file, first: after, start: after, end: length, left: 0, is_torn: false };
        let chunk = if is_cut { Vec::new() } else { spool.chunk(after)? };
        let name = framed(&chunk).map_err(|reason| Damage { at: 0, reason }.at(after, &spool.path));
        let Some(name) = name? else {
            spool.begin(queue).map_err(|error| spool.failed(error))?;
            return Ok(spool);
        };
        spool.first = after + (HEAD + name.len()) as u64;
        spool.start = spool.first;
        let mut whole = spool.first;
        loop {
            let batch = spool.read(whole, usize::MAX)?;
            if batch.jobs.is_empty() {
                break;
            }
            spool.left += batch.jobs.len();
            whole = batch.end;
        }
        if name != queue.as_bytes() && spool.left > 0 {
            let (found, expected) = (String::from_utf8_lossy(name).into_owned(), queue.to_owned());
            return Err(SpoolError::OtherQueue { path: spool.path, found, expected });
        }
        spool.end = whole;
        spool.is_torn = whole < length;
        let ready = if name == queue.as_bytes() { spool.mend() } else { spool.begin(queue) };
        ready.map_err(|error| spool.failed(error))?;
        Ok(spool)
    }

    /// Empties the file, and writes the name of the queue.
    fn begin(&mut self, queue: &str) -> io::Result<()> {
        let bytes = [FIRST_LINE, &frame(queue.as_bytes())].concat();
        self.file.set_len(0)?;
        self.file.write_all(&bytes)?;
        self.first = bytes.len() as u64;
        (self.start, self.end, self.is_torn) = (self.first, self.first, false);
        Ok(())
    }

    /// The number of results that have not been sent.
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    /// Returns whether the file takes more results.
    pub(crate) fn has_room(&self) -> bool {
        self.end < LIMIT
    }

    /// Appends records. After an error none of them is in the file.
    pub(crate) fn append(&mut self, records: &[Vec<u8>]) -> Result<(), SpoolError> {
        let bytes = records.concat();
        let written = self.mend().and_then(|()| {
            self.is_torn = true;
            self.file.write_all(&bytes)
        });
        if let Err(error) = written {
            // If it fails, the next call tries again; a later process removes a torn record.
            let _ = self.mend();
            return Err(self.failed(error));
        }
        self.is_torn = false;
        self.end += bytes.len() as u64;
        self.left += records.len();
        Ok(())
    }

    /// The first results that have not been sent, at most `most`.
    pub(crate) fn first(&mut self, most: usize) -> Result<Batch, SpoolError> {
        let batch = self.read(self.start, most)?;
        if batch.jobs.is_empty() && self.left > 0 {
            let reason = "its end is missing".to_owned();
            return Err(Damage { at: 0, reason }.at(self.start, &self.path));
        }
        Ok(batch)
    }

    /// Reads results from a place on, at most `most` and those of a chunk.
    fn read(&mut self, start: u64, most: usize) -> Result<Batch, SpoolError> {
        let bytes = self.chunk(start)?;
        let (jobs, length) = read(&bytes, most).map_err(|damage| damage.at(start, &self.path))?;
        Ok(Batch { jobs, end: start + length as u64 })
    }

    /// The bytes from a place on.
    fn chunk(&mut self, start: u64) -> Result<Vec<u8>, SpoolError> {
        let mut bytes = Vec::new();
        let length = (self.end - start).min(CHUNK);
        self.file
            .seek(SeekFrom::Start(start))
            .and_then(|_| (&*self.file).take(length).read_to_end(&mut bytes))
            .map_err(|error| self.failed(error))?;
        Ok(bytes)
    }

    /// Removes the results of a batch.
    pub(crate) fn remove(&mut self, batch: &Batch) {
        self.start = batch.end;
        self.left -= batch.jobs.len();
        if self.left == 0 {
            (self.start, self.end) = (self.first, self.first);
            self.is_torn = true;
            // If it fails, the next result tries again before it is written.
            let _ = self.mend();
        }
    }

    /// Removes what is in the file after the whole records.
    fn mend(&mut self) -> io::Result<()> {
        if self.is_torn {
            self.file.set_len(self.end)?;
            self.is_torn = false;
        }
        Ok(())
    }

    fn failed(&self, error: io::Error) -> SpoolError {
        SpoolError::Io { path: self.path.clone(), error }
    }
}

/// The record of a result whose [check](FinishedJob::check) has found no fault.
pub(crate) fn record(job: &FinishedJob) -> Result<Vec<u8>, WireError> {
    // The position of the result gives the job of the lease.
    let mut body = Vec::new();
    body.extend(job.lease.number.to_le_bytes());
    body.extend(job.lease.revision.to_le_bytes());
    body.extend(wire::encode(&job.result)?);
    Ok(frame(&body))
}

/// A body with its head.
fn frame(body: &[u8]) -> Vec<u8> {
    let mut record = Vec::with_capacity(HEAD + body.len());
    record.extend((body.len() as u32).to_le_bytes());
    record.extend(crc32fast::hash(body).to_le_bytes());
    record.extend(crc32fast::hash(&record).to_le_bytes());
    record.extend(body);
    record
}

/// A fault of a record.
#[derive(Debug)]
struct Damage {
    at: usize,
    reason: String,
}

impl Damage {
    fn at(self, start: u64, path: &Path) -> SpoolError {
        let offset = start + self.at as u64;
        SpoolError::Damaged { path: path.to_owned(), offset, reason: self.reason }
    }
}

/// Reads records, at most `most`, up to an incomplete one. Returns the length of the whole ones.
fn read(bytes: &[u8], most: usize) -> Result<(Vec<FinishedJob>, usize), Damage> {
    let mut jobs = Vec::new();
    let mut at = 0;
    while jobs.len() < most {
        match read_one(&bytes[at..]) {
            Ok(Some((job, length))) => {
                jobs.push(job);
                at += length;
            }
            Ok(None) => break,
            Err(reason) => return Err(Damage { at, reason }),
        }
    }
    Ok((jobs, at))
}

/// The body of the first record; `None` if it is incomplete.
fn framed(bytes: &[u8]) -> Result<Option<&[u8]>, String> {
    let Some((head, rest)) = bytes.split_first_chunk::<HEAD>() else { return Ok(None) };
    let [length, sum, own_sum] =
        [0, 4, 8].map(|at| u32::from_le_bytes(std::array::from_fn(|byte| head[at + byte])));
    if crc32fast::hash(&head[..8]) != own_sum {
        return Err("its head does not match its check sum".to_owned());
    }
    let length = length as usize;
    if length > LEASE + wire::MAX_LENGTH {
        return Err(format!("its length is {length}"));
    }
    let Some(body) = rest.get(..length) else { return Ok(None) };
    if crc32fast::hash(body) != sum {
        return Err("it does not match its check sum".to_owned());
    }
    Ok(Some(body))
}

/// Reads a result. Returns it with the length of its record, or `None` if that is incomplete.
fn read_one(bytes: &[u8]) -> Result<Option<(FinishedJob, usize)>, String> {
    let Some(body) = framed(bytes)? else { return Ok(None) };
    let Some((lease, result)) = body.split_first_chunk::<LEASE>() else {
        return Err("it has no lease".to_owned());
    };
    let number = u64::from_le_bytes(std::array::from_fn(|byte| lease[byte]));
    let revision = u32::from_le_bytes(std::array::from_fn(|byte| lease[8 + byte]));
    let result = wire::decode(result).map_err(|error| error.to_string())?;
    let key = PositionKey::try_of(&result.position).map_err(|error| error.to_string())?;
    let lease = Lease { job: key.packed(), number, revision };
    Ok(Some((FinishedJob { lease, result }, HEAD + body.len())))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use komadai_book::LoggedAnalysis;
    use komadai_core::{Analysis, AnalystId, Line, Position, Score};
    use komadai_movegen::MoveGen as _;

    use super::*;

    /// Results of positions after the first moves.
    fn samples(count: usize) -> Vec<FinishedJob> {
        let start = Position::hirate();
        let sample = |(number, &m): (usize, _)| {
            let position = start.after(m).without_history();
            let pv = position.legal_moves().iter().copied().take(number % 4).collect();
            let lines = vec![Line::exact(Score::cp(number as i32), pv)];
            let analysis = Analysis { lines, nodes: 1_000, ..Analysis::default() };
            let key = PositionKey::of(&position).unwrap();
            let number = u64::MAX - number as u64;
            FinishedJob {
                lease: Lease { job: key.packed(), number, revision: 3 },
                result: LoggedAnalysis::new(position, analysis, AnalystId::new("engine", "1")),
            }
        };
        start.legal_moves().iter().take(count).enumerate().map(sample).collect()
    }

    const QUEUE: &str = "a queue";

    fn open(path: &Path) -> Result<Spool, SpoolError> {
        Spool::open(path, QUEUE)
    }

    /// The content of a file without results.
    fn empty() -> Vec<u8> {
        [FIRST_LINE, &frame(QUEUE.as_bytes())].concat()
    }

    fn records(jobs: &[FinishedJob]) -> Vec<Vec<u8>> {
        jobs.iter().map(|job| record(job).unwrap()).collect()
    }

    #[test]
    fn results_leave_in_the_order_in_which_they_came() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spool");
        let jobs = samples(9);
        let mut spool = open(&path).unwrap();
        spool.append(&records(&jobs[..4])).unwrap();
        let batch = spool.first(3).unwrap();
        assert_eq!(batch.jobs, jobs[..3]);
        spool.append(&records(&jobs[4..])).unwrap();
        spool.remove(&batch);
        assert_eq!((spool.left(), &spool.first(1).unwrap().jobs[..]), (6, &jobs[3..4]));
        let error = open(&path).unwrap_err();
        assert!(error.to_string().ends_with("in use by another worker"), "{error}");
        drop(spool);
        // What a killed process had sent is sent again.
        let mut spool = open(&path).unwrap();
        let batch = spool.first(99).unwrap();
        assert_eq!(batch.jobs, jobs);
        spool.remove(&batch);
        assert_eq!((spool.left(), fs::read(&path).unwrap()), (0, empty()));
        spool.append(&records(&jobs[..1])).unwrap();
        assert_eq!(spool.first(99).unwrap().jobs, jobs[..1]);
    }

    #[test]
    fn every_torn_end_is_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spool");
        let jobs = samples(5);
        let records = records(&jobs);
        let bytes = [empty(), records.concat()].concat();
        let mut whole = 0;
        let mut end = empty().len();
        for length in 0..=bytes.len() {
            if records.get(whole).is_some_and(|record| length >= end + record.len()) {
                end += records[whole].len();
                whole += 1;
            }
            fs::write(&path, &bytes[..length]).unwrap();
            let mut spool = open(&path).unwrap();
            assert_eq!(spool.first(99).unwrap().jobs, jobs[..whole], "{length}");
            assert_eq!(fs::metadata(&path).unwrap().len() as usize, end);
            spool.append(&records[..1]).unwrap();
            drop(spool);
            assert_eq!(open(&path).unwrap().left(), whole + 1);
        }
        assert_eq!(whole, 5);
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spool");
        let records = records(&samples(3));
        let bytes = [empty(), records.concat()].concat();
        for bit in 0..8 * bytes.len() {
            let at = bit / 8;
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (bit % 8);
            fs::write(&path, &flipped).unwrap();
            match open(&path).unwrap_err() {
                SpoolError::NoSpool { .. } => assert!(at < FIRST_LINE.len()),
                SpoolError::Damaged { offset, path: named, .. } => {
                    let mut starts = vec![FIRST_LINE.len(), empty().len()];
                    starts.extend(records.iter().map(Vec::len));
                    (2..starts.len()).for_each(|next| starts[next] += starts[next - 1]);
                    let start = starts.into_iter().rfind(|&start| start <= at);
                    assert_eq!((named, Some(offset as usize)), (path.clone(), start));
                }
                error => panic!("{error}"),
            }
            assert_eq!(fs::read(&path).unwrap(), flipped, "a damaged file stays as it is");
        }
    }

    #[test]
    fn results_for_another_queue_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spool");
        let mut spool = open(&path).unwrap();
        spool.append(&records(&samples(2))).unwrap();
        drop(spool);
        let error = Spool::open(&path, "b").unwrap_err();
        let message = "spool has results for a queue, expected some for b";
        assert!(error.to_string().ends_with(message), "{error}");
        let mut spool = open(&path).unwrap();
        let batch = spool.first(9).unwrap();
        assert_eq!(batch.jobs.len(), 2);
        spool.remove(&batch);
        drop(spool);
        // Nothing is left.
        let mut spool = Spool::open(&path, "b").unwrap();
        spool.append(&records(&samples(1))).unwrap();
        drop(spool);
        assert!(matches!(open(&path).unwrap_err(), SpoolError::OtherQueue { .. }));
        assert_eq!(Spool::open(&path, "b").unwrap().left(), 1);
    }

    #[test]
    fn other_files_are_refused_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spool");
        for content in [&b"#KOMADAI-BOOK-LOG 1\n"[..], b"#KOMADAI-SPOOL 2\n", b"x"] {
            fs::write(&path, content).unwrap();
            let error = open(&path).unwrap_err();
            assert!(matches!(error, SpoolError::NoSpool { .. }), "{error}");
            assert_eq!(fs::read(&path).unwrap(), content);
        }
        let error = open(folder.path()).unwrap_err();
        assert!(error.to_string().contains("expected a regular file, found a folder"), "{error}");
    }
}
