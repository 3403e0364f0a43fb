//! Files that a book can be made from.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use komadai_kifu::Tolerance;

use crate::file_kind::{
    FileKind, LOG_EXTENSION, STORE_EXTENSION, STORE_HEADER, game_format_of_name, has_extension,
};
use crate::input_error::InputError;
use crate::log_file::LOG_HEADER;
use crate::regular_file::{first_bytes, starts_with};
use komadai_bookfile::BookFormat;

/// A file that a book can be made from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct InputFile {
    /// The file.
    pub path: PathBuf,
    /// What it is.
    pub kind: FileKind,
    /// The file that was named or found, if another is read in its place.
    pub stands_for: Option<PathBuf>,
}

/// The files that were named and those in folders that were named.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct InputFiles {
    /// The files, those of a folder in the order of their names.
    pub files: Vec<InputFile>,
    /// What cannot be read in a folder; nothing if the search was strict.
    pub passed_over: Vec<InputError>,
}

/// The number of bytes from the start of a `.bin` file that are checked for the entries of a book.
const PROBED_BYTES: u64 = 1 << 12;

impl InputFile {
    /// A file, or what lies beside it and knows more: in the place of a `.db` book stands the working book
    /// of the same name, or else the log of the same name, if there is one.
    ///
    /// # Errors
    ///
    /// As [`FileKind::of_file`].
    pub fn find(path: impl AsRef<Path>) -> Result<Self, InputError> {
        let path = path.as_ref().to_owned();
        let kind = FileKind::of_file(&path)?;
        if !has_extension(&path, BookFormat::Db.extension()) {
            return Ok(Self { path, kind, stands_for: None });
        }
        let (working, log) =
            (path.with_extension(STORE_EXTENSION), path.with_extension(LOG_EXTENSION));
        let better = if starts_with(&working, &STORE_HEADER) {
            Some((working, FileKind::Store))
        } else {
            starts_with(&log, LOG_HEADER.as_bytes()).then_some((log, FileKind::Log))
        };
        Ok(match better {
            Some((better, kind)) => Self { path: better, kind, stands_for: Some(path) },
            None => Self { path, kind, stands_for: None },
        })
    }
}

/// The files named, and the games, books and logs in the folders named; in the place of a book what knows
/// more, see [`InputFile::find`].
///
/// Links that lead back to a folder are not followed a second time.
///
/// # Errors
///
/// If something named is not there or is like nothing that a book can be made from; if the search is
/// strict, also if that is so of something in a folder whose name promises more.
pub fn find_inputs(
    named: impl IntoIterator<Item = impl AsRef<Path>>,
    tolerance: Tolerance,
) -> Result<InputFiles, InputError> {
    let mut search = Search { tolerance, found: InputFiles::default() };
    for path in named {
        let path = path.as_ref();
        match kind_of(path)?.is_dir() {
            true => search.folder(path, &mut Vec::new())?,
            false => search.found.files.push(InputFile::find(path)?),
        }
    }
    Ok(search.found)
}

struct Search {
    tolerance: Tolerance,
    found: InputFiles,
}

impl Search {
    /// Adds what is in a folder. `above` are the folders on the way here, none of which is entered
    /// again: links may lead back.
    fn folder(&mut self, folder: &Path, above: &mut Vec<PathBuf>) -> Result<(), InputError> {
        let read = || {
            let real = fs::canonicalize(folder)?;
            let inside = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
            Ok((real, inside.collect::<io::Result<Vec<_>>>()?))
        };
        let unreadable = |error| InputError::Io { path: folder.to_owned(), error };
        let (real, mut inside) = read().map_err(unreadable)?;
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
                    Err(fault) => self.pass_over(fault)?,
                },
                Ok(_) => {}
                Err(fault) => self.pass_over(fault)?,
            }
        }
        above.pop();
        Ok(())
    }

    fn pass_over(&mut self, fault: InputError) -> Result<(), InputError> {
        match self.tolerance {
            Tolerance::Strict => Err(fault),
            Tolerance::Lenient => {
                self.found.passed_over.push(fault);
                Ok(())
            }
        }
    }
}

fn kind_of(path: &Path) -> Result<fs::FileType, InputError> {
    let data = fs::metadata(path);
    let unreadable = |error| InputError::Io { path: path.to_owned(), error };
    Ok(data.map_err(unreadable)?.file_type())
}

/// Whether a file in a folder is read: what knows more than a book is read in the place of the book.
fn is_wanted(path: &Path) -> bool {
    let is_alone = || !path.with_extension("db").exists();
    let is_log = || has_extension(path, LOG_EXTENSION) && starts_with(path, LOG_HEADER.as_bytes());
    game_format_of_name(path).is_some()
        || BookFormat::from_path(path).is_some_and(|format| is_likely(path, format))
        || (has_extension(path, STORE_EXTENSION) || is_log()) && is_alone()
}

/// Whether a file with the ending of a format is likely to be a book. Many programs call many things `.bin`,
/// an engine its network.
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
    use crate::fingerprint::Fingerprint;

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
        assert_eq!((lenient.files.len(), lenient.passed_over.len()), (expected.len(), 1));
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
        assert!(found.files.is_empty() && found.passed_over.iter().all(is_refused));
        assert_eq!(found.passed_over.len(), 1);
    }
}
