//! A book that writes down what it learns.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use komadai_core::{Analysis, Move, Position};
use komadai_kifu::Tolerance;

use crate::AnalystId;
use crate::atomic_file::write_atomically;
use crate::book::{Book, EntryError};
use crate::error::BookError;
use crate::lock::Lock;
use crate::log_file::{LOG_HEADER, LogImport, LogReader, LogWriter, wrong_header};
use crate::merge::{Merged, Provenance};

/// A book together with its log on disk, to which everything that is added is appended.
///
/// After [`sync`](Self::sync) nothing that was added can be lost. A process that ends at any other
/// moment loses what it had not written, and at most one line is torn; opening the log again drops
/// that line. A log is open once at a time: an empty file `.NAME.lock` beside it sees to that.
///
/// # Examples
///
/// ```
/// use komadai_book::{AnalystId, LoggedBook};
/// use komadai_core::{Analysis, Bound, Line, Position, Score};
/// use komadai_kifu::Tolerance;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.log");
/// let (mut book, _) = LoggedBook::open(&path, Tolerance::Strict)?;
/// let line = Line { score: Score::cp(35), bound: Bound::Exact, pv: "2g2f 8c8d".parse()? };
/// let analysis = Analysis { lines: vec![line], nodes: 50_000, ..Analysis::default() };
/// book.merge_analysis(&Position::hirate(), &analysis, &AnalystId::new("engine", "1"), 0)?;
/// drop(book);
///
/// let (again, _) = LoggedBook::open(&path, Tolerance::Strict)?;
/// assert_eq!(again.book().evaluations(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LoggedBook {
    book: Book,
    log: LogWriter<BufWriter<File>>,
    path: PathBuf,
    _lock: Lock,
}

/// Why a logged book cannot be opened or added to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoggedBookError {
    /// The log cannot be read or written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The log.
        path: PathBuf,
        /// What happened.
        #[source]
        error: io::Error,
    },
    /// Another process, or this one, has opened the log and not closed it.
    #[error("{}: in use by another process", .path.display())]
    InUse {
        /// The log.
        path: PathBuf,
    },
    /// The log is at fault.
    #[error("{}: {error}", .path.display())]
    Log {
        /// The log.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        error: BookError,
    },
    /// Something cannot be put into the book.
    #[error(transparent)]
    Entry(#[from] EntryError),
}

impl LoggedBook {
    /// Opens the log at `path`, which is created if there is none, and reads the book from it. A torn
    /// last line is cut off. Until the book is dropped nobody else can open the log.
    ///
    /// # Errors
    ///
    /// If the log cannot be read or written or is open already, or the file does not begin like a log
    /// (it is left alone then); if the reading is strict, also for the first fault.
    pub fn open(
        path: impl Into<PathBuf>,
        tolerance: Tolerance,
    ) -> Result<(Self, LogImport), LoggedBookError> {
        let path = real_path(path.into());
        let lock = lock(&path)?;
        Self::open_locked(path, lock, tolerance)
    }

    /// Begins a new log at `path`. A log that is there already, and says anything, is kept as
    /// `NAME.old`, or `NAME.old2` and so on if there is such a file; where is returned.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn begin(path: impl Into<PathBuf>) -> Result<(Self, Option<PathBuf>), LoggedBookError> {
        let path = real_path(path.into());
        let lock = lock(&path)?;
        let kept =
            keep(&path).map_err(|error| LoggedBookError::Io { path: path.clone(), error })?;
        let (book, _) = Self::open_locked(path, lock, Tolerance::Strict)?;
        Ok((book, kept))
    }

    fn open_locked(
        path: PathBuf,
        lock: Lock,
        tolerance: Tolerance,
    ) -> Result<(Self, LogImport), LoggedBookError> {
        let in_file = |error| LoggedBookError::Io { path: path.clone(), error };
        let file =
            OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(in_file)?;
        if let Some(error) = foreign_beginning(&file).map_err(in_file)? {
            return Err(LoggedBookError::Log { path, error });
        }
        let length = whole_lines(&file).map_err(in_file)?;
        let mut book = Book::new();
        let import = if length == 0 {
            LogImport::default()
        } else {
            (&file).seek(SeekFrom::Start(0)).map_err(in_file)?;
            let reader = LogReader::new(BufReader::new(&file), tolerance);
            let log_fault = |error| LoggedBookError::Log { path: path.clone(), error };
            reader.read_into(&mut book).map_err(log_fault)?
        };
        let mut log = LogWriter::new(BufWriter::new(file));
        if length == 0 {
            log.header().map_err(in_file)?;
        }
        Ok((Self { book, log, path, _lock: lock }, import))
    }

    /// The book.
    #[must_use]
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// Where the log is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds everything that `other` has, its inputs included, and logs all of it or nothing: the log is
    /// written anew and replaces the old one. When this returns, nothing of it can be lost.
    ///
    /// Takes time proportional to the length of the log.
    ///
    /// # Errors
    ///
    /// If the log cannot be written, or this book is full. The log on disk is as it was before then,
    /// but this book may have taken over a part; open the log again to go on.
    pub fn merge(&mut self, other: &Book) -> Result<Merged, LoggedBookError> {
        if other.is_empty() && other.inputs().is_empty() {
            return Ok(Merged::default());
        }
        let merged = self.book.merge(other)?;
        other.inputs().iter().for_each(|input| self.book.add_input(input.clone()));
        self.sync()?;
        self.log = self.extended_log(other).map_err(|error| self.io_error(error))?;
        Ok(merged)
    }

    /// Replaces the log by one that ends with everything `other` has, to be gone on with.
    fn extended_log(&self, other: &Book) -> io::Result<LogWriter<BufWriter<File>>> {
        write_atomically(&self.path, |out| {
            io::copy(&mut File::open(&self.path)?, out)?;
            LogWriter::new(out).book(other)
        })?;
        let file = OpenOptions::new().append(true).open(&self.path)?;
        Ok(LogWriter::new(BufWriter::new(file)))
    }

    /// Adds and logs what an analyst found out: see [`Book::merge_analysis`]. `when` is in seconds
    /// since the beginning of 1970.
    ///
    /// # Errors
    ///
    /// If the log cannot be written, or a line begins with an illegal move.
    pub fn merge_analysis(
        &mut self,
        position: &Position,
        analysis: &Analysis,
        analyst: &AnalystId,
        when: u64,
    ) -> Result<Merged, LoggedBookError> {
        let provenance = Provenance { analyst: self.book.analyst(analyst), when };
        let merged = self.book.merge_analysis(position, analysis, provenance)?;
        for line in &analysis.lines {
            if let Some(&m) = line.pv.first() {
                self.log_newest(position, m, analyst)?;
            }
        }
        Ok(merged)
    }

    /// Adds and logs the value of a move that follows from an analysis of the position after it: see
    /// [`Book::merge_successor_analysis`]. `when` is in seconds since the beginning of 1970.
    ///
    /// # Errors
    ///
    /// If the log cannot be written, or the move is illegal.
    pub fn merge_successor_analysis(
        &mut self,
        position: &Position,
        m: Move,
        analysis: &Analysis,
        analyst: &AnalystId,
        when: u64,
    ) -> Result<Merged, LoggedBookError> {
        let provenance = Provenance { analyst: self.book.analyst(analyst), when };
        let merged = self.book.merge_successor_analysis(position, m, analysis, provenance)?;
        if !analysis.lines.is_empty() {
            self.log_newest(position, m, analyst)?;
        }
        Ok(merged)
    }

    /// Writes everything to disk; what has been added so far cannot be lost any more.
    ///
    /// # Errors
    ///
    /// If the log cannot be written.
    pub fn sync(&mut self) -> Result<(), LoggedBookError> {
        let out = self.log.out();
        let synced = out.flush().and_then(|()| out.get_ref().sync_data());
        synced.map_err(|error| self.io_error(error))
    }

    /// Logs the newest evaluation of a move.
    fn log_newest(
        &mut self,
        position: &Position,
        m: Move,
        analyst: &AnalystId,
    ) -> Result<(), LoggedBookError> {
        let Some(listed) = self.book.entry(position).and_then(|entry| entry.find(m)) else {
            return Ok(());
        };
        let Some(evaluation) = listed.log.last() else { return Ok(()) };
        let written = self.log.evaluation(position, m, evaluation, analyst, listed.ponder);
        written.map_err(|error| self.io_error(error))
    }

    fn io_error(&self, error: io::Error) -> LoggedBookError {
        LoggedBookError::Io { path: self.path.clone(), error }
    }
}

/// Where the file is that symbolic links lead to.
fn real_path(path: PathBuf) -> PathBuf {
    fs::canonicalize(&path).unwrap_or(path)
}

fn lock(path: &Path) -> Result<Lock, LoggedBookError> {
    let path = path.to_owned();
    match Lock::take(&path) {
        Ok(Some(lock)) => Ok(lock),
        Ok(None) => Err(LoggedBookError::InUse { path }),
        Err(error) => Err(LoggedBookError::Io { path, error }),
    }
}

/// Gives a file that says anything another name, which is returned.
fn keep(path: &Path) -> io::Result<Option<PathBuf>> {
    match fs::metadata(path) {
        Ok(data) if data.len() > LOG_HEADER.len() as u64 + 2 => {}
        Ok(_) => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    }
    let name = |number: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(".old");
        if number > 1 {
            name.push(number.to_string());
        }
        PathBuf::from(name)
    };
    let kept = (1..).map(name).find(|name| fs::symlink_metadata(name).is_err());
    let kept = kept.expect("a folder has fewer files than there are numbers");
    fs::rename(path, &kept)?;
    Ok(Some(kept))
}

/// What is wrong with the beginning of a file that is no log. A log may have been cut off within its
/// first line.
fn foreign_beginning(mut file: &File) -> io::Result<Option<BookError>> {
    let mut beginning = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(LOG_HEADER.len() as u64 + 1).read_to_end(&mut beginning)?;
    let is_ours = match beginning.strip_prefix(LOG_HEADER.as_bytes()) {
        Some(rest) => matches!(rest, b"" | b"\n" | b"\r"),
        None => LOG_HEADER.as_bytes().starts_with(&beginning),
    };
    let text = String::from_utf8_lossy(&beginning);
    Ok((!is_ours).then(|| wrong_header(text.lines().next().unwrap_or_default())))
}

/// Cuts off what follows the last line end, and returns the length that is left.
fn whole_lines(mut file: &File) -> io::Result<u64> {
    const STEP: u64 = 4_096;
    let mut end = file.seek(SeekFrom::End(0))?;
    let length = end;
    let whole = loop {
        let start = end.saturating_sub(STEP);
        let mut bytes = vec![0; (end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut bytes)?;
        match bytes.iter().rposition(|&byte| byte == b'\n') {
            Some(at) => break start + at as u64 + 1,
            None if start == 0 => break 0,
            None => end = start,
        }
    };
    if whole < length {
        file.set_len(whole)?;
    }
    Ok(whole)
}
