//! The readers of all formats: one type, and a name for it for each format.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::marker::PhantomData;
use std::path::Path;

use komadai_base::file::open_regular;

use crate::error::KifuError;
#[cfg(feature = "jkf")]
use crate::jkf;
use crate::kifu_format::{Detection, KifuFormat};
use crate::loaded::Loaded;
use crate::record::Record;
use crate::text::encoding::{Decoder, Encodings};
use crate::text::lines::TextLines;
use crate::text::resumed::Resumed;
use crate::text::utf16::Utf16;
use crate::{csa, ki2, kif, usen, usi_games};
use komadai_base::reading::{Skipped, TextFault, TextFaultKind, Tolerance};

/// Types that stand for the formats in the types of their readers.
pub mod formats {
    use crate::kifu_format::KifuFormat;

    /// A format that is known before a text is read.
    pub trait RecordFormat {
        /// The format.
        const FORMAT: KifuFormat;
    }

    macro_rules! formats {
        ($($(#[$attribute:meta])* $format:ident),* $(,)?) => { $(
            $(#[$attribute])*
            #[derive(Debug)]
            pub enum $format {}

            $(#[$attribute])*
            impl RecordFormat for $format {
                const FORMAT: KifuFormat = KifuFormat::$format;
            }
        )* };
    }

    formats! {
        /// CSA.
        Csa,
        /// KIF.
        Kif,
        /// KI2.
        Ki2,
        /// Games in USI, one a line.
        Usi,
        /// USEN.
        Usen,
        /// JKF.
        #[cfg(feature = "jkf")]
        Jkf,
    }

    /// The format that the start of the text suggests.
    #[derive(Debug)]
    pub enum Detected {}
}

/// Reads the games of a source of any length one by one, in bounded memory. After an error or the
/// last game the iterator has ended.
///
/// Each format has a name for its reader, such as [`KifReader`]; [`GameReader`] detects the format.
/// The encoding is found line by line in all of them. A lenient reader skips faults and lists them
/// in [`skipped`](Self::skipped); a strict one ends with the first.
///
/// For a text in memory, functions such as [`parse_kif`] return all games at once. For folders and
/// archives there is `RecordFiles` (feature `archives`).
///
/// # Examples
///
/// ```
/// use komadai_kifu::formats::{Csa, RecordFormat as _};
/// use komadai_kifu::{CsaReader, GameReader, KifuFormat, Tolerance};
///
/// let text = &b"PI\n+\n+7776FU\n-3334FU\n/\nPI\n+\n+2726FU\n+8384FU\n"[..];
/// let mut games = GameReader::new(text, Tolerance::Lenient)?;
/// assert_eq!((games.format(), Csa::FORMAT), (KifuFormat::Csa, KifuFormat::Csa));
/// let lengths = games.by_ref().map(|game| Ok(game?.moves.len()));
/// assert_eq!(lengths.collect::<Result<Vec<_>, komadai_kifu::KifuError>>()?, [2, 1]);
/// assert_eq!(games.skipped().count(), 1); // a move of Black with White to move
///
/// let mut strict = CsaReader::new(text, Tolerance::Strict);
/// assert!(strict.next().is_some_and(|game| game.is_ok()));
/// assert!(strict.next().is_some_and(|game| game.is_err()) && strict.next().is_none());
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
#[derive(Debug)]
pub struct RecordReader<R, F> {
    lines: TextLines<R>,
    is_over: bool,
    format: PhantomData<F>,
}

/// Reads the games of a CSA text of any length one by one.
///
/// Games are separated by lines of `/`. A `V` line after moves starts a new game as well, so that
/// files may simply be joined. Memory is bounded by the longest game allowed, not by the text.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{CsaReader, Tolerance};
///
/// let text = "PI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+2726FU\n-9999FU\n%TORYO\n";
/// let mut games = CsaReader::new(text.as_bytes(), Tolerance::Lenient);
/// let records = games.by_ref().collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(records.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [1, 1]);
/// // A fault: the move from 9九 to 9九. The end mark after it is kept.
/// assert_eq!(games.skipped().count(), 1);
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
pub type CsaReader<R> = RecordReader<R, formats::Csa>;

/// Reads the games of a KIF text of any length one by one.
///
/// A file usually has one game; files that were joined are read as well. The text may be Shift_JIS
/// (code page 932), UTF-8 or EUC-JP, with any line ends. Moves are placed by their numbers.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{KifReader, Tolerance};
///
/// let text = "手合割：平手\n先手：A\n   1 ７六歩(77) ( 0:16/00:00:16)\n   2 ３四歩(33)\n変化：2手\n   2 ８四歩(83)\n";
/// let mut games = KifReader::new(text.as_bytes(), Tolerance::Strict);
/// let game = games.next().transpose()?.expect("one game");
/// assert_eq!(game.to_usi().to_string(), "startpos moves 7g7f 3c3d");
/// assert_eq!(game.variations.len(), 1);
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
pub type KifReader<R> = RecordReader<R, formats::Kif>;

/// Reads the games of a KI2 text of any length one by one.
///
/// A file usually has one game; files that were joined are read as well. The text may be Shift_JIS
/// (code page 932), UTF-8 or EUC-JP, with any line ends. Moves may be separated by blanks, line
/// ends or nothing.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{Ki2Reader, Tolerance};
///
/// let text = "手合割：平手\n先手：A\n▲７六歩△３四歩 ▲２二角成 △同　銀\nまで4手で中断\n";
/// let mut games = Ki2Reader::new(text.as_bytes(), Tolerance::Strict);
/// let game = games.next().transpose()?.expect("one game");
/// assert_eq!(game.to_usi().to_string(), "startpos moves 7g7f 3c3d 8h2b+ 3a2b");
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
pub type Ki2Reader<R> = RecordReader<R, formats::Ki2>;

/// Reads lists of games in USI, one game a line.
///
/// A line is a `position` command of the protocol, with or without the word `position`; moves
/// without a start begin in the even game. A lenient reading keeps the moves before an unknown
/// word. A word such as `resign` after the last move gives the end of the game. Options after a
/// comma are kept in the header: `, book_extend_ply=20, eval_limit=400`. Empty lines are skipped,
/// and so is the rest of a line from a word that starts with `#`. Of a line `sfen …`, tab, game, tab
/// and so on, as `komadai book next` writes them, the game is read.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{Tolerance, UsiGamesReader};
///
/// let text = "# two games\nstartpos moves 7g7f 3c3d resign\nposition startpos moves 2g2f\n";
/// let games = UsiGamesReader::new(text.as_bytes(), Tolerance::Strict);
/// let records = games.collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(records.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [2, 1]);
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
pub type UsiGamesReader<R> = RecordReader<R, formats::Usi>;

/// Reads the game of a USEN file. It is read as a whole.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{Tolerance, UsenReader};
///
/// let text = &b"~0.6y236e7ku4be.r\n"[..];
/// let games = UsenReader::new(text, Tolerance::Strict).collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(games[0].moves.len(), 4);
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
pub type UsenReader<R> = RecordReader<R, formats::Usen>;

/// Reads the game of a JKF file.
///
/// Unlike a format of lines, JSON is read as a whole. Files of more than 64 MiB are refused.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{JkfReader, Tolerance};
///
/// let text = &br#"{"header":{},"moves":[{},{"special":"CHUDAN"}]}"#[..];
/// let games = JkfReader::new(text, Tolerance::Strict).collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(games.len(), 1);
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
#[cfg(feature = "jkf")]
pub type JkfReader<R> = RecordReader<R, formats::Jkf>;

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
pub type GameReader<R> = RecordReader<R, formats::Detected>;

impl<R: BufRead, F: formats::RecordFormat> RecordReader<R, F> {
    /// Creates a reader of the games in `reader`.
    pub fn new(reader: R, tolerance: Tolerance) -> Self {
        Self::of(F::FORMAT, reader.into(), tolerance)
    }
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
    /// A signature or the first move decides. A text that begins with header and comments is read
    /// up to its first move, and of it up to 16 MiB are kept in memory until then.
    ///
    /// # Errors
    ///
    /// If the source fails, or the start of the text resembles no format.
    pub fn new(reader: R, tolerance: Tolerance) -> Result<Self, KifuError> {
        Self::detected(reader, None, false, tolerance)
    }

    /// Detects the format, as [`new`](Self::new) does, of a file with this name. The ending decides
    /// where the text does not: between KIF and KI2 without a move. `.kifu` and `.ki2u` are UTF-8.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::{GameReader, KifuFormat, Tolerance};
    ///
    /// let text = "手合割：平手\n".as_bytes();
    /// let games = GameReader::named(text, "a.ki2", Tolerance::Strict)?;
    /// assert_eq!(games.format(), KifuFormat::Ki2);
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
        let (format, mut reader) = read_ahead(reader, named)?;
        reader.is_named_utf8 = is_named_utf8;
        match format {
            Some(format) if format != KifuFormat::Jkf || cfg!(feature = "jkf") => {
                Ok(Self::of(format, reader, tolerance))
            }
            _ => {
                let expected =
                    "a record in CSA, KIF, KI2, JKF or USEN, or games in USI (`startpos moves …`)";
                let start = reader.fill_buf().map_err(io_fault)?;
                Err(TextFault::syntax(1, 1, &first_line(start), expected).into())
            }
        }
    }
}

impl<R: BufRead, F> RecordReader<R, F> {
    fn of(format: KifuFormat, reader: Resumed<R>, tolerance: Tolerance) -> Self {
        let lines = TextLines::new(reader, tolerance, format);
        Self { lines, is_over: false, format: PhantomData }
    }

    /// Returns the format of the games.
    pub fn format(&self) -> KifuFormat {
        self.lines.format
    }

    /// Returns the faults skipped so far; none if the reading is strict.
    pub fn skipped(&self) -> &Skipped<KifuError> {
        &self.lines.skipped
    }

    /// Ends the reading and returns the faults skipped.
    #[must_use]
    pub fn into_skipped(self) -> Skipped<KifuError> {
        self.lines.skipped
    }

    /// Returns the line read last, from 1; 0 before the first, and in a format that is read as a
    /// whole.
    pub fn line(&self) -> u64 {
        self.lines.number()
    }
}

impl<R: BufRead, F> Iterator for RecordReader<R, F> {
    type Item = Result<Record, KifuError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let game = match read_game(&mut self.lines) {
            // The games before the place where the source is cut off are kept, the last one if it
            // has a move.
            Ok(record) if record.as_ref().is_none_or(|record| record.moves.is_empty()) => {
                self.lines.failure.take().map_or(Ok(record), Err)
            }
            game => game,
        };
        let is_whole = matches!(self.format(), KifuFormat::Usen | KifuFormat::Jkf);
        self.is_over = is_whole || !matches!(game, Ok(Some(_)));
        game.transpose()
    }
}

/// Reads the next game in the format of the text. Returns `None` if the text ends before a game
/// starts.
fn read_game<R: BufRead>(lines: &mut TextLines<R>) -> Result<Option<Record>, KifuError> {
    let mut loaded = match lines.format {
        KifuFormat::Csa => return csa::read_game(lines),
        KifuFormat::Kif => return kif::read_game(lines),
        KifuFormat::Ki2 => return ki2::read_game(lines),
        KifuFormat::Usen => usen::parse_usen(lines.whole(usen::MAX_BYTES)?, lines.tolerance)?,
        #[cfg(feature = "jkf")]
        KifuFormat::Jkf => {
            let text = lines.whole(jkf::MAX_BYTES)?;
            jkf::check_length(&text)?;
            jkf::parse_jkf(text, lines.tolerance)?
        }
        // Without its feature, JKF has no reader.
        _ => return usi_games::read_game(lines),
    };
    lines.skipped.append(loaded.skipped);
    Ok(loaded.records.pop())
}

/// Reads all games of a CSA text in memory.
///
/// # Errors
///
/// If `tolerance` is strict, the first fault. A lenient reading of a text in memory does not fail.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{Tolerance, parse_csa};
///
/// let text = "V2.2\nN+A\nPI\n+\n+7776FU,T12,-3334FU,T6\n%CHUDAN\n";
/// let games = parse_csa(text, Tolerance::Strict)?;
/// assert_eq!(games.records[0].to_usi().to_string(), "startpos moves 7g7f 3c3d");
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
pub fn parse_csa(text: impl AsRef<[u8]>, tolerance: Tolerance) -> Result<Loaded, KifuError> {
    parse_records(text, KifuFormat::Csa, tolerance)
}

/// Reads all games of a KIF text in memory.
///
/// # Errors
///
/// If `tolerance` is strict, the first fault. A lenient reading of a text in memory does not fail.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{EndKind, Tolerance, parse_kif};
///
/// let games = parse_kif("1 ２六歩(27)\n2 投了\nまで1手で先手の勝ち\n", Tolerance::Strict)?;
/// assert_eq!(games.records[0].end.as_ref().map(|end| &end.kind), Some(&EndKind::Resign));
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
pub fn parse_kif(text: impl AsRef<[u8]>, tolerance: Tolerance) -> Result<Loaded, KifuError> {
    parse_records(text, KifuFormat::Kif, tolerance)
}

/// Reads all games of a KI2 text in memory.
///
/// # Errors
///
/// If `tolerance` is strict, the first fault. A lenient reading of a text in memory does not fail.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{Tolerance, parse_ki2};
///
/// let error = parse_ki2("▲５八金\n", Tolerance::Strict).unwrap_err();
/// assert!(error.to_string().contains("any of the moves from 4i, 6i"));
/// ```
pub fn parse_ki2(text: impl AsRef<[u8]>, tolerance: Tolerance) -> Result<Loaded, KifuError> {
    parse_records(text, KifuFormat::Ki2, tolerance)
}

/// Reads all games of a list in memory.
///
/// # Errors
///
/// If `tolerance` is strict, the first fault. A lenient reading of a text in memory does not fail.
pub fn parse_usi_games(text: impl AsRef<[u8]>, tolerance: Tolerance) -> Result<Loaded, KifuError> {
    parse_records(text, KifuFormat::Usi, tolerance)
}

/// Reads all games of a text in memory, whose format is known.
///
/// # Errors
///
/// If `tolerance` is strict, the first fault. JKF without its feature is no game in USI, which is
/// the error.
pub fn parse_records(
    text: impl AsRef<[u8]>,
    format: KifuFormat,
    tolerance: Tolerance,
) -> Result<Loaded, KifuError> {
    match format {
        KifuFormat::Usen => usen::parse_usen(text, tolerance),
        #[cfg(feature = "jkf")]
        KifuFormat::Jkf => jkf::parse_jkf(text, tolerance),
        _ => {
            let text = Resumed::from(text.as_ref());
            let mut reader = GameReader::of(format, text, tolerance);
            let records = reader.by_ref().collect::<Result<_, _>>()?;
            Ok(Loaded { records, skipped: reader.into_skipped() })
        }
    }
}

/// Largest part of a text that is read for its format: the largest amount of header and comments of
/// one game.
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
