//! A reader that detects the format of the games.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::csa::{CsaReader, is_csa_line};
use crate::error::KifuError;
#[cfg(feature = "jkf")]
use crate::jkf::JkfReader;
use crate::record::Record;
use crate::text_fault::{TextFault, TextFaultKind};
use crate::tolerance::{Skipped, Tolerance};
use crate::usi_games::UsiGamesReader;

/// The formats of game records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum KifuFormat {
    /// CSA.
    Csa,
    /// Games in USI, one a line.
    Usi,
    /// JKF, a record as JSON.
    Jkf,
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
        if start.trim_ascii_start().starts_with(b"{") {
            return Some(Self::Jkf);
        }
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
    /// A reader of JKF.
    #[cfg(feature = "jkf")]
    Jkf(JkfReader<R>),
}

impl GameReader<BufReader<File>> {
    /// Opens a file and detects its format, as [`new`](Self::new) does.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or its start resembles no format.
    pub fn open(path: impl AsRef<Path>, tolerance: Tolerance) -> Result<Self, KifuError> {
        let file = File::open(path);
        let file = file.map_err(|error| TextFault::in_line(1, TextFaultKind::Io(error)))?;
        Self::new(BufReader::new(file), tolerance)
    }
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
            #[cfg(feature = "jkf")]
            Some(KifuFormat::Jkf) => Ok(Self::Jkf(JkfReader::new(reader, tolerance))),
            _ => {
                let expected = "a record in CSA, or games in USI (`startpos moves …`)";
                let found = other_format(start).map_or_else(|| first_line(start), str::to_owned);
                Err(TextFault::syntax(1, 1, &found, expected).into())
            }
        }
    }

    /// Returns the faults skipped so far; none if the reading is strict.
    #[must_use]
    pub fn skipped(&self) -> &Skipped {
        match self {
            Self::Csa(reader) => reader.skipped(),
            Self::Usi(reader) => reader.skipped(),
            #[cfg(feature = "jkf")]
            Self::Jkf(reader) => reader.skipped(),
        }
    }
}

impl<R: BufRead> Iterator for GameReader<R> {
    type Item = Result<Record, KifuError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Csa(reader) => reader.next(),
            Self::Usi(reader) => reader.next(),
            #[cfg(feature = "jkf")]
            Self::Jkf(reader) => reader.next(),
        }
    }
}

/// The name of a known format of records that is not read.
fn other_format(start: &[u8]) -> Option<&'static str> {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    // The words of KIF and KI2 headers, in UTF-8 and in Shift_JIS.
    let words = [
        ("手合割", &b"\x8e\xe8\x8d\x87\x8a\x84"[..]),
        ("先手", b"\x90\xe6\x8e\xe8"),
        ("開始日時", b"\x8a\x4a\x8e\x6e\x93\xfa\x8e\x9e"),
        ("棋戦", b"\x8a\xfb\x90\xed"),
        ("手数----", b"\x8e\xe8\x90\x94----"),
    ];
    let is_kif = |line: &[u8]| {
        line.starts_with(b"# KIF")
            || words.iter().any(|(utf8, shift_jis)| {
                line.starts_with(utf8.as_bytes()) || line.starts_with(shift_jis)
            })
    };
    // `#---- Kifu for Windows …`: comments of KIF files name a program.
    let is_comment = |line: &&[u8]| line.is_empty() || line.starts_with(b"#");
    let mut lines = start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    if start.trim_ascii_start().starts_with(b"{") {
        return Some("JSON (JKF?), which needs the feature `jkf`");
    }
    lines
        .find(|line| is_kif(line) || !is_comment(line))
        .filter(|line| is_kif(line))
        .map(|_| "KIF or KI2, which this version does not read")
}

/// The first line of a text that resembles no format.
fn first_line(start: &[u8]) -> String {
    let text = String::from_utf8_lossy(&start[..start.len().min(200)]);
    text.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_that_are_not_read_are_named() {
        for (text, name) in [
            (&b"\x8e\xe8\x8d\x87\x8a\x84\x81F\x95\xbd\x8e\xe8\n"[..], "KIF"),
            ("# KIF version=2.0 encoding=UTF-8\n".as_bytes(), "KIF"),
            ("\u{feff}# ---- a program ----\n先手：A\n▲７六歩".as_bytes(), "KIF"),
            #[cfg(not(feature = "jkf"))]
            (b"{\"header\":{}}", "JKF"),
        ] {
            let error = GameReader::new(text, Tolerance::Lenient).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains("CSA"), "{error}");
        }
        let error = GameReader::new(&b"Dear Sir"[..], Tolerance::Strict).unwrap_err().to_string();
        assert!(error.contains("Dear Sir"), "{error}");
    }
}
