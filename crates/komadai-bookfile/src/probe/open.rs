//! Opening of a book file for searches.

use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use komadai_base::reading::Tolerance;
use komadai_core::Position;

use super::{BookProbe, DbProbe, PlyMatch};
use crate::apery::AperyBook;
use crate::book_format::BookFormat;
use crate::error::BookError;
use crate::file_error::BookFileError;
use crate::record::BookRecord;
use crate::ybb::YbbProbe;

/// Opens a book of any format except `.sbk` for searches.
///
/// A search reads only the parts of the file that it compares; on systems other than Unix and
/// Windows the file is read into memory. Faulty moves are omitted from the records found; move
/// numbers do not matter.
///
/// If another program writes into the file, the next search opens it again and returns its new
/// content, or [`BookError::Changed`] as long as that is not a book. If the file is replaced by
/// renaming ([`write_atomically`](komadai_base::atomic_file::write_atomically)), searches continue
/// in the old content.
///
/// # Errors
///
/// If the file cannot be read, has an unknown format, or is damaged, or if it is a ShogiGUI book:
/// its positions are only found by walking through the whole file
/// ([`SbkReader`](crate::sbk::SbkReader)).
///
/// # Examples
///
/// ```
/// use komadai_bookfile::open_probe;
/// use komadai_core::Position;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.db");
/// std::fs::write(&path, "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n7g7f\n")?;
/// let book = open_probe(&path)?;
/// let start = book.probe(&Position::hirate())?.expect("it is in the book");
/// assert_eq!(start.moves[0].m.to_string(), "7g7f");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open_probe(path: impl AsRef<Path>) -> Result<Box<dyn BookProbe>, BookFileError> {
    let path = path.as_ref();
    let content = RwLock::new(open_content(path)?);
    Ok(Box::new(FileProbe { path: path.to_owned(), content }))
}

/// A book in a file that other programs may change.
#[derive(Debug)]
struct FileProbe {
    path: PathBuf,
    content: RwLock<Box<dyn BookProbe>>,
}

impl BookProbe for FileProbe {
    fn probe_same_orientation(&self, position: &Position) -> Result<Option<BookRecord>, BookError> {
        let content = self.content.read().unwrap_or_else(PoisonError::into_inner);
        let found = content.probe_same_orientation(position);
        drop(content);
        if !matches!(found, Err(BookError::Changed)) {
            return found;
        }
        let Ok(content) = open_content(&self.path) else { return found };
        let found = content.probe_same_orientation(position);
        *self.content.write().unwrap_or_else(PoisonError::into_inner) = content;
        found
    }
}

fn open_content(path: &Path) -> Result<Box<dyn BookProbe>, BookFileError> {
    let format = BookFormat::of_file(path)?;
    #[cfg(any(unix, windows))]
    let bytes = crate::file_bytes::FileBytes::open(path).map_err(BookFileError::io(path))?;
    #[cfg(not(any(unix, windows)))]
    let bytes = crate::book_file::read_all(path)?;
    let tolerance = Tolerance::Lenient;
    Ok(match format {
        BookFormat::Db => Box::new(DbProbe::new(bytes, PlyMatch::Ignored, tolerance)?),
        BookFormat::Ybb => Box::new(YbbProbe::new(bytes, tolerance)?),
        BookFormat::Apery => Box::new(AperyBook::new(bytes, tolerance)?),
        BookFormat::Sbk => return Err(BookFileError::NoSearch { format }),
    })
}
