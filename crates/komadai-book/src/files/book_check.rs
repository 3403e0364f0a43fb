//! Checks of books of any kind.

use std::cell::RefCell;
use std::fmt;
use std::path::Path;

use komadai_base::file::open_regular;
use komadai_bookfile::validation::{Validation, validate_db, validate_records};
use komadai_bookfile::{BookFormat, BookRecord, LineNumbers};
use komadai_kifu::Tolerance;

use crate::files::book_source::BookSource;
use crate::files::file_kind::FileKind;
use crate::files::input_error::InputError;

/// The result of a check of a book of any kind.
///
/// It prints as a [`Validation`] does, followed by the faults that the reader of a binary book has
/// skipped.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BookCheck {
    /// The kind of the book.
    pub kind: FileKind,
    /// The faults. Places are line numbers in a `.db` book, numbers of records in others, both from 1.
    /// The order of the records matters in a `.db` book only.
    pub found: Validation,
    /// The faults that the reader of a binary book skipped.
    pub skipped: u64,
    /// These faults, a line each, and the number of the remaining ones if they are many.
    pub skipped_lines: String,
    /// The number of items that the walk through a `.bin` or `.sbk` book did not reach: see
    /// [`BookFile::unreached`](komadai_bookfile::BookFile::unreached).
    pub unreached: u64,
}

/// Checks a book of any kind, reading it leniently.
///
/// Memory and certainty are those of [`validate_db`], except that `.sbk` and `.bin` books are held
/// in memory whole.
///
/// # Errors
///
/// If the file cannot be read, is no book, or is damaged in such a way that the reading cannot
/// continue.
///
/// # Examples
///
/// ```
/// use komadai_book::check_book;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.db");
/// std::fs::write(&path, "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
///     7g7f none 30\n7g7e none 20\n")?;
/// let check = check_book(&path)?;
/// assert!(!check.is_sound());
/// assert_eq!(check.found.illegal_moves.first(), [4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_book(path: impl AsRef<Path>) -> Result<BookCheck, InputError> {
    let path = path.as_ref();
    let kind = FileKind::of_book(path)?;
    if kind == FileKind::Book(BookFormat::Db) {
        let found = validate_db(|| open_regular(path)).map_err(InputError::book(path))?;
        let skipped_lines = String::new();
        return Ok(BookCheck { kind, found, skipped: 0, skipped_lines, unreached: 0 });
    }
    // The source of the reading that has begun last.
    let source: RefCell<Option<BookSource>> = RefCell::new(None);
    let mut found = validate_records(|| {
        *source.borrow_mut() = Some(BookSource::open(path, Tolerance::Lenient)?);
        Ok::<_, InputError>(std::iter::from_fn(|| next_numbered(source.borrow_mut().as_mut()?)))
    })?;
    // Binary books have an order of their own, which their readers check.
    found.unsorted = LineNumbers::default();
    let source = source.borrow();
    let source = source.as_ref();
    Ok(BookCheck {
        kind,
        found,
        skipped: source.map_or(0, BookSource::skipped),
        skipped_lines: source.map_or_else(String::new, BookSource::skipped_lines),
        unreached: source.map_or(0, BookSource::unreached),
    })
}

/// The next record of a source with its number.
fn next_numbered(source: &mut BookSource) -> Option<Result<(u64, BookRecord), InputError>> {
    match source.next()? {
        // The check reports a book that contains nothing but faults; it does not fail.
        Err(InputError::NothingLeft { .. }) => None,
        record => Some(record.map(|record| (source.read(), record))),
    }
}

impl BookCheck {
    /// Returns whether the book has no faults; see [`Validation::fault_count`].
    pub fn is_sound(&self) -> bool {
        self.fault_count() == 0
    }

    /// The number of faults, including skipped ones and unreached items. Positions without moves
    /// are no faults in a `.sbk` book, which lists the last position of each line.
    pub fn fault_count(&self) -> u64 {
        let ends = match self.kind {
            FileKind::Book(BookFormat::Sbk) => self.found.empty.count(),
            _ => 0,
        };
        self.found.fault_count() - ends + self.skipped + self.unreached
    }
}

impl fmt::Display for BookCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.found.to_string();
        match self.kind {
            FileKind::Book(BookFormat::Db) => f.write_str(&found)?,
            _ => {
                f.write_str(&found.replace("(lines ", "(records ").replace("(line ", "(record "))?
            }
        }
        self.found.faults.first().iter().try_for_each(|fault| writeln!(f, "  {fault}"))?;
        if self.skipped > 0 {
            writeln!(f, "faults in the file: {}", self.skipped)?;
        }
        self.skipped_lines.lines().try_for_each(|line| writeln!(f, "  {line}"))?;
        if self.unreached > 0 {
            writeln!(f, "not reached from any start: {}", self.unreached)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use komadai_bookfile::{WriteOptions, write_book};
    use komadai_testdata::books::{shogihome, synthetic};

    use super::*;

    #[test]
    fn a_sound_book_is_sound_in_every_format() {
        let fixture = synthetic::books().find(|book| book.name == "small50").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let db = folder.path().join("book.db");
        std::fs::write(&db, fixture.input).unwrap();
        // The fixture is in no order.
        let sorted = folder.path().join("sorted.db");
        for (path, format) in [
            (sorted.clone(), BookFormat::Db),
            (folder.path().join("book.ybb"), BookFormat::Ybb),
            (folder.path().join("book.sbk"), BookFormat::Sbk),
        ] {
            let source = BookSource::open(&db, Tolerance::Strict).unwrap();
            write_book(&path, format, source, &WriteOptions::default()).unwrap();
            let check = check_book(&path).unwrap();
            assert!(check.is_sound(), "{format}: {check}");
            assert_eq!(check.found.positions, fixture.positions as u64);
            assert_eq!(check.kind, FileKind::Book(format));
        }
    }

    #[test]
    fn faults_of_binary_books_are_counted_and_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.ybb");
        let mut bytes = shogihome::YANEURAOU_YBB.to_vec();
        let sound = check_book_bytes(&path, &bytes);
        assert_eq!(sound.skipped, 0);
        // The last move becomes one that goes nowhere.
        let at = bytes.len() - 6;
        bytes[at..at + 2].fill(0xff);
        let broken = check_book_bytes(&path, &bytes);
        assert_eq!((broken.skipped, broken.found.moves), (1, sound.found.moves - 1));
        assert!(broken.to_string().contains("is not a move"), "{broken}");
        assert!(!broken.is_sound());
    }

    fn check_book_bytes(path: &Path, bytes: &[u8]) -> BookCheck {
        std::fs::write(path, bytes).unwrap();
        check_book(path).unwrap()
    }
}
