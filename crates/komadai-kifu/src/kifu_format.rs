//! The formats of game records, and how a text shows its own.

use std::path::Path;

use komadai_core::Move;

use crate::kakinoki::line::{SharedLine, shared_line};
use crate::kakinoki::words::{SIGNS, kind_at, square_at};
use crate::kif::is_move_line;
use crate::notation::after_move;
use crate::text::encoding::{Decoder, Encodings};
use crate::text::utf16::to_utf8;

/// The formats of game records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum KifuFormat {
    /// CSA.
    Csa,
    /// KIF.
    Kif,
    /// KI2.
    Ki2,
    /// Games in USI, one a line.
    Usi,
    /// JKF, a record as JSON.
    Jkf,
    /// USEN, a record as part of an address.
    Usen,
}

impl KifuFormat {
    /// The extensions of the names of files of records; the usual one of each format comes first.
    pub const EXTENSIONS: [(&'static str, Self); 9] = [
        ("csa", Self::Csa),
        ("kif", Self::Kif),
        ("kifu", Self::Kif),
        ("ki2", Self::Ki2),
        ("ki2u", Self::Ki2),
        ("sfen", Self::Usi),
        ("usi", Self::Usi),
        ("jkf", Self::Jkf),
        ("usen", Self::Usen),
    ];

    /// Detects the format of a text from its first lines. Returns `None` if it resembles no format.
    ///
    /// A header without moves, which KIF and KI2 share, is KIF. The text may be UTF-8, Shift_JIS or
    /// EUC-JP.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::KifuFormat;
    ///
    /// assert_eq!(KifuFormat::detect(b"\xef\xbb\xbfV2.2\nPI\n+"), Some(KifuFormat::Csa));
    /// assert_eq!(KifuFormat::detect(b"startpos moves 7g7f"), Some(KifuFormat::Usi));
    /// assert_eq!(KifuFormat::detect("先手：A\n▲７六歩".as_bytes()), Some(KifuFormat::Ki2));
    /// assert_eq!(KifuFormat::detect("先手：A\n1 ７六歩(77)".as_bytes()), Some(KifuFormat::Kif));
    /// assert_eq!(KifuFormat::detect("７六歩 ３四歩".as_bytes()), Some(KifuFormat::Ki2));
    /// assert_eq!(KifuFormat::detect(b"Dear Sir"), None);
    /// ```
    pub fn detect(start: &[u8]) -> Option<Self> {
        Self::detect_with(start, &mut Decoder::new(Encodings::Japanese)).map(|found| found.format)
    }

    /// Detects the format of a text. The decoder decides the encoding.
    pub(crate) fn detect_with(start: &[u8], decoder: &mut Decoder) -> Option<Detected> {
        let mut detection = Detection::new(*decoder, None);
        let found = detection.lines(&to_utf8(start));
        *decoder = detection.decoder;
        let is_certain = found.is_some();
        let format = found.or_else(|| detection.guess())?;
        Some(Detected { format, is_certain })
    }

    /// Returns the name of the format in messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Csa => "CSA",
            Self::Kif => "KIF",
            Self::Ki2 => "KI2",
            Self::Usi => "games in USI",
            Self::Jkf => "JKF",
            Self::Usen => "USEN",
        }
    }

    /// Returns the format of files with this ending, without its dot.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::KifuFormat;
    ///
    /// assert_eq!(KifuFormat::of_extension("ki2u"), Some(KifuFormat::Ki2));
    /// assert_eq!(KifuFormat::of_extension("txt"), None);
    /// ```
    pub fn of_extension(extension: &str) -> Option<Self> {
        let is_named = |name: &str| extension.eq_ignore_ascii_case(name);
        // `.json` is the name of many other files, too, so that it is no entry of the table.
        let named = Self::EXTENSIONS.iter().find(|(name, _)| is_named(name));
        named.map(|&(_, format)| format).or(is_named("json").then_some(Self::Jkf))
    }

    /// Checks for an ending that stands for UTF-8 where the format has other encodings, too.
    pub(crate) fn is_utf8_path(path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let name = name.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        name.ends_with(".kifu") || name.ends_with(".ki2u")
    }

    /// Returns the format by the name of a file, with or without `.gz` at its end.
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        let ending = |path: &Path| path.extension()?.to_str().map(str::to_ascii_lowercase);
        match ending(path).as_deref() {
            Some("gz") => Self::of_extension(&ending(Path::new(path.file_stem()?))?),
            extension => Self::of_extension(extension?),
        }
    }

    /// Returns the usual extension of the names of such files: `csa`, `kif`, `ki2`, `sfen`, `jkf`
    /// or `usen`.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        let mut index = 0;
        while Self::EXTENSIONS[index].1 as u8 != self as u8 {
            index += 1;
        }
        Self::EXTENSIONS[index].0
    }

    /// Returns whether a file of this format holds any number of games; the others hold one.
    pub(crate) const fn holds_many_games(self) -> bool {
        matches!(self, Self::Csa | Self::Usi)
    }

    fn of_line(line: &str) -> Verdict {
        // A bare SFEN has nine ranks, separated by slashes.
        let is_usi =
            ["position ", "startpos", "sfen ", "moves "].iter().any(|word| line.starts_with(word))
                || line.split('/').count() == 9
                || line.split(' ').next().is_some_and(|word| word.parse::<Move>().is_ok());
        // Before CSA: the ranks of a board begin with letters of pieces, such as P8.
        if is_usen_line(line) {
            return Verdict::Format(Self::Usen);
        }
        if is_csa_line(line) {
            return Verdict::Format(Self::Csa);
        }
        if is_usi {
            return Verdict::Format(Self::Usi);
        }
        match shared_line(line) {
            Some(SharedLine::Remark(text)) if text.trim_start().starts_with("KI2") => {
                Verdict::Format(Self::Ki2)
            }
            // Comments of game lists start with `#`, too, and decide nothing.
            Some(SharedLine::Remark(text)) if text.trim_start().starts_with("KIF") => {
                Verdict::Kakinoki
            }
            Some(SharedLine::Nothing | SharedLine::Remark(_)) => Verdict::Nothing,
            Some(SharedLine::Header(key, _)) if key.is_ascii() => Verdict::Unknown,
            Some(_) => Verdict::Kakinoki,
            None if is_move_line(line) => Verdict::Format(Self::Kif),
            None if line.starts_with(SIGNS) => Verdict::Format(Self::Ki2),
            None if is_bare_move(line) => Verdict::Format(Self::Ki2),
            None => Verdict::Unknown,
        }
    }
}

/// Checks for two moves with signs within a line, as in 初手から▲７六歩△３四歩.
fn has_signed_moves(line: &str) -> bool {
    let signs = line.char_indices().filter(|(_, c)| SIGNS.contains(c));
    signs.filter(|(at, _)| after_move(&line[*at..]).is_some()).nth(1).is_some()
}

/// Checks for a move without sign and number: ７六歩.
fn is_bare_move(line: &str) -> bool {
    square_at(line).is_some_and(|(_, rest)| kind_at(rest).is_some())
}

/// Checks for lines of moves in USEN, after the even game or a board: `~0.7ku.`,
/// `9_9_…_9.b.-~0.7ku.`.
fn is_usen_line(line: &str) -> bool {
    let Some((start, lines)) = line.split_once('~') else { return false };
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let is_board = start.matches('_').count() == 8 && start.chars().all(is_letter);
    start.is_empty() || (is_board && lines.starts_with(|c: char| c == '.' || c.is_ascii_digit()))
}

/// Returns true if a line looks like CSA rather than another format.
fn is_csa_line(line: &str) -> bool {
    match line.as_bytes() {
        [b'\'' | b'$', ..] | [b'V', b'1'..=b'9', ..] => true,
        [b'N', b'+' | b'-', ..] | [b'P', b'I' | b'+' | b'-' | b'1'..=b'9', ..] => true,
        [b'+' | b'-'] => true,
        [b'+' | b'-', rest @ ..] => rest.first().is_some_and(u8::is_ascii_digit),
        _ => false,
    }
}

/// The detection of a format, line by line, as far as a text must be read for it.
#[derive(Debug)]
pub(crate) struct Detection {
    decoder: Decoder,
    /// The format by the name of the file.
    named: Option<KifuFormat>,
    has_lines: bool,
    /// True after a line that KIF and KI2 share. Their forewords may have lines that resemble
    /// another format.
    is_kakinoki: bool,
    /// True after a line of no format, as before moves that were copied from a page.
    is_unknown: bool,
    is_japanese: bool,
}

impl Detection {
    pub(crate) fn new(decoder: Decoder, named: Option<KifuFormat>) -> Self {
        let (is_kakinoki, is_unknown, is_japanese) = (false, false, false);
        Self { decoder, named, has_lines: false, is_kakinoki, is_unknown, is_japanese }
    }

    /// Reads lines, up to the first that decides. The last may be cut.
    pub(crate) fn lines(&mut self, text: &[u8]) -> Option<KifuFormat> {
        text.split(|byte| matches!(byte, b'\n' | b'\r')).find_map(|line| self.line(line))
    }

    /// Reads a line. Returns the format if the line decides.
    fn line(&mut self, line: &[u8]) -> Option<KifuFormat> {
        let mut line = line.trim_ascii();
        if !self.has_lines {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
        }
        if line.is_empty() {
            return None;
        }
        let is_first = !std::mem::replace(&mut self.has_lines, true);
        if is_first && line.starts_with(b"{") {
            return Some(KifuFormat::Jkf);
        }
        // The last line may be cut within a character.
        let text = self.decoder.decode(line).text;
        self.is_japanese |= !text.is_ascii();
        match KifuFormat::of_line(&text) {
            Verdict::Format(format) if self.decides(format, &text) => Some(format),
            Verdict::Kakinoki => {
                self.is_kakinoki |= !self.is_unknown;
                None
            }
            Verdict::Unknown if !self.is_kakinoki => {
                self.is_unknown = true;
                has_signed_moves(&text).then_some(KifuFormat::Ki2)
            }
            Verdict::Unknown | Verdict::Format(_) | Verdict::Nothing => None,
        }
    }

    fn decides(&self, format: KifuFormat, line: &str) -> bool {
        match format {
            KifuFormat::Kif => true,
            KifuFormat::Ki2 => {
                let is_signed_move = || line.starts_with(SIGNS) && after_move(line).is_some();
                !self.is_unknown || is_signed_move() || self.named == Some(format)
            }
            _ => !self.is_unknown && !self.is_kakinoki,
        }
    }

    /// Returns true if more text may decide.
    pub(crate) fn is_open(&self) -> bool {
        let named = matches!(self.named, Some(KifuFormat::Kif | KifuFormat::Ki2));
        !self.is_unknown || named || self.is_japanese
    }

    /// Returns the format of a text without a line that decides.
    pub(crate) fn guess(&self) -> Option<KifuFormat> {
        match self.named {
            Some(KifuFormat::Ki2) if self.is_kakinoki || self.is_japanese => self.named,
            _ => self.is_kakinoki.then_some(KifuFormat::Kif),
        }
    }
}

/// A format that a text resembles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Detected {
    pub(crate) format: KifuFormat,
    /// False for a header without moves, which KIF and KI2 share.
    pub(crate) is_certain: bool,
}

/// The meaning of a line for the format.
enum Verdict {
    Format(KifuFormat),
    /// KIF or KI2.
    Kakinoki,
    Nothing,
    Unknown,
}

#[cfg(test)]
mod tests {
    use super::*;
    use komadai_testdata::kifu;

    #[test]
    fn every_sample_shows_its_format() {
        let samples = (kifu::samples().map(|sample| (sample, KifuFormat::Csa)))
            .chain(kifu::kif_samples().map(|sample| (sample, KifuFormat::Kif)))
            .chain(kifu::jkf_samples().map(|sample| (sample, KifuFormat::Jkf)));
        for (sample, format) in samples {
            assert_eq!(KifuFormat::detect(sample.bytes), Some(format), "{}", sample.name);
        }
        for sample in kifu::ki2_samples().filter(|sample| sample.expected.main_moves > 0) {
            let detected = KifuFormat::detect(sample.bytes);
            assert_eq!(detected, Some(KifuFormat::Ki2), "{}", sample.name);
        }
    }
}
