//! A writer that makes text printable.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::{is_unprintable, printable_lines};

/// A writer for text that may contain foreign parts: passes it on as [`printable_lines`] does, or
/// JSON with escapes.
///
/// Bytes that are not UTF-8 become U+FFFD. A character may come in several pieces.
///
/// # Examples
///
/// ```
/// use std::io::Write as _;
///
/// use komadai_base::text::PrintableWriter;
///
/// let mut out = PrintableWriter::new(Vec::new());
/// writeln!(out, "{} beat {}", "羽\u{1b}[2J生", "B")?;
/// assert_eq!(out.get_ref(), "羽\u{fffd}[2J生 beat B\n".as_bytes());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct PrintableWriter<W> {
    out: W,
    convert: fn(&str) -> Cow<'_, str>,
    /// The start of a character whose end has not been written yet.
    cut: Vec<u8>,
}

impl<W: Write> PrintableWriter<W> {
    /// Creates a writer of text.
    pub fn new(out: W) -> Self {
        Self { out, convert: printable_lines, cut: Vec::new() }
    }

    /// Creates a writer of JSON. It has such characters in strings only, where an escape has the
    /// same meaning.
    pub fn json(out: W) -> Self {
        Self { out, convert: escaped, cut: Vec::new() }
    }

    /// The writer that receives the text.
    pub fn get_ref(&self) -> &W {
        &self.out
    }

    fn write_text(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        loop {
            match str::from_utf8(bytes) {
                Ok(text) => return self.out.write_all((self.convert)(text).as_bytes()),
                Err(error) => {
                    let (valid, rest) = bytes.split_at(error.valid_up_to());
                    // The part that was found to be valid has no invalid sequence.
                    let text = String::from_utf8_lossy(valid);
                    self.out.write_all((self.convert)(&text).as_bytes())?;
                    let Some(length) = error.error_len() else {
                        self.cut = rest.to_vec();
                        return Ok(());
                    };
                    self.out.write_all("\u{fffd}".as_bytes())?;
                    bytes = &rest[length..];
                }
            }
        }
    }
}

impl<W: Write> Write for PrintableWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_plain = |byte: &u8| matches!(byte, b'\n' | b'\t' | b' '..=b'~');
        if self.cut.is_empty() && bytes.iter().all(is_plain) {
            return self.out.write(bytes);
        }
        let mut all = std::mem::take(&mut self.cut);
        all.extend_from_slice(bytes);
        self.write_text(&all)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// JSON with the escapes of characters that are not printable.
fn escaped(json: &str) -> Cow<'_, str> {
    let is_escaped = |c: char| is_unprintable(c) && !matches!(c, '\n' | '\t' | '\r');
    if !json.contains(is_escaped) {
        return Cow::Borrowed(json);
    }
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if is_escaped(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // A string takes any text.
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(c);
        }
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_keeps_its_meaning() {
        let mut out = PrintableWriter::json(Vec::new());
        out.write_all("{\"a\":\n\t\"\u{9b}x\u{202e}歩\u{e0041}\u{7f}\"}\r\n".as_bytes()).unwrap();
        let expected = "{\"a\":\n\t\"\\u009bx\\u202e歩\\udb40\\udc41\\u007f\"}\r\n";
        assert_eq!(str::from_utf8(out.get_ref()).unwrap(), expected);
    }

    #[test]
    fn text_in_pieces_is_the_text_at_once() {
        let text = "ab\u{1b}[2J\n\t▲７六歩 \u{9b}\u{202e}x🦊\u{e0041}\r\n\u{7f}é";
        let expected = printable_lines(text).into_owned();
        for size in 1..text.len() {
            let mut out = PrintableWriter::new(Vec::new());
            for piece in text.as_bytes().chunks(size) {
                out.write_all(piece).unwrap();
            }
            assert_eq!(str::from_utf8(out.get_ref()).unwrap(), expected, "{size}");
        }
    }

    #[test]
    fn bytes_of_no_character_are_replaced() {
        for (bytes, expected) in [
            (&b"a\xffb"[..], "a\u{fffd}b"),
            (b"\xe6\xad", ""),
            (b"\xe6\xadx", "\u{fffd}x"),
            (b"\x80\x81", "\u{fffd}\u{fffd}"),
            (b"\xf0\x9f\xa6\x8a", "🦊"),
        ] {
            let mut out = PrintableWriter::new(Vec::new());
            out.write_all(bytes).unwrap();
            assert_eq!(str::from_utf8(out.get_ref()).unwrap(), expected);
        }
    }
}
