//! A reader that detects the format of the games.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use komadai_base::file::open_regular;

use crate::csa::CsaReader;
use crate::error::KifuError;
#[cfg(feature = "jkf")]
use crate::jkf::JkfReader;
use crate::ki2::Ki2Reader;
use crate::kif::KifReader;
use crate::kifu_format::KifuFormat;
use crate::record::Record;
use crate::text::fault::{TextFault, TextFaultKind};
use crate::tolerance::{Skipped, Tolerance};
use crate::usen::UsenReader;
use crate::usi_games::UsiGamesReader;

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
    /// A reader of KIF.
    Kif(KifReader<R>),
    /// A reader of KI2.
    Ki2(Ki2Reader<R>),
    /// A reader of games in USI.
    Usi(UsiGamesReader<R>),
    /// A reader of USEN.
    Usen(UsenReader<R>),
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
        let file = open_regular(path);
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
            Some(KifuFormat::Kif) => Ok(Self::Kif(KifReader::new(reader, tolerance))),
            Some(KifuFormat::Ki2) => Ok(Self::Ki2(Ki2Reader::new(reader, tolerance))),
            Some(KifuFormat::Usi) => Ok(Self::Usi(UsiGamesReader::new(reader, tolerance))),
            Some(KifuFormat::Usen) => Ok(Self::Usen(UsenReader::new(reader, tolerance))),
            #[cfg(feature = "jkf")]
            Some(KifuFormat::Jkf) => Ok(Self::Jkf(JkfReader::new(reader, tolerance))),
            _ => {
                let expected =
                    "a record in CSA, KIF, KI2, JKF or USEN, or games in USI (`startpos moves …`)";
                Err(TextFault::syntax(1, 1, &first_line(start), expected).into())
            }
        }
    }

    /// Returns the faults skipped so far; none if the reading is strict.
    #[must_use]
    pub fn skipped(&self) -> &Skipped {
        match self {
            Self::Csa(reader) => reader.skipped(),
            Self::Kif(reader) => reader.skipped(),
            Self::Ki2(reader) => reader.skipped(),
            Self::Usi(reader) => reader.skipped(),
            Self::Usen(reader) => reader.skipped(),
            #[cfg(feature = "jkf")]
            Self::Jkf(reader) => reader.skipped(),
        }
    }

    /// Ends the reading and returns the faults skipped.
    #[must_use]
    pub fn into_skipped(self) -> Skipped {
        match self {
            Self::Csa(reader) => reader.into_skipped(),
            Self::Kif(reader) => reader.into_skipped(),
            Self::Ki2(reader) => reader.into_skipped(),
            Self::Usi(reader) => reader.into_skipped(),
            Self::Usen(reader) => reader.into_skipped(),
            #[cfg(feature = "jkf")]
            Self::Jkf(reader) => reader.into_skipped(),
        }
    }
}

impl<R: BufRead> Iterator for GameReader<R> {
    type Item = Result<Record, KifuError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Csa(reader) => reader.next(),
            Self::Kif(reader) => reader.next(),
            Self::Ki2(reader) => reader.next(),
            Self::Usi(reader) => reader.next(),
            Self::Usen(reader) => reader.next(),
            #[cfg(feature = "jkf")]
            Self::Jkf(reader) => reader.next(),
        }
    }
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
    fn every_format_is_read_without_its_name() {
        for text in [
            &b"\x8e\xe8\x8d\x87\x8a\x84\x81F\x95\xbd\x8e\xe8\n"[..],
            "# KIF version=2.0 encoding=UTF-8\n   1 ７六歩(77)\n".as_bytes(),
            "\u{feff}# ---- a program ----\n先手：A\n▲７六歩".as_bytes(),
            b"PI\n+\n+7776FU\n",
            b"startpos moves 7g7f",
        ] {
            let games = GameReader::new(text, Tolerance::Strict).unwrap();
            assert_eq!(games.filter_map(Result::ok).count(), 1);
        }
    }

    #[test]
    fn a_text_of_no_format_is_refused_with_its_start() {
        let error = GameReader::new(&b"Dear Sir"[..], Tolerance::Strict).unwrap_err().to_string();
        assert!(error.contains("Dear Sir"), "{error}");
    }
}
