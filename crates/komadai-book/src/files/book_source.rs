//! Records of books of any kind.

use std::path::{Path, PathBuf};

use komadai_bookfile::{BookFile, BookFileError, BookRecord};
use komadai_kifu::Tolerance;

use crate::files::file_kind::FileKind;
use crate::files::input_error::InputError;
use crate::store::{Store, StoreRows};
use crate::stored_record::StoredRecord;

/// The records of a book file of any format or of a working book.
///
/// The kind of the file is that of [`FileKind::of_book`]. Errors name the file.
///
/// # Examples
///
/// ```
/// use komadai_book::{BookSource, FileKind};
/// use komadai_book::store::Store;
/// use komadai_core::Position;
/// use komadai_kifu::Tolerance;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.kbook");
/// Store::create(&path)?.add_games(&Position::hirate(), "7g7f".parse()?, 3)?;
/// let mut book = BookSource::open(&path, Tolerance::Strict)?;
/// assert_eq!(book.kind(), FileKind::Store);
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

#[derive(Debug)]
enum Records {
    File(Box<BookFile>),
    Store(Box<OpenStore>),
}

#[derive(Debug)]
struct OpenStore {
    records: StoreRows<StoredRecord>,
    // The records read from the open database, which closes with the store.
    _store: Store,
}

/// The maximum number of faults that an error quotes.
pub(crate) const SHOWN_FAULTS: usize = 5;

impl BookSource {
    /// Opens a book. `tolerance` matters for book files only. A working book is
    /// [verified](Store::verify).
    ///
    /// # Errors
    ///
    /// As [`BookFile::open`], [`Store::open_to_read`] and [`Store::verify`].
    pub fn open(path: impl AsRef<Path>, tolerance: Tolerance) -> Result<Self, InputError> {
        let path = path.as_ref().to_owned();
        let records = match FileKind::of_book(&path)? {
            FileKind::Store => {
                let mut store = Store::open_to_read(&path)?;
                store.verify()?;
                Records::Store(Box::new(OpenStore { records: store.records()?, _store: store }))
            }
            _ => {
                let opened = BookFile::open(&path, tolerance);
                let file = opened.map_err(|error| in_file(&path, error))?;
                Records::File(Box::new(file))
            }
        };
        Ok(Self { path, records, read: 0, is_over: false })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The kind of the file.
    pub fn kind(&self) -> FileKind {
        match &self.records {
            Records::File(file) => FileKind::Book(file.format()),
            Records::Store(_) => FileKind::Store,
        }
    }

    /// The number of records read so far.
    pub fn read(&self) -> u64 {
        self.read
    }

    /// The number of faults skipped so far; 0 if the reading is strict.
    pub fn skipped(&self) -> u64 {
        match &self.records {
            Records::File(file) => file.skipped(),
            Records::Store(_) => 0,
        }
    }

    /// The faults skipped so far, a line each, and the number of the remaining ones if they are
    /// many.
    pub fn skipped_lines(&self) -> String {
        match &self.records {
            Records::File(file) => file.skipped_lines(),
            Records::Store(_) => String::new(),
        }
    }

    /// After the end, the number of items that the walk through the file did not reach: see
    /// [`BookFile::unreached`].
    pub fn unreached(&self) -> u64 {
        match &self.records {
            Records::File(file) => file.unreached(),
            Records::Store(_) => 0,
        }
    }

    /// The error for a file that contains nothing but faults, which is different from an empty
    /// book.
    fn nothing_left(&self) -> Option<InputError> {
        let faults = self.skipped();
        let first: Vec<String> =
            self.skipped_lines().lines().take(SHOWN_FAULTS).map(str::to_owned).collect();
        (self.read == 0 && faults > 0).then(|| InputError::NothingLeft {
            path: self.path.clone(),
            faults,
            first: first.join("\n"),
        })
    }
}

/// An error ends the iteration.
impl Iterator for BookSource {
    type Item = Result<BookRecord, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = match &mut self.records {
            Records::File(file) => {
                file.next().map(|record| record.map_err(|error| in_file(&self.path, error)))
            }
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

fn in_file(path: &Path, error: BookFileError) -> InputError {
    InputError::Book { path: path.to_owned(), error }
}
