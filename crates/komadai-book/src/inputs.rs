//! Files that a book can be made from.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use komadai_kifu::{KifuFormat, Tolerance};

use crate::fingerprint::Fingerprint;
use crate::log_file::LOG_HEADER;
use komadai_bookfile::BookFormat;

/// What a file contributes to a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InputKind {
    /// Games: records in CSA, or lists in USI.
    Games,
    /// A book of an exchange format.
    Book(BookFormat),
    /// The text log of a book.
    Log,
    /// A working book.
    Store,
}

/// A file that a book can be made from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct InputFile {
    /// The file.
    pub path: PathBuf,
    /// What it is.
    pub kind: InputKind,
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
    pub passed_over: Vec<InputFileError>,
}

/// Why a file cannot be an input.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputFileError {
    /// It cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What happened.
        #[source]
        error: io::Error,
    },
    /// It is like nothing that a book can be made from.
    #[error(
        "{}: found {found:?}, expected games (CSA, or USI lines), a book (.db, .ybb, .bin, .sbk, \
         .kbook) or the log of one",
        path.display()
    )]
    Unknown {
        /// The file.
        path: PathBuf,
        /// How it begins.
        found: String,
    },
}

/// What the databases begin with that hold working books.
pub(crate) const DATABASE_HEADER: [u8; 9] = *b"redb\x1a\x0a\xa9\x0d\x0a";

/// How much of a file is looked at to see what it is, in bytes.
const BEGINNING: u64 = 1 << 12;

/// The endings of names that folders are searched for, besides those of books and logs.
const GAMES: [&str; 4] = ["csa", "sfen", "usi", "txt"];

impl InputKind {
    /// What a file is: by its first bytes where they tell, else by its name.
    ///
    /// A name ending in `.db`, `.ybb`, `.bin`, `.sbk` or `.kbook` makes it a book unless it begins as
    /// something else: lines that begin with `sfen` may be positions of a book or games.
    ///
    /// # Errors
    ///
    /// If it cannot be read or is like nothing known here.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::InputKind;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("list.txt");
    /// std::fs::write(&path, "startpos moves 7g7f 3c3d\n")?;
    /// assert_eq!(InputKind::of_file(&path)?, InputKind::Games);
    /// std::fs::write(&path, "Dear Sir,\n")?;
    /// assert!(InputKind::of_file(&path).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_file(path: impl AsRef<Path>) -> Result<Self, InputFileError> {
        let path = path.as_ref();
        let beginning = beginning_of(path, BEGINNING)?;
        let by_name = BookFormat::from_path(path);
        let is_list = || beginning.starts_with(b"sfen ") && by_name.is_none();
        if beginning.starts_with(LOG_HEADER.as_bytes()) {
            return Ok(Self::Log);
        }
        if beginning.starts_with(&DATABASE_HEADER) || has_ending(path, "kbook") {
            return Ok(Self::Store);
        }
        if let Some(format) = BookFormat::from_first_bytes(&beginning).filter(|_| !is_list()) {
            return Ok(Self::Book(format));
        }
        if let Some(format) = by_name {
            return Ok(Self::Book(format));
        }
        let is_empty = beginning.trim_ascii().is_empty() && is_game_name(path);
        if is_empty || KifuFormat::detect(&beginning).is_some() {
            return Ok(Self::Games);
        }
        let found = String::from_utf8_lossy(&beginning[..beginning.len().min(200)]);
        let found = komadai_bookfile::fields::shorten(found.lines().next().unwrap_or_default());
        Err(InputFileError::Unknown { path: path.to_owned(), found })
    }
}

impl InputFile {
    /// A file, or what lies beside it and knows more: in the place of a `.db` book stands the working book
    /// of the same name, or else the log of the same name, if there is one.
    ///
    /// # Errors
    ///
    /// As [`InputKind::of_file`].
    pub fn find(path: impl AsRef<Path>) -> Result<Self, InputFileError> {
        let path = path.as_ref().to_owned();
        let kind = InputKind::of_file(&path)?;
        if !has_ending(&path, BookFormat::Db.extension()) {
            return Ok(Self { path, kind, stands_for: None });
        }
        let (working, log) = (path.with_extension("kbook"), path.with_extension("log"));
        let better = if begins_with(&working, &DATABASE_HEADER) {
            Some((working, InputKind::Store))
        } else {
            begins_with(&log, LOG_HEADER.as_bytes()).then_some((log, InputKind::Log))
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
) -> Result<InputFiles, InputFileError> {
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

impl Fingerprint {
    /// Of a file's content.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn of_file(path: impl AsRef<Path>) -> Result<Self, InputFileError> {
        let path = path.as_ref();
        let mut fingerprint = Self::new();
        let mut read = || {
            let mut file = open_regular(path)?;
            let mut buffer = vec![0; 1 << 16];
            loop {
                match file.read(&mut buffer)? {
                    0 => return Ok(()),
                    length => fingerprint.add(&buffer[..length]),
                }
            }
        };
        read().map_err(|error| InputFileError::Io { path: path.to_owned(), error })?;
        Ok(fingerprint)
    }
}

struct Search {
    tolerance: Tolerance,
    found: InputFiles,
}

impl Search {
    /// Adds what is in a folder. `above` are the folders on the way here, none of which is entered
    /// again: links may lead back.
    fn folder(&mut self, folder: &Path, above: &mut Vec<PathBuf>) -> Result<(), InputFileError> {
        let read = || {
            let real = fs::canonicalize(folder)?;
            let inside = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
            Ok((real, inside.collect::<io::Result<Vec<_>>>()?))
        };
        let unreadable = |error| InputFileError::Io { path: folder.to_owned(), error };
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

    fn pass_over(&mut self, fault: InputFileError) -> Result<(), InputFileError> {
        match self.tolerance {
            Tolerance::Strict => Err(fault),
            Tolerance::Lenient => {
                self.found.passed_over.push(fault);
                Ok(())
            }
        }
    }
}

fn kind_of(path: &Path) -> Result<fs::FileType, InputFileError> {
    let data = fs::metadata(path);
    let unreadable = |error| InputFileError::Io { path: path.to_owned(), error };
    Ok(data.map_err(unreadable)?.file_type())
}

/// Whether a file in a folder is read: what knows more than a book is read in the place of the book.
fn is_wanted(path: &Path) -> bool {
    let is_alone = || !path.with_extension("db").exists();
    let is_log = || has_ending(path, "log") && begins_with(path, LOG_HEADER.as_bytes());
    is_game_name(path)
        || BookFormat::from_path(path).is_some_and(|format| is_likely(path, format))
        || (has_ending(path, "kbook") || is_log()) && is_alone()
}

/// Whether a file with the ending of a format is likely to be a book. Many programs call many things `.bin`,
/// an engine its network.
fn is_likely(path: &Path, format: BookFormat) -> bool {
    if format != BookFormat::Apery {
        return true;
    }
    let Ok(beginning) = beginning_of(path, BEGINNING) else { return true };
    komadai_bookfile::apery::may_be_a_book(&beginning)
}

fn is_game_name(path: &Path) -> bool {
    GAMES.iter().any(|name| has_ending(path, name))
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|name| name.eq_ignore_ascii_case(ending))
}

/// Whether there is a file that begins so.
pub(crate) fn begins_with(path: &Path, bytes: &[u8]) -> bool {
    beginning_of(path, bytes.len() as u64).is_ok_and(|beginning| beginning == bytes)
}

fn beginning_of(path: &Path, bytes: u64) -> Result<Vec<u8>, InputFileError> {
    let mut beginning = Vec::new();
    let read = open_regular(path);
    let read = read.and_then(|file| file.take(bytes).read_to_end(&mut beginning));
    read.map_err(|error| InputFileError::Io { path: path.to_owned(), error })?;
    Ok(beginning)
}

/// Opens a file, but no pipe, which would wait for someone to write into it, and no device, some of which
/// never end.
fn open_regular(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "expected a regular file"));
    }
    File::open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_its_content_or_its_name_says() {
        let folder = tempfile::tempdir().unwrap();
        let kind = |name: &str, content: &str| {
            let path = folder.path().join(name);
            fs::write(&path, content).unwrap();
            InputKind::of_file(path).ok()
        };
        let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let db = Some(InputKind::Book(BookFormat::Db));
        assert_eq!(kind("a.txt", "#YANEURAOU-DB2016 1.00\n"), db);
        assert_eq!(kind("a.db", &format!("{start}\n7g7f\n")), db);
        assert_eq!(kind("a.sfen", &format!("{start} moves 7g7f\n")), Some(InputKind::Games));
        assert_eq!(kind("a", "V2.2\nPI\n+\n"), Some(InputKind::Games));
        assert_eq!(kind("a.csa", ""), Some(InputKind::Games));
        assert_eq!(kind("a.log", LOG_HEADER), Some(InputKind::Log));
        assert_eq!(kind("a.sbk", "\n"), Some(InputKind::Book(BookFormat::Sbk)));
        assert_eq!(kind("a.kbook", "Dear Sir,"), Some(InputKind::Store));
        assert_eq!(kind("a", std::str::from_utf8(&DATABASE_HEADER[..4]).unwrap()), None);
        fs::write(folder.path().join("b"), DATABASE_HEADER).unwrap();
        assert_eq!(InputKind::of_file(folder.path().join("b")).unwrap(), InputKind::Store);
        assert_eq!(kind("a.log", "Dear Sir,"), None);
        assert_eq!(kind("a", ""), None);
    }

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
            ("f.kbook", &DATABASE_HEADER),
            ("g.kbook", &DATABASE_HEADER),
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
            file("a.log", InputKind::Log, Some("a.db")),
            file("b.csa", InputKind::Games, None),
            file("c.log", InputKind::Log, None),
            file("f.kbook", InputKind::Store, Some("f.db")),
            file("g.kbook", InputKind::Store, None),
            file("h.db", InputKind::Book(BookFormat::Db), None),
            file("j.bin", InputKind::Book(BookFormat::Apery), None),
        ];
        assert_eq!(found.files, expected);
        // A name that promises what the file does not hold.
        fs::write(inner.join("i.txt"), letter).unwrap();
        let strict = find_inputs([&inner], Tolerance::Strict);
        assert!(matches!(strict, Err(InputFileError::Unknown { .. })));
        let lenient = find_inputs([&inner], Tolerance::Lenient).unwrap();
        assert_eq!((lenient.files.len(), lenient.passed_over.len()), (expected.len(), 1));
        assert!(find_inputs([inner.join("i.txt")], Tolerance::Lenient).is_err(), "it was named");
        let missing = find_inputs([folder.path().join("x")], Tolerance::Lenient);
        assert!(matches!(missing, Err(InputFileError::Io { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_pipes_are_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let endless = folder.path().join("a.sbk");
        std::os::unix::fs::symlink("/dev/zero", &endless).unwrap();
        let is_refused = |error: &InputFileError| {
            matches!(error, InputFileError::Io { error, .. }
                if error.kind() == io::ErrorKind::InvalidInput)
        };
        assert!(is_refused(&InputFile::find(&endless).unwrap_err()));
        assert!(is_refused(&Fingerprint::of_file(&endless).unwrap_err()));
        let found = find_inputs([folder.path()], Tolerance::Lenient).unwrap();
        assert!(found.files.is_empty() && found.passed_over.iter().all(is_refused));
        assert_eq!(found.passed_over.len(), 1);
    }

    #[test]
    fn a_fingerprint_of_a_file_is_that_of_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let content = vec![7; 100_000];
        fs::write(&path, &content).unwrap();
        let mut expected = Fingerprint::new();
        expected.add(&content);
        assert_eq!(Fingerprint::of_file(&path).unwrap(), expected);
    }
}
