//! Books to read, whatever they are.

use std::fmt;
use std::path::{Path, PathBuf};

use komadai_kifu::Tolerance;

use crate::inputs::{DATABASE_HEADER, begins_with};
use crate::store::{Store, StoreError, StoreRecords};
use komadai_bookfile::BookRecord;
use komadai_bookfile::{BookFile, BookFileError, BookFormat};

/// The records of a book file of any format or of a working book.
///
/// What it is, its first bytes decide; where they say nothing, its name does. Errors name the file.
///
/// # Examples
///
/// ```
/// use komadai_book::{BookKind, BookSource};
/// use komadai_book::store::Store;
/// use komadai_core::Position;
/// use komadai_kifu::Tolerance;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.kbook");
/// Store::create(&path)?.add_games(&Position::hirate(), "7g7f".parse()?, 3)?;
/// let mut book = BookSource::open(&path, Tolerance::Strict)?;
/// assert_eq!(book.kind(), BookKind::Store);
/// assert_eq!(book.next().expect("a position")?.moves[0].count, Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BookSource {
    path: PathBuf,
    records: Records,
    read: u64,
    is_over: bool,
}

/// What a book is: a file of an exchange format, or a working book.
///
/// It prints as the ending of its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BookKind {
    /// A book file.
    File(BookFormat),
    /// A [`Store`].
    Store,
}

/// Why a book cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookSourceError {
    /// A file cannot be opened, or is no book.
    #[error(transparent)]
    Open(BookFileError),
    /// A book file is at fault.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        error: BookFileError,
    },
    /// A working book, or what has the name of one.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nothing of the file could be used.
    #[error("{}: no position could be read, {faults} faults were found:\n{first}", path.display())]
    NothingLeft {
        /// The file.
        path: PathBuf,
        /// The number of faults.
        faults: u64,
        /// The first of them, a line each.
        first: String,
    },
}

#[derive(Debug)]
enum Records {
    File(Box<BookFile>),
    Store(Box<OpenStore>),
}

#[derive(Debug)]
struct OpenStore {
    records: StoreRecords,
    /// The file must stay open while it is read.
    _store: Store,
}

/// How many faults an error shows.
const SHOWN_FAULTS: usize = 5;

impl BookKind {
    /// What a file is.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or neither its first bytes nor its name tell.
    pub fn of_file(path: impl AsRef<Path>) -> Result<Self, BookSourceError> {
        let path = path.as_ref();
        let in_file = |error| BookSourceError::file(path, error);
        if begins_with(path, &DATABASE_HEADER) || Self::from_path(path) == Some(Self::Store) {
            return Ok(Self::Store);
        }
        BookFormat::of_file(path).map(Self::File).map_err(in_file)
    }

    /// What the ending of a name tells.
    #[must_use]
    pub fn from_path(path: impl AsRef<Path>) -> Option<Self> {
        let path = path.as_ref();
        match path.extension()?.to_str()? {
            name if name.eq_ignore_ascii_case(Self::Store.extension()) => Some(Self::Store),
            _ => BookFormat::from_path(path).map(Self::File),
        }
    }

    /// The ending of its files' names.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::File(format) => format.extension(),
            Self::Store => "kbook",
        }
    }
}

impl fmt::Display for BookKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension())
    }
}

impl BookSource {
    /// Opens a book. Working books have no faults to tolerate.
    ///
    /// # Errors
    ///
    /// As [`BookFile::open`] and [`Store::open_to_read`].
    pub fn open(path: impl AsRef<Path>, tolerance: Tolerance) -> Result<Self, BookSourceError> {
        let path = path.as_ref().to_owned();
        let records = match BookKind::of_file(&path)? {
            BookKind::Store => {
                let store = Store::open_to_read(&path)?;
                Records::Store(Box::new(OpenStore { records: store.records()?, _store: store }))
            }
            BookKind::File(_) => {
                let opened = BookFile::open(&path, tolerance);
                let file = opened.map_err(|error| BookSourceError::file(&path, error))?;
                Records::File(Box::new(file))
            }
        };
        Ok(Self { path, records, read: 0, is_over: false })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> BookKind {
        match &self.records {
            Records::File(file) => BookKind::File(file.format()),
            Records::Store(_) => BookKind::Store,
        }
    }

    /// The number of records read so far.
    #[must_use]
    pub fn read(&self) -> u64 {
        self.read
    }

    /// The number of faults skipped so far; 0 if the reading is strict.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        match &self.records {
            Records::File(file) => file.skipped(),
            Records::Store(_) => 0,
        }
    }

    /// The faults skipped so far, a line each, and how many more there are if they are many.
    #[must_use]
    pub fn skipped_lines(&self) -> String {
        match &self.records {
            Records::File(file) => file.skipped_lines(),
            Records::Store(_) => String::new(),
        }
    }

    /// After the end, what has not been come by: see [`BookFile::unreached`].
    #[must_use]
    pub fn unreached(&self) -> u64 {
        match &self.records {
            Records::File(file) => file.unreached(),
            Records::Store(_) => 0,
        }
    }

    /// A file of nothing but faults is no book that happens to be empty.
    fn nothing_left(&self) -> Option<BookSourceError> {
        let faults = self.skipped();
        let first: Vec<String> =
            self.skipped_lines().lines().take(SHOWN_FAULTS).map(str::to_owned).collect();
        (self.read == 0 && faults > 0).then(|| BookSourceError::NothingLeft {
            path: self.path.clone(),
            faults,
            first: first.join("\n"),
        })
    }
}

/// Nothing comes after an error.
impl Iterator for BookSource {
    type Item = Result<BookRecord, BookSourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = match &mut self.records {
            Records::File(file) => file
                .next()
                .map(|record| record.map_err(|error| BookSourceError::file(&self.path, error))),
            Records::Store(store) => store.records.next().map(|stored| {
                let mut record = stored?.record;
                record.sort_best_first();
                Ok(record)
            }),
        };
        let next = next.or_else(|| self.nothing_left().map(Err));
        self.is_over = !matches!(next, Some(Ok(_)));
        self.read += u64::from(!self.is_over);
        next
    }
}

impl BookSourceError {
    fn file(path: &Path, error: BookFileError) -> Self {
        match error {
            // These say which file it is by themselves.
            BookFileError::Io { .. } | BookFileError::UnknownFormat { .. } => Self::Open(error),
            _ => Self::File { path: path.to_owned(), error },
        }
    }
}
