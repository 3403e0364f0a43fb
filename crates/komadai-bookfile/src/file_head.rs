//! Recognition of files by their first bytes and their extension.
//!
//! Every decision about the kind of a file starts with a [`FileHead`]. This crate decides between
//! the formats of books ([`FileHead::book_format`]); crates that know more kinds of files check
//! theirs first, on the same head.

use std::io::{self, Read};
use std::path::Path;

use komadai_base::file::open_regular;

use crate::book_format::BookFormat;
use crate::file_error::BookFileError;

/// The extension of the databases that hold working books.
pub const STORE_EXTENSION: &str = "kbook";

/// The extension of the text logs of books.
pub const LOG_EXTENSION: &str = "log";

/// The extensions of files of games.
pub const GAME_EXTENSIONS: [&str; 4] = ["csa", "sfen", "usi", "txt"];

/// The first bytes of a file, and its extension.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::BookFormat;
/// use komadai_bookfile::file_head::{FileHead, STORE_EXTENSION};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.txt");
/// std::fs::write(&path, "#YANEURAOU-DB2016 1.00\n")?;
/// let head = FileHead::read(&path)?;
/// assert_eq!(head.book_format(), Some(BookFormat::Db));
/// assert!(!head.has_extension(STORE_EXTENSION));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileHead {
    bytes: Vec<u8>,
    extension: Option<String>,
}

impl FileHead {
    /// The maximum number of bytes read.
    pub const MAX_BYTES: u64 = 1 << 12;

    /// Reads the head of a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not a regular file ([`io::ErrorKind::InvalidInput`]): a
    /// pipe would block until a program writes into it, and some devices never end.
    pub fn read(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        let mut bytes = Vec::new();
        open_regular(path)?.take(Self::MAX_BYTES).read_to_end(&mut bytes)?;
        let extension = path.extension().and_then(|extension| extension.to_str());
        Ok(Self { bytes, extension: extension.map(str::to_owned) })
    }

    /// The first bytes, at most [`MAX_BYTES`](Self::MAX_BYTES).
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns true if the file starts with these bytes.
    #[must_use]
    pub fn starts_with(&self, bytes: &[u8]) -> bool {
        self.bytes.starts_with(bytes)
    }

    /// Returns true if the file has this extension, in capital or small letters.
    #[must_use]
    pub fn has_extension(&self, extension: &str) -> bool {
        self.extension.as_ref().is_some_and(|other| other.eq_ignore_ascii_case(extension))
    }

    /// The format of books that the extension names.
    #[must_use]
    pub fn format_of_extension(&self) -> Option<BookFormat> {
        self.extension.as_ref()?.parse().ok()
    }

    /// The format of books that the first bytes state, or else the one that the extension names.
    #[must_use]
    pub fn book_format(&self) -> Option<BookFormat> {
        // Content first: a renamed file stays what it is, while the extension `.bin` is used for
        // many other things.
        BookFormat::from_first_bytes(&self.bytes).or_else(|| self.format_of_extension())
    }

    /// Returns true if the file starts with an SFEN and has no extension of a book: it may list
    /// games as well as positions.
    #[must_use]
    pub fn may_list_games(&self) -> bool {
        self.starts_with(b"sfen ") && self.format_of_extension().is_none()
    }
}

impl BookFormat {
    /// The format of a file: the one that its first bytes state, or else the one that its extension
    /// names.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or neither determines a format.
    pub fn of_file(path: impl AsRef<Path>) -> Result<Self, BookFileError> {
        let path = path.as_ref();
        let head = FileHead::read(path)
            .map_err(|error| BookFileError::Io { path: path.to_owned(), error })?;
        head.book_format().ok_or_else(|| BookFileError::UnknownFormat { path: path.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn content_goes_before_extension() {
        let folder = tempfile::tempdir().unwrap();
        let head = |name: &str, content: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, content).unwrap();
            FileHead::read(path).unwrap()
        };
        let start = b"sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
        for (name, content, format, may_list_games) in [
            ("a.ybb", b"#YANEURAOU-DB2016 1.00\n".as_slice(), Some(BookFormat::Db), false),
            ("a.txt", start, Some(BookFormat::Db), true),
            ("a.DB", start, Some(BookFormat::Db), false),
            ("a.bin", b"Dear Sir,", Some(BookFormat::Apery), false),
            ("a.kbook", b"Dear Sir,", None, false),
            ("a", b"", None, false),
        ] {
            let head = head(name, content);
            assert_eq!(head.book_format(), format, "{name}");
            assert_eq!(head.may_list_games(), may_list_games, "{name}");
        }
        assert!(head("a.KBook", b"").has_extension(STORE_EXTENSION));
        let long = head("a", &[7; 10_000]);
        assert_eq!(long.bytes().len() as u64, FileHead::MAX_BYTES);
        assert!(FileHead::read(folder.path()).is_err(), "a folder");
    }
}
