//! Opening of a book file for searches.

use std::path::Path;

use komadai_kifu::Tolerance;

use super::{BookProbe, DbProbe, PlyMatch};
use crate::apery::AperyBook;
use crate::book_format::BookFormat;
use crate::file_error::BookFileError;
use crate::ybb::YbbProbe;

/// Opens a book of any format except `.sbk` for searches.
///
/// With the feature `mmap` the file is mapped (see `MappedFile`); without, it is read into memory.
/// Faulty moves are omitted from the records found; move numbers do not matter.
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
    let format = BookFormat::of_file(path)?;
    let io = |error| BookFileError::Io { path: path.to_owned(), error };
    #[cfg(feature = "mmap")]
    let bytes = crate::mapped_file::MappedFile::open(path).map_err(io)?;
    #[cfg(not(feature = "mmap"))]
    let bytes = std::fs::read(path).map_err(io)?;
    let tolerance = Tolerance::Lenient;
    Ok(match format {
        BookFormat::Db => Box::new(DbProbe::new(bytes, PlyMatch::Ignored, tolerance)?),
        BookFormat::Ybb => Box::new(YbbProbe::new(bytes, tolerance)?),
        BookFormat::Apery => Box::new(AperyBook::new(bytes, tolerance)?),
        BookFormat::Sbk => return Err(BookFileError::NoSearch { format }),
    })
}
