//! Records of books of any kind.

use std::path::{Path, PathBuf};

use komadai_bookfile::{BookError, BookFile, BookRecord, Skipped};
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
const SHOWN_FAULTS: usize = 5;

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
                let file = BookFile::open(&path, tolerance).map_err(InputError::book(&path))?;
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
        self.file().map_or(FileKind::Store, |file| FileKind::Book(file.format()))
    }

    /// The book file, unless this is a store, which has no faults.
    fn file(&self) -> Option<&BookFile> {
        match &self.records {
            Records::File(file) => Some(file),
            Records::Store(_) => None,
        }
    }

    /// The number of records read so far.
    pub fn read(&self) -> u64 {
        self.read
    }

    /// The number of faults skipped so far; 0 if the reading is strict.
    pub fn skipped(&self) -> u64 {
        self.file().map_or(0, |file| file.skipped().count())
    }

    /// The faults skipped so far, a line each, and the number of the remaining ones if they are
    /// many.
    pub fn skipped_lines(&self) -> String {
        self.file().map_or_else(String::new, |file| file.skipped().to_string())
    }

    /// After the end, the number of items that the walk through the file did not reach: see
    /// [`BookFile::unreached`].
    pub fn unreached(&self) -> u64 {
        self.file().map_or(0, BookFile::unreached)
    }
}

/// The error for a file that contains nothing but faults, which is different from an empty book.
pub(crate) fn nothing_left(path: &Path, skipped: &Skipped<BookError>) -> InputError {
    let lines = skipped.to_string();
    let first: Vec<&str> = lines.lines().take(SHOWN_FAULTS).collect();
    let (path, first) = (path.to_owned(), first.join("\n"));
    InputError::NothingLeft { path, faults: skipped.count(), first }
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
                file.next().map(|record| record.map_err(InputError::book(&self.path)))
            }
            Records::Store(store) => store.records.next().map(|stored| {
                let mut record = stored?.record;
                record.sort_best_first();
                Ok(record)
            }),
        };
        let faults = self.file().map(BookFile::skipped).filter(|faults| !faults.is_empty());
        let next = match (next, faults) {
            (None, Some(faults)) if self.read == 0 => Some(Err(nothing_left(&self.path, faults))),
            (next, _) => next,
        };
        self.is_over = !matches!(next, Some(Ok(_)));
        self.read += u64::from(!self.is_over);
        next
    }
}
