//! Games of whatever format.

use std::io::BufRead;

use crate::csa::is_csa_line;
use crate::{CsaReader, KifuError, Record, Skipped, Tolerance, UsiGamesReader};

/// The formats that games are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KifuFormat {
    /// CSA.
    Csa,
    /// Games in USI, one a line.
    Usi,
}

impl KifuFormat {
    /// The format that a text seems to have, judged by how it begins; `None` if it is like none.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::KifuFormat;
    ///
    /// assert_eq!(KifuFormat::detect(b"\xef\xbb\xbfV2.2\nPI\n+"), Some(KifuFormat::Csa));
    /// assert_eq!(KifuFormat::detect(b"startpos moves 7g7f"), Some(KifuFormat::Usi));
    /// assert_eq!(KifuFormat::detect(b"Dear Sir"), None);
    /// ```
    #[must_use]
    pub fn detect(beginning: &[u8]) -> Option<Self> {
        let beginning = beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning);
        let mut lines = beginning
            .split(|byte| matches!(byte, b'\n' | b'\r'))
            .map(|line| String::from_utf8_lossy(line.trim_ascii()))
            .filter(|line| !line.is_empty());
        lines.find_map(|line| {
            let is_usi = ["position ", "startpos", "sfen "].iter().any(|w| line.starts_with(w))
                || line.split('/').count() == 9;
            match () {
                () if is_csa_line(&line) => Some(Some(Self::Csa)),
                () if is_usi => Some(Some(Self::Usi)),
                () if line.starts_with('#') => None,
                () => Some(None),
            }
        })?
    }
}

/// Reads games from a text in either format, as its beginning suggests.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{GameReader, Tolerance};
///
/// let mut games = GameReader::new(&b"startpos moves 7g7f"[..], Tolerance::Strict)?;
/// assert_eq!(games.next().transpose()?.map(|game| game.moves.len()), Some(1));
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum GameReader<R> {
    /// Of CSA.
    Csa(CsaReader<R>),
    /// Of games in USI.
    Usi(UsiGamesReader<R>),
}

impl<R: BufRead> GameReader<R> {
    /// Looks at what `reader` has buffered first and reads on in that format. An empty text has no
    /// games.
    ///
    /// # Errors
    ///
    /// If the source fails, or the beginning is like no format.
    pub fn new(mut reader: R, tolerance: Tolerance) -> Result<Self, KifuError> {
        let beginning = reader.fill_buf().map_err(|error| KifuError::Io { line: 1, error })?;
        let format = if beginning.trim_ascii().is_empty() {
            Some(KifuFormat::Csa)
        } else {
            KifuFormat::detect(beginning)
        };
        match format {
            Some(KifuFormat::Csa) => Ok(Self::Csa(CsaReader::new(reader, tolerance))),
            Some(KifuFormat::Usi) => Ok(Self::Usi(UsiGamesReader::new(reader, tolerance))),
            None => {
                let found = String::from_utf8_lossy(&beginning[..beginning.len().min(200)]);
                Err(KifuError::Syntax {
                    line: 1,
                    column: 1,
                    found: crate::error::shorten(found.lines().next().unwrap_or_default()),
                    expected: "a record in CSA, or games in USI (`startpos moves …`)",
                })
            }
        }
    }

    /// What has been skipped so far; nothing if the reading is strict.
    #[must_use]
    pub fn skipped(&self) -> &Skipped {
        match self {
            Self::Csa(reader) => reader.skipped(),
            Self::Usi(reader) => reader.skipped(),
        }
    }
}

impl<R: BufRead> Iterator for GameReader<R> {
    type Item = Result<Record, KifuError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Csa(reader) => reader.next(),
            Self::Usi(reader) => reader.next(),
        }
    }
}
