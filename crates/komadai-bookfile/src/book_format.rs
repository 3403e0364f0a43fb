//! Formats of book files.

use std::fmt;
use std::path::Path;

use crate::ybb::MAGIC;

/// A format of book files.
///
/// It is printed as the extension of its files.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::BookFormat;
///
/// assert_eq!(BookFormat::from_path("books/user_book1.ybb"), Some(BookFormat::Ybb));
/// assert_eq!(BookFormat::of_extension("sbk"), Some(BookFormat::Sbk));
/// assert_eq!(BookFormat::Apery.to_string(), "bin");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum BookFormat {
    /// YANEURAOU-DB2016, text (`.db`).
    Db,
    /// YANE-BINBOOK-V1 (`.ybb`).
    Ybb,
    /// Apery's `book.bin`.
    #[cfg_attr(feature = "serde", serde(rename = "bin"))]
    Apery,
    /// ShogiGUI's `.sbk`.
    Sbk,
}

impl BookFormat {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Db, Self::Ybb, Self::Apery, Self::Sbk];

    /// The extension of its files.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Db => "db",
            Self::Ybb => "ybb",
            Self::Apery => "bin",
            Self::Sbk => "sbk",
        }
    }

    /// The format of files with this extension, without its dot.
    pub fn of_extension(extension: &str) -> Option<Self> {
        let is_named = |format: &Self| extension.eq_ignore_ascii_case(format.extension());
        Self::ALL.into_iter().find(is_named)
    }

    /// The format that the extension of a name states.
    pub fn from_path(path: impl AsRef<Path>) -> Option<Self> {
        Self::of_extension(path.as_ref().extension()?.to_str()?)
    }

    /// The format that a file's first bytes state. Apery's and ShogiGUI's formats have no magic
    /// number.
    pub fn from_first_bytes(bytes: &[u8]) -> Option<Self> {
        let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        if bytes.starts_with(&MAGIC) {
            Some(Self::Ybb)
        } else if text.starts_with(b"#YANEURAOU-DB2016") || text.starts_with(b"sfen ") {
            Some(Self::Db)
        } else {
            None
        }
    }
}

impl fmt::Display for BookFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension())
    }
}
