//! The games of files, archives and folders, read on several threads in bounded memory.

use std::fs;
use std::iter::Peekable;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::vec;

use komadai::games::{FileStamp, IndexError, IndexedFile, IndexedFiles};
use komadai::kifu::record_files::folder::{FolderError, FolderFiles};
use komadai::kifu::record_files::{FileFault, FileRecord};
use komadai::kifu::{FilesReport, RecordFiles, RecordFilesOptions, Skipped, Tolerance};
use komadai_console::{Pipeline, StatusLine, threads};

use crate::arguments::faults::failure;

/// Largest size in bytes of a file that one thread reads whole. The games of larger ones and of archives
/// are read one by one and shared among the threads, so that no thread holds all of them.
const SMALL: u64 = 1 << 16;

/// A piece of work.
enum Job {
    /// A small file.
    File(PathBuf),
    /// A game of a large one.
    Game(Box<FileRecord>),
    /// The end of a large one.
    End(Box<FileEnd>),
    /// A file that has not changed since an index was made.
    Kept(IndexedFile),
    /// A folder that cannot be read, or a fault of the old index.
    Failed(String),
}

/// The outcome of a piece of work.
pub(super) enum Found<T> {
    /// The part of a game that was asked for.
    Item(T),
    /// A game, a file or a folder that cannot be read.
    Failure(String),
    /// The end of a file.
    End(Box<FileEnd>),
    /// A file that has not changed.
    Kept(IndexedFile),
}

/// A file that has been read to its end.
pub(super) struct FileEnd {
    pub(super) path: PathBuf,
    /// The stamp before the reading; `None` if there is none.
    pub(super) stamp: Option<FileStamp>,
    pub(super) report: FilesReport,
    pub(super) skipped: Skipped<FileFault>,
}

/// A reading of many files.
pub(super) struct Collection {
    pub(super) roots: Vec<PathBuf>,
    pub(super) jobs: Option<NonZero<usize>>,
    /// The files of an index that is brought up to date.
    pub(super) old: Option<IndexedFiles>,
    /// Ends the reading after the pieces of work that are under way.
    pub(super) stop: Arc<AtomicBool>,
}

impl Collection {
    /// Reads all games, and calls `each` with the outcomes in the order of the files. `item` makes
    /// what is asked for of a game, on any thread.
    pub(super) fn read<T: Send, E>(
        self,
        item: impl Fn(FileRecord) -> Result<Option<T>, String> + Sync,
        mut each: impl FnMut(Found<T>) -> Result<(), E>,
    ) -> Result<(), E> {
        let Self { roots, jobs, old, stop } = self;
        let reading = Reading {
            roots: roots.into_iter(),
            folder: None,
            large: None,
            old: old.map(Iterator::peekable),
            stop,
        };
        let pipeline = Pipeline { threads: threads(jobs).get(), stop: Arc::default() };
        pipeline.run(
            reading,
            || (),
            |(), job| work(job, &item),
            |batch: Vec<Vec<Found<T>>>, _| batch.into_iter().flatten().try_for_each(&mut each),
            || {},
        )
    }
}

/// Does a piece of work.
fn work<T>(job: Job, item: impl Fn(FileRecord) -> Result<Option<T>, String>) -> Vec<Found<T>> {
    let found = |record| match item(record) {
        Ok(None) => None,
        Ok(Some(item)) => Some(Found::Item(item)),
        Err(failure) => Some(Found::Failure(failure)),
    };
    match job {
        Job::File(path) => {
            let mut large = Large::open(path);
            let mut all: Vec<Found<T>> = large.files.by_ref().filter_map(found).collect();
            all.push(Found::End(Box::new(large.end())));
            all
        }
        Job::Game(record) => found(*record).into_iter().collect(),
        Job::End(end) => vec![Found::End(end)],
        Job::Kept(file) => vec![Found::Kept(file)],
        Job::Failed(failure) => vec![Found::Failure(failure)],
    }
}

/// The reader of the paths and of large files.
struct Reading {
    roots: vec::IntoIter<PathBuf>,
    folder: Option<FolderFiles>,
    large: Option<Large>,
    old: Option<Peekable<IndexedFiles>>,
    stop: Arc<AtomicBool>,
}

/// A file that is being read.
struct Large {
    path: PathBuf,
    stamp: Option<FileStamp>,
    files: RecordFiles,
}

impl Large {
    fn open(path: PathBuf) -> Self {
        let options =
            RecordFilesOptions { tolerance: Tolerance::Lenient, ..RecordFilesOptions::default() };
        let stamp = FileStamp::of(&path).ok();
        Self { stamp, files: RecordFiles::open(&path, options), path }
    }

    fn end(self) -> FileEnd {
        let report = *self.files.report();
        let skipped = self.files.into_skipped();
        FileEnd { path: self.path, stamp: self.stamp, report, skipped }
    }
}

impl Iterator for Reading {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(mut large) = self.large.take() {
                return Some(match large.files.next() {
                    Some(record) => {
                        self.large = Some(large);
                        Job::Game(Box::new(record))
                    }
                    None => Job::End(Box::new(large.end())),
                });
            }
            let Some(folder) = &mut self.folder else {
                self.folder = Some(FolderFiles::open(self.roots.next()?, FolderFiles::is_record));
                continue;
            };
            match folder.next() {
                Some(Ok(path)) => match self.kept(&path) {
                    Ok(Some(file)) => return Some(Job::Kept(file)),
                    Ok(None) if is_small(&path) => return Some(Job::File(path)),
                    Ok(None) => self.large = Some(Large::open(path)),
                    Err(error) => return Some(Job::Failed(error.to_string())),
                },
                Some(Err(error)) => return Some(Job::Failed(in_words(&error))),
                None => self.folder = None,
            }
        }
    }
}

impl Reading {
    /// Returns the file of the old index with this path if it has not changed.
    fn kept(&mut self, path: &Path) -> Result<Option<IndexedFile>, IndexError> {
        let Some(old) = &mut self.old else { return Ok(None) };
        next_of(old, path)
    }
}

/// Returns the next file of an index if it is this one and has not changed. Files before it are passed
/// over: they are not there any more.
pub(super) fn next_of(
    old: &mut Peekable<IndexedFiles>,
    path: &Path,
) -> Result<Option<IndexedFile>, IndexError> {
    let is_before = |file: &Result<IndexedFile, _>| {
        file.as_ref().is_ok_and(|file: &IndexedFile| file.path.as_path() < path)
    };
    while old.next_if(is_before).is_some() {}
    match old.next_if(|file| file.as_ref().map_or(true, |file| file.path == path)) {
        Some(Ok(file)) => {
            Ok(FileStamp::of(path).is_ok_and(|stamp| stamp == file.stamp).then_some(file))
        }
        Some(Err(error)) => Err(error),
        None => Ok(None),
    }
}

/// Checks for a file that is small after decompression, too.
fn is_small(path: &Path) -> bool {
    let packed = ["zip", "7z", "gz"];
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    !packed.iter().any(|one| one.eq_ignore_ascii_case(ending))
        && fs::metadata(path).is_ok_and(|found| found.len() <= SMALL)
}

fn in_words(error: &FolderError) -> String {
    error.to_string()
}

/// Returns the paths without those below another one, in the order in which an index has them.
pub(super) fn sorted_roots(paths: &[PathBuf]) -> std::io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> =
        paths.iter().map(std::path::absolute).collect::<std::io::Result<_>>()?;
    paths.sort();
    let mut roots: Vec<PathBuf> = Vec::new();
    for path in paths {
        if !roots.iter().any(|root| path.starts_with(root)) {
            roots.push(path);
        }
    }
    Ok(roots)
}

/// Returns a game of a file, or the reason why it cannot be read.
pub(super) fn readable(
    found: FileRecord,
) -> Result<(komadai::kifu::FilePlace, komadai::kifu::Record), String> {
    match found.record {
        Ok(record) => Ok((found.place, record)),
        Err(error) => Err(failure(&found.place, error)),
    }
}

/// The sums of a reading, with its progress on a terminal.
pub(super) struct Tally {
    pub(super) report: FilesReport,
    pub(super) skipped: Skipped<FileFault>,
    failures: u64,
    status: Option<StatusLine>,
}

/// Number of failures that are printed.
const LISTED: u64 = 20;

impl Tally {
    pub(super) fn new() -> Self {
        Self {
            report: FilesReport::default(),
            skipped: Skipped::default(),
            failures: 0,
            status: Some(StatusLine::new()),
        }
    }

    /// Prints a failure, unless there were many.
    pub(super) fn fail(&mut self, failure: &str) {
        self.failures += 1;
        if self.failures <= LISTED {
            komadai_console::note!("{failure}");
        }
    }

    pub(super) fn end_file(&mut self, end: FileEnd) {
        self.report += end.report;
        self.skipped.append(end.skipped);
    }

    /// Shows the progress in words.
    pub(super) fn show(&self, words: impl FnOnce() -> String) {
        if let Some(status) = &self.status {
            status.set(|_| words());
        }
    }

    /// Ends the progress, prints the faults, and returns the number of games, files and moves that
    /// were lost.
    pub(super) fn finish(&mut self) -> u64 {
        self.status = None;
        if self.failures > LISTED {
            komadai_console::note!("and {} more failures", self.failures - LISTED);
        }
        crate::arguments::faults::print_faults(&self.skipped);
        self.failures + self.report.lost_moves
    }
}
