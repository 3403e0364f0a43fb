//! Book files of any format.

use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::Path;

use komadai_base::file::{open_regular, read_regular};
use komadai_base::reading::{Skipped, Tolerance};
use komadai_core::{Handicap, Position};

use crate::apery::{AperyBook, AperyWalk, Follow};
use crate::book_format::BookFormat;
use crate::db::DbReader;
use crate::error::BookError;
use crate::file_error::BookFileError;
use crate::record::BookRecord;
use crate::sbk::SbkReader;
use crate::ybb::YbbReader;

/// The number of bytes from the start of a file by which its format is recognised.
const HEAD_BYTES: u64 = 64;

/// The records of a book file of any format.
///
/// `.db` and `.ybb` books are read in bounded memory. `.sbk` and `.bin` books are loaded, and their
/// positions are found by walking along the moves: in an `.sbk` book from the positions that the
/// file states, in a `.bin` book from the start positions of the even game and of all handicaps.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::{BookFile, BookFormat};
/// use komadai_bookfile::Tolerance;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.db");
/// std::fs::write(&path, "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n7g7f\n")?;
/// let mut book = BookFile::open(&path, Tolerance::Strict)?;
/// assert_eq!(book.format(), BookFormat::Db);
/// let record = book.next().expect("a position")?;
/// assert_eq!(record.moves[0].m.to_string(), "7g7f");
/// assert!(book.next().is_none());
/// assert!(book.skipped().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BookFile {
    format: BookFormat,
    records: Records,
}

#[derive(Debug)]
enum Records {
    Db(Box<DbReader<BufReader<File>>>),
    Ybb(Box<YbbReader<File>>),
    Apery(Box<AperyWalk<Vec<u8>>>),
    Sbk(Box<SbkReader<Vec<u8>>>),
}

impl BookFile {
    /// Opens a book.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, has an unknown format, or starts with a fault that `tolerance`
    /// does not allow.
    pub fn open(path: impl AsRef<Path>, tolerance: Tolerance) -> Result<Self, BookFileError> {
        let path = path.as_ref();
        let format = BookFormat::of_file(path)?;
        let file = open_regular(path).map_err(BookFileError::io(path))?;
        let records = match format {
            BookFormat::Db => Records::Db(Box::new(DbReader::new(BufReader::new(file), tolerance))),
            BookFormat::Ybb => Records::Ybb(Box::new(YbbReader::new(file, tolerance)?)),
            BookFormat::Sbk => Records::Sbk(Box::new(SbkReader::new(read_all(path)?, tolerance)?)),
            BookFormat::Apery => {
                // Books made for one side list no moves of the opponent: a walk along listed moves
                // only would end after one move.
                let book = AperyBook::new(read_all(path)?, tolerance)?;
                Records::Apery(Box::new(book.into_walk(starts(), Follow::Legal)))
            }
        };
        Ok(Self { format, records })
    }

    /// The format of the file.
    pub fn format(&self) -> BookFormat {
        self.format
    }

    /// The faults skipped so far; none if the reading is strict.
    pub fn skipped(&self) -> &Skipped<BookError> {
        match &self.records {
            Records::Db(reader) => reader.skipped(),
            Records::Ybb(reader) => reader.skipped(),
            Records::Apery(walk) => walk.skipped(),
            Records::Sbk(reader) => reader.skipped(),
        }
    }

    /// The number of moves of a `.bin` book, or states of an `.sbk` book, that the walk has not
    /// reached; 0 for the other formats. After the last record, these cannot be reached.
    pub fn unreached(&self) -> u64 {
        match &self.records {
            Records::Db(_) | Records::Ybb(_) => 0,
            Records::Apery(walk) => walk.unreached(),
            Records::Sbk(reader) => reader.unreached() as u64,
        }
    }
}

impl Iterator for BookFile {
    type Item = Result<BookRecord, BookFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.records {
            Records::Db(reader) => reader.next().map(|record| Ok(record?)),
            Records::Ybb(reader) => reader.next().map(|record| Ok(record?)),
            Records::Apery(walk) => walk.next().map(|record| Ok(record?)),
            Records::Sbk(reader) => reader.next().map(|record| Ok(record?)),
        }
    }
}

impl BookFormat {
    /// The format of a file: the one that its first bytes state, or else the one that its extension
    /// names.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or neither determines a format.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_bookfile::BookFormat;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("book.txt");
    /// std::fs::write(&path, "#YANEURAOU-DB2016 1.00\n")?;
    /// assert_eq!(BookFormat::of_file(&path)?, BookFormat::Db);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_file(path: impl AsRef<Path>) -> Result<Self, BookFileError> {
        let path = path.as_ref();
        let mut head = Vec::new();
        open_regular(path)
            .and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head))
            .map_err(BookFileError::io(path))?;
        // Content first: a renamed file stays what it is, and the extension `.bin` is used for many
        // other things.
        Self::from_first_bytes(&head)
            .or_else(|| Self::from_path(path))
            .ok_or_else(|| BookFileError::UnknownFormat { path: path.to_owned() })
    }
}

/// Reads a whole book.
pub(crate) fn read_all(path: &Path) -> Result<Vec<u8>, BookFileError> {
    read_regular(path).map_err(BookFileError::io(path))
}

/// The start positions of the even game and of all handicaps.
fn starts() -> impl Iterator<Item = Position> {
    Handicap::ALL.into_iter().filter_map(|handicap| Position::from_setup(&handicap.to_setup()).ok())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn content_goes_before_extension() {
        let folder = tempfile::tempdir().unwrap();
        let start = b"sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
        for (name, content, format) in [
            ("a.ybb", b"#YANEURAOU-DB2016 1.00\n".as_slice(), Some(BookFormat::Db)),
            ("a.txt", start, Some(BookFormat::Db)),
            ("a.DB", start, Some(BookFormat::Db)),
            ("a.bin", b"Dear Sir,", Some(BookFormat::Apery)),
            ("a.kbook", b"Dear Sir,", None),
            ("a", b"", None),
        ] {
            let path = folder.path().join(name);
            fs::write(&path, content).unwrap();
            assert_eq!(BookFormat::of_file(path).ok(), format, "{name}");
        }
        assert!(BookFormat::of_file(folder.path()).is_err(), "a folder");
    }
}
