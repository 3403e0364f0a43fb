//! The bytes of a text in a file: encoding and line ends.

use std::ffi::OsStr;
use std::path::Path;

use encoding_rs::SHIFT_JIS;

use crate::kifu_format::KifuFormat;

/// The encoding of a text that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum TextEncoding {
    /// UTF-8.
    #[default]
    Utf8,
    /// UTF-8 after a byte order mark.
    Utf8Bom,
    /// Shift_JIS in its Windows form (code page 932), which `.kif` and `.ki2` have by definition.
    ShiftJis,
}

impl TextEncoding {
    /// Returns the encoding that readers expect of a file of this name and format: Shift_JIS of
    /// `.kif` and `.ki2`, UTF-8 of all others, `.kifu` and `.ki2u` among them.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::KifuFormat;
    /// use komadai_kifu::text::TextEncoding;
    ///
    /// let of = |name| TextEncoding::of_path(name, KifuFormat::Kif);
    /// assert_eq!((of("a.kif"), of("a.kifu")), (TextEncoding::ShiftJis, TextEncoding::Utf8));
    /// ```
    pub fn of_path(path: impl AsRef<Path>, format: KifuFormat) -> Self {
        let extension = path.as_ref().extension().and_then(OsStr::to_str);
        let is_short =
            extension.is_some_and(|extension| !extension.to_ascii_lowercase().ends_with('u'));
        match format {
            KifuFormat::Kif | KifuFormat::Ki2 if is_short => Self::ShiftJis,
            _ => Self::Utf8,
        }
    }
}

/// The line ends of a text that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineEnd {
    /// A line feed.
    Lf,
    /// A carriage return and a line feed.
    CrLf,
}

/// The form of a text in a file.
///
/// # Examples
///
/// ```
/// use komadai_kifu::text::{TextEncoding, TextForm};
///
/// let form = TextForm::new(TextEncoding::ShiftJis);
/// assert_eq!(form.encode("表\n")?, b"\x95\x5c\r\n");
/// // Shift_JIS has no ☗ and ☖.
/// assert_eq!(form.encode("☗７六歩")?, form.encode("▲７六歩")?);
/// let error = form.encode("先手：A\n後手：😀").unwrap_err();
/// assert_eq!((error.line, error.column, error.character), (2, 4, '😀'));
/// let lenient = TextForm { replacement: Some('?'), ..form };
/// assert_eq!(lenient.encode("😀")?, b"?");
/// # Ok::<(), komadai_kifu::text::TextFormError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TextForm {
    /// The encoding.
    pub encoding: TextEncoding,
    /// The line ends.
    pub line_end: LineEnd,
    /// The character for those that the encoding does not have; `None` to refuse them.
    pub replacement: Option<char>,
}

/// The error for a character that an encoding does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: found {character:?}, which Shift_JIS does not have")]
pub struct TextFormError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The character.
    pub character: char,
}

impl TextForm {
    /// Returns the usual form of an encoding: CRLF for Shift_JIS, whose readers are programs for
    /// Windows, else LF.
    pub fn new(encoding: TextEncoding) -> Self {
        let line_end = if encoding == TextEncoding::ShiftJis { LineEnd::CrLf } else { LineEnd::Lf };
        Self { encoding, line_end, replacement: None }
    }

    /// Returns the bytes of a text whose line ends are line feeds.
    ///
    /// # Errors
    ///
    /// If the encoding lacks a character, and its replacement if there is one. ☗ and ☖ become ▲ and
    /// △ in Shift_JIS.
    pub fn encode(&self, text: &str) -> Result<Vec<u8>, TextFormError> {
        let line_end = match self.line_end {
            LineEnd::Lf => "\n",
            LineEnd::CrLf => "\r\n",
        };
        let mut bytes = Vec::with_capacity(text.len());
        if self.encoding == TextEncoding::Utf8Bom {
            bytes.extend_from_slice("\u{feff}".as_bytes());
        }
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let (line, end) = match line.strip_suffix('\n') {
                Some(line) => (line, line_end),
                None => (line, ""),
            };
            match self.encoding {
                TextEncoding::Utf8 | TextEncoding::Utf8Bom => {
                    bytes.extend_from_slice(line.as_bytes())
                }
                TextEncoding::ShiftJis => self.encode_line(index + 1, line, &mut bytes)?,
            }
            bytes.extend_from_slice(end.as_bytes());
        }
        Ok(bytes)
    }

    fn encode_line(
        &self,
        line: usize,
        text: &str,
        bytes: &mut Vec<u8>,
    ) -> Result<(), TextFormError> {
        let (encoded, _, has_failed) = SHIFT_JIS.encode(text);
        if !has_failed {
            bytes.extend_from_slice(&encoded);
            return Ok(());
        }
        // The encoder would write the number of a character that is absent.
        for (index, character) in text.chars().enumerate() {
            let known = match character {
                '☗' => '▲',
                '☖' => '△',
                character => character,
            };
            let encoded = shift_jis(known).or_else(|| shift_jis(self.replacement?));
            let absent = TextFormError { line, column: index + 1, character };
            bytes.extend_from_slice(&encoded.ok_or(absent)?);
        }
        Ok(())
    }
}

impl Default for TextForm {
    fn default() -> Self {
        Self::new(TextEncoding::default())
    }
}

/// Returns the bytes of a character, or `None` if the encoding does not have it.
fn shift_jis(character: char) -> Option<Vec<u8>> {
    let text = character.to_string();
    let (encoded, _, has_failed) = SHIFT_JIS.encode(&text);
    (!has_failed).then(|| encoded.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_and_marks_are_as_asked() {
        let form = TextForm { line_end: LineEnd::CrLf, ..TextForm::new(TextEncoding::Utf8Bom) };
        assert_eq!(form.encode("a\nb").unwrap(), b"\xef\xbb\xbfa\r\nb");
        assert_eq!(TextForm::default().encode("a\n").unwrap(), b"a\n");
    }
}
