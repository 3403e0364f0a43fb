//! Opening of a book of any kind for a player.

use std::path::Path;

use komadai_bookfile::{BookError, BookFileError, BookProbe, BookReading, BookRecord, OpenedBook};
use komadai_bookgraph::BookGraph;
use komadai_core::Position;

use crate::files::file_kind::FileKind;
use crate::store::{Store, StoreError};

/// Opens a book for a player: a file of an exchange format, as [`komadai_bookfile::open_book`]
/// does, or a [`Store`].
///
/// A store that is read whole has propagated values, one that is read on disk those of its
/// evaluations. The function is a [`BookOpener`](komadai_bookfile::BookOpener).
///
/// # Errors
///
/// If the file cannot be read, is not a book, or cannot be read in the requested way. An error of a
/// store is a [`BookError::Foreign`] with the [`StoreError`], which names the file.
///
/// # Examples
///
/// ```
/// use komadai_book::open_book;
/// use komadai_book::store::Store;
/// use komadai_bookfile::BookReading;
/// use komadai_core::Position;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.kbook");
/// let start = Position::hirate();
/// Store::create(&path)?.add_games(&start, "7g7f".parse()?, 1)?;
/// let book = open_book(&path, BookReading::OnTheFly)?;
/// assert_eq!(book.positions, Some(1));
/// assert!(book.probe.probe(&start)?.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open_book(path: &Path, reading: BookReading) -> Result<OpenedBook, BookFileError> {
    if !matches!(FileKind::of_book(path), Ok(FileKind::Store)) {
        return komadai_bookfile::open_book(path, reading);
    }
    let store = Store::open_to_read(path).map_err(foreign)?;
    let positions = Some(store.len().map_err(foreign)?);
    let probe: Box<dyn BookProbe> = match reading {
        BookReading::OnTheFly => Box::new(store),
        BookReading::Memory => Box::new(PropagatedValues(store.graph().map_err(foreign)?)),
    };
    Ok(OpenedBook { probe, positions, faults: 0 })
}

fn foreign(error: StoreError) -> BookError {
    BookError::Foreign(Box::new(error))
}

impl BookProbe for Store {
    /// Finds both orientations at once.
    fn probe_same_orientation(&self, position: &Position) -> Result<Option<BookRecord>, BookError> {
        Ok(self.position(position).map_err(foreign)?.map(|stored| stored.record))
    }
}

/// A graph whose propagated values count, not the listed ones.
#[derive(Debug)]
struct PropagatedValues(BookGraph);

impl BookProbe for PropagatedValues {
    /// Finds both orientations at once.
    fn probe_same_orientation(&self, position: &Position) -> Result<Option<BookRecord>, BookError> {
        Ok(self.0.valued_record(position))
    }
}
