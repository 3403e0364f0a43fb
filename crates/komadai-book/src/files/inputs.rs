//! Search for files that a book can be made from.

use std::path::{Path, PathBuf};
use std::{fs, io};

use komadai_bookfile::BookFormat;
use komadai_kifu::Tolerance;

use crate::files::file_kind::{
    FileKind, LOG_EXTENSION, STORE_EXTENSION, STORE_HEADER, first_bytes, game_format_of_name,
    has_extension, is_archive_name, starts_with,
};
use crate::files::input_error::InputError;
use crate::log_file::LOG_HEADER;

/// A file that a book can be made from.
///
/// # Examples
///
/// ```
/// use komadai_book::{FileKind, find_inputs};
/// use komadai_kifu::{KifuFormat, Tolerance};
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("games.usi"), "startpos moves 7g7f 3c3d\n")?;
/// let found = find_inputs([folder.path()], Tolerance::Strict)?;
/// assert_eq!(found.files.len(), 1);
/// assert_eq!(found.files[0].kind, FileKind::Games(KifuFormat::Usi));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct InputFile {
    /// The file.
    pub path: PathBuf,
    /// The kind of the file.
    pub kind: FileKind,
    /// The file that was named or found, if `path` is read in its place.
    pub stands_for: Option<PathBuf>,
}

/// The files that were named and those in folders that were named.
#[derive(Debug, Default)]
pub struct InputFiles {
    /// The files; those of a folder are in the order of their names.
    pub files: Vec<InputFile>,
    /// The errors of files in folders that cannot be read; empty if the search was strict.
    pub skipped: Vec<InputError>,
}

/// The number of bytes from the start of a `.bin` file that are checked for the entries of a book.
const PROBED_BYTES: u64 = 1 << 12;

impl InputFile {
    /// A file, or a file beside it that contains more: in place of a `.db` book, the store of the
    /// same name or, if there is none, the log of the same name.
    ///
    /// # Errors
    ///
    /// As [`FileKind::of_file`].
    pub fn find(path: impl AsRef<Path>) -> Result<Self, InputError> {
        let path = path.as_ref().to_owned();
        let kind = FileKind::of_file(&path)?;
        let working = path.with_extension(STORE_EXTENSION);
        let log = path.with_extension(LOG_EXTENSION);
        if !has_extension(&path, BookFormat::Db.extension()) {
            Ok(Self { path, kind, stands_for: None })
        } else if starts_with(&working, &STORE_HEADER) {
            Ok(Self { path: working, kind: FileKind::Store, stands_for: Some(path) })
        } else if starts_with(&log, LOG_HEADER.as_bytes()) {
            Ok(Self { path: log, kind: FileKind::Log, stands_for: Some(path) })
        } else {
            Ok(Self { path, kind, stands_for: None })
        }
    }
}

/// Finds the named files, and the games, books and logs in the named folders and their subfolders.
/// A store or log may replace a book; see [`InputFile::find`].
///
/// A link back to a folder on the way is not followed.
///
/// # Errors
///
/// If a named file does not exist or is of no kind that a book can be made from; if the search is
/// strict, also if that is true of a file in a folder whose name is that of such a kind.
pub fn find_inputs(
    named: impl IntoIterator<Item = impl AsRef<Path>>,
    tolerance: Tolerance,
) -> Result<InputFiles, InputError> {
    let mut search = Search { tolerance, found: InputFiles::default() };
    for path in named {
        let path = path.as_ref();
        if kind_of(path)?.is_dir() {
            search.folder(path, &mut Vec::new())?;
        } else {
            search.found.files.push(InputFile::find(path)?);
        }
    }
    Ok(search.found)
}

struct Search {
    tolerance: Tolerance,
    found: InputFiles,
}

impl Search {
    /// Adds the files in a folder. `above` are the folders on the way here. They are not entered
    /// again, because links may lead back to them.
    fn folder(&mut self, folder: &Path, above: &mut Vec<PathBuf>) -> Result<(), InputError> {
        let read = || {
            let real = fs::canonicalize(folder)?;
            let inside = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
            Ok((real, inside.collect::<io::Result<Vec<_>>>()?))
        };
        let (real, mut inside) = read().map_err(InputError::io(folder))?;
        if above.contains(&real) {
            return Ok(());
        }
        inside.sort();
        above.push(real);
        for path in inside {
            match kind_of(&path) {
                Ok(kind) if kind.is_dir() => self.folder(&path, above)?,
                Ok(_) if is_wanted(&path) => match InputFile::find(&path) {
                    Ok(file) => self.found.files.push(file),
                    Err(fault) => self.skip(fault)?,
                },
                Ok(_) => {}
                Err(fault) => self.skip(fault)?,
            }
        }
        above.pop();
        Ok(())
    }

    fn skip(&mut self, fault: InputError) -> Result<(), InputError> {
        if self.tolerance == Tolerance::Strict {
            return Err(fault);
        }
        self.found.skipped.push(fault);
        Ok(())
    }
}

fn kind_of(path: &Path) -> Result<fs::FileType, InputError> {
    Ok(fs::metadata(path).map_err(InputError::io(path))?.file_type())
}

/// Returns whether a file in a folder is read. A store or log beside a `.db` book is not: it is
/// read in place of the book.
fn is_wanted(path: &Path) -> bool {
    let is_alone = || !path.with_extension("db").exists();
    let is_log = || has_extension(path, LOG_EXTENSION) && starts_with(path, LOG_HEADER.as_bytes());
    game_format_of_name(path).is_some()
        || cfg!(feature = "archives") && is_archive_name(path)
        || BookFormat::from_path(path).is_some_and(|format| is_likely(path, format))
        || (has_extension(path, STORE_EXTENSION) || is_log()) && is_alone()
}

/// Returns whether a file with the extension of a format is likely to be a book. The extension
/// `.bin` has many other uses, for instance the networks of engines.
fn is_likely(path: &Path, format: BookFormat) -> bool {
    if format != BookFormat::Apery {
        return true;
    }
    let Ok(head) = first_bytes(path, PROBED_BYTES) else { return true };
    komadai_bookfile::apery::may_be_a_book(&head)
}

#[cfg(test)]
mod tests {
    use komadai_kifu::KifuFormat;

    use super::*;
    use crate::files::fingerprint::Fingerprint;

    #[test]
    fn folders_are_searched_in_order_for_what_knows_most() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let letter = b"Dear Sir,".as_slice();
        for (name, content) in [
            ("a.db", b"#YANEURAOU-DB2016 1.00\n".as_slice()),
            ("a.log", LOG_HEADER.as_bytes()),
            ("b.csa", b"V2.2\n"),
            ("c.log", LOG_HEADER.as_bytes()),
            ("d.pdf", letter),
            ("e.log", letter),
            ("f.db", b""),
            ("f.log", LOG_HEADER.as_bytes()),
            ("f.kbook", &STORE_HEADER),
            ("g.kbook", &STORE_HEADER),
            ("h.db", b""),
            ("h.log", letter),
            ("h.kbook", letter),
            ("j.bin", &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            ("k.bin", letter),
            ("l.bin", &[[9; 16], [8; 16]].concat()),
        ] {
            fs::write(inner.join(name), content).unwrap();
        }
        let found = find_inputs([folder.path()], Tolerance::Strict).unwrap();
        let file = |name: &str, kind, stands_for: Option<&str>| InputFile {
            path: inner.join(name),
            kind,
            stands_for: stands_for.map(|name| inner.join(name)),
        };
        let expected = [
            file("a.log", FileKind::Log, Some("a.db")),
            file("b.csa", FileKind::Games(KifuFormat::Csa), None),
            file("c.log", FileKind::Log, None),
            file("f.kbook", FileKind::Store, Some("f.db")),
            file("g.kbook", FileKind::Store, None),
            file("h.db", FileKind::Book(BookFormat::Db), None),
            file("j.bin", FileKind::Book(BookFormat::Apery), None),
        ];
        assert_eq!(found.files, expected);
        // A name that promises what the file does not hold.
        fs::write(inner.join("i.txt"), letter).unwrap();
        let strict = find_inputs([&inner], Tolerance::Strict);
        assert!(matches!(strict, Err(InputError::UnknownKind { .. })));
        let lenient = find_inputs([&inner], Tolerance::Lenient).unwrap();
        assert_eq!((lenient.files.len(), lenient.skipped.len()), (expected.len(), 1));
        assert!(find_inputs([inner.join("i.txt")], Tolerance::Lenient).is_err(), "it was named");
        let missing = find_inputs([folder.path().join("x")], Tolerance::Lenient);
        assert!(matches!(missing, Err(InputError::Io { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_pipes_are_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let endless = folder.path().join("a.sbk");
        std::os::unix::fs::symlink("/dev/zero", &endless).unwrap();
        let is_refused = |error: &InputError| {
            matches!(error, InputError::Io { error, .. }
                if error.kind() == io::ErrorKind::InvalidInput)
        };
        assert!(is_refused(&InputFile::find(&endless).unwrap_err()));
        assert!(is_refused(&Fingerprint::of_file(&endless).unwrap_err()));
        let found = find_inputs([folder.path()], Tolerance::Lenient).unwrap();
        assert!(found.files.is_empty() && found.skipped.iter().all(is_refused));
        assert_eq!(found.skipped.len(), 1);
    }
}
