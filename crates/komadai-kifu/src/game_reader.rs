//! A reader that detects the format of the games.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use komadai_base::file::open_regular;

use crate::csa::CsaReader;
use crate::error::KifuError;
#[cfg(feature = "jkf")]
use crate::jkf::JkfReader;
use crate::ki2::Ki2Reader;
use crate::kif::KifReader;
use crate::kifu_format::{Detection, KifuFormat};
use crate::record::Record;
use crate::text::encoding::{Decoder, Encodings};
use crate::text::fault::{TextFault, TextFaultKind};
use crate::text::resumed::Resumed;
use crate::text::utf16::Utf16;
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
    /// Opens a file and detects its format, as [`named`](Self::named) does.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or its start resembles no format.
    pub fn open(path: impl AsRef<Path>, tolerance: Tolerance) -> Result<Self, KifuError> {
        let path = path.as_ref();
        let file = open_regular(path);
        let file = file.map_err(|error| TextFault::in_line(1, TextFaultKind::Io(error)))?;
        Self::named(BufReader::new(file), path, tolerance)
    }
}

impl<R: BufRead> GameReader<R> {
    /// Detects the format of the text and creates a reader for it. An empty text has no games.
    ///
    /// A signature or the first move decides. A text that begins with header and comments is read up to its first
    /// move, and of it up to 16 MiB are kept in memory until then.
    ///
    /// # Errors
    ///
    /// If the source fails, or the start of the text resembles no format.
    pub fn new(reader: R, tolerance: Tolerance) -> Result<Self, KifuError> {
        Self::detected(reader, None, false, tolerance)
    }

    /// Detects the format, as [`new`](Self::new) does, of a file with this name. The ending decides where the text
    /// does not: between KIF and KI2 without a move. `.kifu` and `.ki2u` are UTF-8.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::{GameReader, Tolerance};
    ///
    /// let text = "手合割：平手\n".as_bytes();
    /// let games = GameReader::named(text, "a.ki2", Tolerance::Strict)?;
    /// assert!(matches!(games, GameReader::Ki2(_)));
    /// # Ok::<(), komadai_kifu::KifuError>(())
    /// ```
    pub fn named(
        reader: R,
        name: impl AsRef<Path>,
        tolerance: Tolerance,
    ) -> Result<Self, KifuError> {
        let name = name.as_ref();
        Self::detected(reader, KifuFormat::of_path(name), KifuFormat::is_utf8_path(name), tolerance)
    }

    fn detected(
        reader: R,
        named: Option<KifuFormat>,
        is_named_utf8: bool,
        tolerance: Tolerance,
    ) -> Result<Self, KifuError> {
        let (format, reader) = read_ahead(reader, named)?;
        let mut reader = reader.named_utf8(is_named_utf8);
        match format {
            Some(KifuFormat::Csa) => Ok(Self::Csa(CsaReader::resumed(reader, tolerance))),
            Some(KifuFormat::Kif) => Ok(Self::Kif(KifReader::resumed(reader, tolerance))),
            Some(KifuFormat::Ki2) => Ok(Self::Ki2(Ki2Reader::resumed(reader, tolerance))),
            Some(KifuFormat::Usi) => Ok(Self::Usi(UsiGamesReader::resumed(reader, tolerance))),
            Some(KifuFormat::Usen) => Ok(Self::Usen(UsenReader::resumed(reader, tolerance))),
            #[cfg(feature = "jkf")]
            Some(KifuFormat::Jkf) => Ok(Self::Jkf(JkfReader::resumed(reader, tolerance))),
            _ => {
                let expected =
                    "a record in CSA, KIF, KI2, JKF or USEN, or games in USI (`startpos moves …`)";
                let start = reader.fill_buf().map_err(io_fault)?;
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

/// Largest part of a text that is read for its format: the largest amount of header and comments of one game.
const MAX_HEAD_BYTES: usize = 16 << 20;

/// Reads a text as far as its format needs. Returns the format, and the whole text again.
fn read_ahead<R: BufRead>(
    reader: R,
    named: Option<KifuFormat>,
) -> Result<(Option<KifuFormat>, Resumed<R>), KifuError> {
    let mut detection = Detection::new(Decoder::new(Encodings::Japanese), named);
    let mut reader = Utf16::new(reader);
    let mut head = Vec::new();
    // The length of the whole lines in `head`.
    let mut seen = 0;
    loop {
        let buffer = match reader.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(io_fault(error)),
        };
        let is_end = buffer.is_empty();
        let read = buffer.len();
        head.extend_from_slice(buffer);
        let is_full = is_end || head.len() >= MAX_HEAD_BYTES;
        let line_end =
            head[head.len() - read..].iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
        let lines = match line_end {
            _ if is_full => head.len(),
            Some(at) => head.len() - read + at,
            None => seen,
        };
        let found = detection.lines(&head[seen..lines]);
        seen = lines;
        if found.is_some() || is_full || !detection.is_open() {
            let empty = (is_end && head.trim_ascii().is_empty()).then_some(KifuFormat::Csa);
            let format = found.or_else(|| detection.guess()).or(empty);
            // The last buffer has not been consumed.
            head.truncate(head.len() - read);
            return Ok((format, Resumed::after(head, reader)));
        }
        reader.consume(read);
    }
}

fn io_fault(error: io::Error) -> KifuError {
    TextFault::in_line(1, TextFaultKind::Io(error)).into()
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
