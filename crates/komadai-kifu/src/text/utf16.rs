//! UTF-16 with a byte order mark, read as UTF-8.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

use encoding_rs::{CoderResult, Decoder, Encoding, UTF_16BE, UTF_16LE};

use komadai_base::reading::BOM;

/// The number of bytes of UTF-8 that are kept at once.
const CHUNK: usize = 8 << 10;

/// A source that is passed on as it is, unless it begins with the mark of UTF-16: then as UTF-8
/// with its mark. What is no character in UTF-16 becomes U+FFFD.
pub(crate) struct Utf16<R> {
    reader: R,
    state: State,
}

enum State {
    /// Nothing has been read.
    Start,
    Plain,
    Utf16(Box<Text>),
}

/// A text in UTF-16.
struct Text {
    decoder: Decoder,
    /// The text decoded last.
    decoded: Vec<u8>,
    /// The number of bytes of `decoded` that have been consumed.
    used: usize,
    is_over: bool,
}

impl<R> Utf16<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { reader, state: State::Start }
    }
}

impl<R> std::fmt::Debug for Utf16<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Utf16")
    }
}

/// Returns the encoding of a text that begins with its mark.
fn marked(start: &[u8]) -> Option<&'static Encoding> {
    match start {
        [0xff, 0xfe, ..] => Some(UTF_16LE),
        [0xfe, 0xff, ..] => Some(UTF_16BE),
        _ => None,
    }
}

/// Returns a text in UTF-8, if it begins with the mark of UTF-16, else the text itself.
pub(crate) fn to_utf8(text: &[u8]) -> Cow<'_, [u8]> {
    match marked(text) {
        Some(encoding) => {
            let (decoded, _) = encoding.decode_with_bom_removal(text);
            Cow::Owned(decoded.into_owned().into_bytes())
        }
        None => Cow::Borrowed(text),
    }
}

impl Text {
    fn new(encoding: &'static Encoding, first: &[u8]) -> Self {
        let mut text = Self {
            decoder: encoding.new_decoder_with_bom_removal(),
            decoded: BOM.to_vec(),
            used: 0,
            is_over: false,
        };
        text.decode(first, false);
        text
    }

    /// Decodes bytes, up to a chunk of text. Returns the number of bytes decoded.
    fn decode(&mut self, bytes: &[u8], is_last: bool) -> usize {
        let start = self.decoded.len();
        self.decoded.resize(start + CHUNK, 0);
        let (result, read, written, _) =
            self.decoder.decode_to_utf8(bytes, &mut self.decoded[start..], is_last);
        self.decoded.truncate(start + written);
        self.is_over = is_last && result == CoderResult::InputEmpty;
        read
    }
}

impl<R: BufRead> Utf16<R> {
    /// Finds out the encoding. A first byte alone is read before the second one is seen.
    fn start(&mut self) -> io::Result<()> {
        let buffer = self.reader.fill_buf()?;
        self.state = match (marked(buffer), buffer) {
            (Some(encoding), _) => State::Utf16(Box::new(Text::new(encoding, &[]))),
            (None, &[first @ (0xfe | 0xff)]) => {
                let encoding = if first == 0xff { UTF_16LE } else { UTF_16BE };
                self.reader.consume(1);
                State::Utf16(Box::new(Text::new(encoding, &[first])))
            }
            (None, _) => State::Plain,
        };
        Ok(())
    }
}

impl<R: BufRead> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Utf16<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if matches!(self.state, State::Start) {
            self.start()?;
        }
        let State::Utf16(text) = &mut self.state else { return self.reader.fill_buf() };
        while text.used == text.decoded.len() && !text.is_over {
            (text.decoded, text.used) = (std::mem::take(&mut text.decoded), 0);
            text.decoded.clear();
            let bytes = self.reader.fill_buf()?;
            let read = text.decode(bytes, bytes.is_empty());
            self.reader.consume(read);
        }
        Ok(&text.decoded[text.used..])
    }

    fn consume(&mut self, amount: usize) {
        match &mut self.state {
            State::Utf16(text) => text.used += amount,
            State::Start | State::Plain => self.reader.consume(amount),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn read(bytes: &[u8], buffer: usize) -> Vec<u8> {
        let mut text = Vec::new();
        Utf16::new(BufReader::with_capacity(buffer, bytes)).read_to_end(&mut text).unwrap();
        text
    }

    #[test]
    fn marked_texts_become_utf8_in_buffers_of_any_size() {
        let text = "\u{feff}手合割：平手😀\r\n".repeat(3_000);
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for buffer in [1, 2, 3, 7, 8_192, 100_000] {
            assert_eq!(read(&little, buffer), text.as_bytes(), "{buffer}");
            assert_eq!(read(&big, buffer), text.as_bytes(), "{buffer}");
        }
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in [&b""[..], b"V2.2\n", b"\xef\xbb\xbfV2.2", b"\x95\x5c"] {
            for buffer in 1..4 {
                assert_eq!(read(text, buffer), text);
            }
        }
        assert_eq!(read(b"\xff\xfe\x00\xd8A\x00", 2), "\u{feff}\u{fffd}A".as_bytes());
        // An odd byte at the end is no character.
        assert_eq!(read(b"\xff\xfeA\x00B", 8), "\u{feff}A\u{fffd}".as_bytes());
    }
}
