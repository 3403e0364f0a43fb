//! A reader that detects the format of the games.

use std::io::BufRead;

use crate::csa::{CsaReader, is_csa_line};
use crate::error::KifuError;
use crate::record::Record;
use crate::text_fault::{TextFault, TextFaultKind};
use crate::tolerance::{Skipped, Tolerance};
use crate::usi_games::UsiGamesReader;

/// The formats of game records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KifuFormat {
    /// CSA.
    Csa,
    /// Games in USI, one a line.
    Usi,
}

impl KifuFormat {
    /// Detects the format of a text from its first lines. Returns `None` if it resembles no format.
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
    pub fn detect(start: &[u8]) -> Option<Self> {
        let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
        let mut lines = start
            .split(|byte| matches!(byte, b'\n' | b'\r'))
            .map(|line| String::from_utf8_lossy(line.trim_ascii()))
            .filter(|line| !line.is_empty());
        lines.find_map(|line| {
            // A bare SFEN has nine ranks, separated by slashes.
            let is_usi = ["position ", "startpos", "sfen "].iter().any(|w| line.starts_with(w))
                || line.split('/').count() == 9;
            // Comments of game lists start with `#` and decide nothing; any other line does.
            match () {
                () if is_csa_line(&line) => Some(Some(Self::Csa)),
                () if is_usi => Some(Some(Self::Usi)),
                () if line.starts_with('#') => None,
                () => Some(None),
            }
        })?
    }
}

/// Reads games in the format that the start of the text suggests.
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
    /// A reader of CSA.
    Csa(CsaReader<R>),
    /// A reader of games in USI.
    Usi(UsiGamesReader<R>),
}

impl<R: BufRead> GameReader<R> {
    /// Detects the format from the first buffer of `reader` and creates a reader for it. An empty
    /// text has no games.
    ///
    /// # Errors
    ///
    /// If the source fails, or the start of the text resembles no format.
    pub fn new(mut reader: R, tolerance: Tolerance) -> Result<Self, KifuError> {
        let start =
            reader.fill_buf().map_err(|error| TextFault::in_line(1, TextFaultKind::Io(error)))?;
        let format = if start.trim_ascii().is_empty() {
            Some(KifuFormat::Csa)
        } else {
            KifuFormat::detect(start)
        };
        match format {
            Some(KifuFormat::Csa) => Ok(Self::Csa(CsaReader::new(reader, tolerance))),
            Some(KifuFormat::Usi) => Ok(Self::Usi(UsiGamesReader::new(reader, tolerance))),
            None => {
                let found = String::from_utf8_lossy(&start[..start.len().min(200)]);
                let found = found.lines().next().unwrap_or_default();
                let expected = "a record in CSA, or games in USI (`startpos moves …`)";
                Err(TextFault::syntax(1, 1, found, expected).into())
            }
        }
    }

    /// Returns the faults skipped so far; none if the reading is strict.
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
