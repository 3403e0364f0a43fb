//! The kinds of files that contain books, or that books are made from.

use std::fmt;
use std::io::Read as _;
use std::path::Path;

use komadai_base::file::open_regular;
use komadai_bookfile::BookFormat;
use komadai_bookfile::fields::shorten;
use komadai_kifu::KifuFormat;

use crate::files::input_error::InputError;
use crate::log_file::LOG_HEADER;

/// The extension of the names of stores, the files of working books.
pub(crate) const STORE_EXTENSION: &str = "kbook";

/// The extension of the names of text logs.
pub(crate) const LOG_EXTENSION: &str = "log";

/// The first bytes of every store, which is a redb database.
pub(crate) const STORE_HEADER: [u8; 9] = *b"redb\x1a\x0a\xa9\x0d\x0a";

/// The number of bytes from the start of a file that its kind is recognised by. Comments may
/// precede the first game of a file.
const HEAD_BYTES: u64 = 1 << 12;

/// The maximum length of the text that an error quotes from a file, in bytes.
const QUOTED_BYTES: usize = 200;

/// The kind of a file.
///
/// It prints as the usual extension of its files' names.
///
/// # Examples
///
/// ```
/// use komadai_book::FileKind;
/// use komadai_bookfile::BookFormat;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.db");
/// std::fs::write(&path, "#YANEURAOU-DB2016 1.00\n")?;
/// assert_eq!(FileKind::of_file(&path)?, FileKind::Book(BookFormat::Db));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum FileKind {
    /// Game records, or lists of games in USI.
    Games(KifuFormat),
    /// A gzip file or zip archive of game records. Without the feature `archives` no file is of
    /// this kind.
    Archive,
    /// A book of an exchange format.
    Book(BookFormat),
    /// The text log of a book.
    Log,
    /// A [`Store`](crate::store::Store), the file of a working book.
    Store,
}

impl FileKind {
    /// The kind of a file, recognised by its first bytes where they are characteristic, otherwise
    /// by its name.
    ///
    /// A name with the extension `.db`, `.ybb`, `.bin`, `.sbk` or `.kbook` makes the file a book
    /// unless its first bytes are those of another kind. Lines that start with `sfen` are positions
    /// of a book in a file whose name is that of a book, and games in others.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is of none of these kinds.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::FileKind;
    /// use komadai_kifu::KifuFormat;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("list.txt");
    /// std::fs::write(&path, "startpos moves 7g7f 3c3d\n")?;
    /// assert_eq!(FileKind::of_file(&path)?, FileKind::Games(KifuFormat::Usi));
    /// std::fs::write(&path, "Dear Sir,\n")?;
    /// assert!(FileKind::of_file(&path).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_file(path: impl AsRef<Path>) -> Result<Self, InputError> {
        let path = path.as_ref();
        let head = first_bytes(path, HEAD_BYTES)?;
        let by_name = BookFormat::from_path(path);
        let is_game_list = || head.starts_with(b"sfen ") && by_name.is_none();
        if head.starts_with(LOG_HEADER.as_bytes()) {
            return Ok(Self::Log);
        }
        if head.starts_with(&STORE_HEADER) || has_extension(path, STORE_EXTENSION) {
            return Ok(Self::Store);
        }
        let by_head = BookFormat::from_first_bytes(&head).filter(|_| !is_game_list());
        if let Some(format) = by_head.or(by_name) {
            return Ok(Self::Book(format));
        }
        #[cfg(feature = "archives")]
        if komadai_kifu::record_files::is_archive(&head) {
            return Ok(Self::Archive);
        }
        // An empty file of games contains no games; an empty file of another name is a mistake.
        // Comments may fill the first bytes of a file.
        let is_comment = |line: &[u8]| line.is_empty() || line.starts_with(b"#");
        let is_open = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).all(is_comment);
        let of_empty = || game_format_of_name(path).filter(|_| is_open);
        let games = KifuFormat::detect(&head).or_else(of_empty);
        games.map(Self::Games).ok_or_else(|| {
            let found = String::from_utf8_lossy(&head[..head.len().min(QUOTED_BYTES)]);
            let found = shorten(found.lines().next().unwrap_or_default());
            InputError::UnknownKind { path: path.to_owned(), found }
        })
    }

    /// The kind of a file that the caller expects to be a book: [`Store`](Self::Store) or a
    /// [`Book`](Self::Book). Lines that start with `sfen` make a file a `.db` book with any name.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or neither its first bytes nor its name are those of a book.
    pub fn of_book(path: impl AsRef<Path>) -> Result<Self, InputError> {
        let path = path.as_ref();
        if starts_with(path, &STORE_HEADER) || has_extension(path, STORE_EXTENSION) {
            return Ok(Self::Store);
        }
        BookFormat::of_file(path).map(Self::Book).map_err(InputError::book(path))
    }

    /// The kind of book that an extension states, without its dot; `None` if it is not that of a
    /// book.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::FileKind;
    ///
    /// assert_eq!(FileKind::of_book_extension("kbook"), Some(FileKind::Store));
    /// assert_eq!(FileKind::of_book_extension("csa"), None);
    /// ```
    pub fn of_book_extension(extension: &str) -> Option<Self> {
        if extension.eq_ignore_ascii_case(STORE_EXTENSION) {
            return Some(Self::Store);
        }
        BookFormat::of_extension(extension).map(Self::Book)
    }

    /// The format of a book file; `None` for the other kinds.
    #[must_use]
    pub const fn book_format(self) -> Option<BookFormat> {
        match self {
            Self::Book(format) => Some(format),
            Self::Games(_) | Self::Archive | Self::Log | Self::Store => None,
        }
    }

    /// The usual extension of the names of such files.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Games(format) => format.extension(),
            Self::Archive => "zip",
            Self::Book(format) => format.extension(),
            Self::Log => LOG_EXTENSION,
            Self::Store => STORE_EXTENSION,
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension())
    }
}

/// The format of the games in an empty file, by its name; `None` if the name is not that of a game
/// file.
pub(crate) fn game_format_of_name(path: &Path) -> Option<KifuFormat> {
    // Lists of games in USI often are plain text by name.
    let mut named = KifuFormat::EXTENSIONS.into_iter().chain([("txt", KifuFormat::Usi)]);
    named.find(|(extension, _)| has_extension(path, extension)).map(|(_, format)| format)
}

/// Returns whether a name is that of an archive of games: `.zip`, `.7z`, or `.gz` after the
/// extension of games.
pub(crate) fn is_archive_name(path: &Path) -> bool {
    let holds_games =
        || path.file_stem().is_some_and(|stem| game_format_of_name(stem.as_ref()).is_some());
    ["zip", "7z"].iter().any(|ending| has_extension(path, ending))
        || has_extension(path, "gz") && holds_games()
}

/// Returns whether a name has this extension, in upper or lower case.
pub(crate) fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// The first bytes of a regular file, at most `limit` of them.
pub(crate) fn first_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::new();
    let read = open_regular(path).and_then(|file| file.take(limit).read_to_end(&mut bytes));
    read.map_err(InputError::io(path))?;
    Ok(bytes)
}

/// Returns whether there is a regular file that starts with these bytes.
pub(crate) fn starts_with(path: &Path, bytes: &[u8]) -> bool {
    first_bytes(path, bytes.len() as u64).is_ok_and(|first| first == bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    #[test]
    fn a_file_is_what_its_content_or_its_name_says() {
        let folder = tempfile::tempdir().unwrap();
        let kind = |name: &str, content: &str| {
            let path = folder.path().join(name);
            fs::write(&path, content).unwrap();
            FileKind::of_file(path).ok()
        };
        let db = Some(FileKind::Book(BookFormat::Db));
        let (csa, usi) =
            (Some(FileKind::Games(KifuFormat::Csa)), Some(FileKind::Games(KifuFormat::Usi)));
        assert_eq!(kind("a.txt", "#YANEURAOU-DB2016 1.00\n"), db);
        assert_eq!(kind("a.db", &format!("{START}\n7g7f\n")), db);
        assert_eq!(kind("a.sfen", &format!("{START} moves 7g7f\n")), usi);
        assert_eq!(kind("a", "V2.2\nPI\n+\n"), csa);
        assert_eq!(kind("a.csa", ""), csa);
        assert_eq!(kind("a.TXT", " \n"), usi);
        assert_eq!(kind("a.log", LOG_HEADER), Some(FileKind::Log));
        assert_eq!(kind("a.sbk", "\n"), Some(FileKind::Book(BookFormat::Sbk)));
        assert_eq!(kind("a.kbook", "Dear Sir,"), Some(FileKind::Store));
        assert_eq!(kind("a", std::str::from_utf8(&STORE_HEADER[..4]).unwrap()), None);
        fs::write(folder.path().join("b"), STORE_HEADER).unwrap();
        assert_eq!(FileKind::of_file(folder.path().join("b")).unwrap(), FileKind::Store);
        assert_eq!(kind("a.log", "Dear Sir,"), None);
        assert_eq!(kind("a", ""), None);
    }

    #[test]
    fn a_file_that_is_expected_to_be_a_book_is_one_by_content_or_name() {
        let folder = tempfile::tempdir().unwrap();
        let kind = |name: &str, content: &str| {
            let path = folder.path().join(name);
            fs::write(&path, content).unwrap();
            FileKind::of_book(path).ok()
        };
        assert_eq!(kind("a.sfen", START), Some(FileKind::Book(BookFormat::Db)));
        assert_eq!(kind("a.KBOOK", ""), Some(FileKind::Store));
        assert_eq!(kind("a.ybb", ""), Some(FileKind::Book(BookFormat::Ybb)));
        assert_eq!(kind("a.csa", "V2.2\n"), None);
        assert_eq!(FileKind::of_book_extension("Sbk"), Some(FileKind::Book(BookFormat::Sbk)));
    }
}
