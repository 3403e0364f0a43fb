//! Lines of a text from any source, read in bounded memory.

use std::io::{self, BufRead, Read as _};

use super::fault::{TextFault, TextFaultKind};

/// The byte order mark of UTF-8.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// Reads lines that end in LF, CRLF or a lone CR, and refuses lines longer than a limit.
///
/// A byte order mark at the start of the text is removed. Lines are bytes, and the caller decodes
/// them. Splitting before decoding is safe, because no byte of a multi-byte character in UTF-8,
/// Shift_JIS or EUC-JP is a line end.
///
/// # Examples
///
/// ```
/// use komadai_base::reading::LineReader;
///
/// let mut lines = LineReader::new(&b"\xef\xbb\xbfone\r\ntwo\rthree"[..], 80);
/// assert_eq!(lines.next_line()?, Some(&b"one"[..]));
/// assert_eq!(lines.next_line()?, Some(&b"two"[..]));
/// assert_eq!(lines.next_line()?, Some(&b"three"[..]));
/// assert_eq!(lines.next_line()?, None);
/// assert_eq!(lines.number(), 3);
/// # Ok::<(), komadai_base::reading::TextFault>(())
/// ```
#[derive(Debug)]
pub struct LineReader<R> {
    reader: R,
    line: Vec<u8>,
    number: u64,
    limit: usize,
    /// True if a CR ended the last line, so that an LF at this place belongs to the same line end.
    after_cr: bool,
    /// True if the last line was too long and its rest has not been skipped yet.
    overlong: bool,
    /// The number of bytes of the source's buffer that belong to the line returned last.
    used: usize,
    /// The number of bytes of the start of the text to copy, until they are copied.
    wanted_start: usize,
    /// A copy of the start of the text.
    start: Vec<u8>,
}

impl<R: BufRead> LineReader<R> {
    /// Creates a reader of lines of at most `limit` bytes, not counting the line end.
    pub fn new(reader: R, limit: usize) -> Self {
        Self {
            reader,
            line: Vec::new(),
            number: 0,
            limit,
            after_cr: false,
            overlong: false,
            used: 0,
            wanted_start: 0,
            start: Vec::new(),
        }
    }

    /// Keeps a copy of the first bytes of the text, as far as they are in the first buffer of the
    /// source.
    pub fn keeping_start(self, bytes: usize) -> Self {
        Self { wanted_start: bytes, ..self }
    }

    /// Reads all of a source of which no line has been read, up to a number of bytes.
    ///
    /// # Errors
    ///
    /// Those of the source.
    pub fn read_whole(&mut self, max_bytes: u64) -> io::Result<Vec<u8>> {
        let mut whole = Vec::new();
        self.reader.by_ref().take(max_bytes).read_to_end(&mut whole)?;
        Ok(whole)
    }

    /// Takes the copy of the start of the text; empty if none is kept.
    pub fn take_start(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.start)
    }

    /// Checks for a byte order mark at the start of the text, before the first line is read.
    pub fn has_mark(&mut self) -> bool {
        // A source that fails does so again when the line is read.
        self.reader.fill_buf().is_ok_and(|buffer| buffer.starts_with(BOM))
    }

    /// Returns the number of the line read last, from 1; 0 before the first.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the next line without its line end, or `None` after the last line.
    ///
    /// # Errors
    ///
    /// If the source fails, or a line is longer than the limit. After a line that is too long, the
    /// next call skips the rest of it, without keeping it in memory, and returns the line after it.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, TextFault> {
        self.reader.consume(std::mem::take(&mut self.used));
        if let Some(end) = self.line_in_buffer()? {
            self.number += 1;
            let number = self.number;
            let fault = |error| TextFault::in_line(number, TextFaultKind::Io(error));
            // Until bytes are consumed the buffer stays as it is.
            let line = &self.reader.fill_buf().map_err(fault)?[..end];
            let start = if number == 1 && line.starts_with(BOM) { BOM.len() } else { 0 };
            return Ok(Some(&line[start..]));
        }
        if self.overlong {
            self.overlong = false;
            self.copy_line(None)?;
        }
        self.number += 1;
        match self.copy_line(Some(self.limit))? {
            Stop::LineEnd => {}
            Stop::Limit => {
                self.overlong = true;
                let kind = TextFaultKind::LineTooLong { limit: self.limit };
                return Err(TextFault::in_line(self.number, kind));
            }
            Stop::EndOfText if self.line.is_empty() => {
                self.number -= 1;
                return Ok(None);
            }
            Stop::EndOfText => {}
        }
        let start = if self.number == 1 && self.line.starts_with(BOM) { BOM.len() } else { 0 };
        Ok(Some(&self.line[start..]))
    }

    /// Looks for a line that lies in the buffer of the source as a whole, which needs no copy.
    /// Returns its length and notes what belongs to it.
    fn line_in_buffer(&mut self) -> Result<Option<usize>, TextFault> {
        if self.overlong || self.after_cr {
            return Ok(None);
        }
        let buffer = match self.reader.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(None),
            Err(error) => {
                return Err(TextFault::in_line(self.number + 1, TextFaultKind::Io(error)));
            }
        };
        if self.wanted_start > 0 {
            self.start.extend_from_slice(&buffer[..buffer.len().min(self.wanted_start)]);
            self.wanted_start = 0;
        }
        let Some(end) = line_end(buffer).filter(|&end| end <= self.limit) else { return Ok(None) };
        self.used = match buffer[end..] {
            [b'\r', b'\n', ..] => end + 2,
            // The LF may be the first byte of the next buffer.
            [b'\r'] => return Ok(None),
            _ => end + 1,
        };
        Ok(Some(end))
    }

    /// Copies the text up to a line end into `line`. Without a limit the text is skipped instead.
    fn copy_line(&mut self, limit: Option<usize>) -> Result<Stop, TextFault> {
        self.line.clear();
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    return Err(TextFault::in_line(self.number, TextFaultKind::Io(error)));
                }
            };
            if buffer.is_empty() {
                return Ok(Stop::EndOfText);
            }
            // A CRLF may be split between two buffers, so its LF is skipped on the next call.
            if std::mem::take(&mut self.after_cr) && buffer[0] == b'\n' {
                self.reader.consume(1);
                continue;
            }
            let end = line_end(buffer);
            let text = &buffer[..end.unwrap_or(buffer.len())];
            if let Some(limit) = limit {
                if self.line.len() + text.len() > limit {
                    return Ok(Stop::Limit);
                }
                self.line.extend_from_slice(text);
            }
            match end {
                None => {
                    let read = buffer.len();
                    self.reader.consume(read);
                }
                Some(end) => {
                    self.after_cr = buffer[end] == b'\r';
                    self.reader.consume(end + 1);
                    return Ok(Stop::LineEnd);
                }
            }
        }
    }
}

/// Returns the place of the first LF or CR. Eight bytes are compared at once.
fn line_end(text: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    // The lowest bit of the result is in the first byte of `word` that is `byte`; higher ones may
    // be wrong.
    let matches = |word: u64, byte: u8| {
        let zero_where_equal = word ^ (ONES * u64::from(byte));
        zero_where_equal.wrapping_sub(ONES) & !zero_where_equal & (ONES << 7)
    };
    let (words, rest) = text.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = matches(word, b'\n') | matches(word, b'\r');
        if found != 0 {
            return Some(index * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    end.map(|end| words.len() * 8 + end)
}

/// The reason why copying stopped.
enum Stop {
    LineEnd,
    EndOfText,
    Limit,
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn all(text: &[u8], buffer: usize, limit: usize) -> Vec<Result<String, (u64, usize)>> {
        let mut lines = LineReader::new(BufReader::with_capacity(buffer, text), limit);
        let mut found = Vec::new();
        loop {
            match lines.next_line() {
                Ok(Some(line)) => found.push(Ok(String::from_utf8(line.to_vec()).unwrap())),
                Ok(None) => return found,
                Err(TextFault { line, kind: TextFaultKind::LineTooLong { limit }, .. }) => {
                    found.push(Err((line, limit)));
                }
                Err(error) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn the_first_line_end_is_found_wherever_it_is() {
        for length in 0..30 {
            assert_eq!(line_end(&vec![b'a'; length]), None);
            // Bytes beside those of line ends, and above, where a comparison of words may go wrong.
            for other in [0, 9, 11, 12, 14, 0x7f, 0x80, 0x8a, 0x8d, 0xff] {
                for at in 0..length {
                    for end in [b'\n', b'\r'] {
                        let mut text = vec![other; length];
                        text[at] = end;
                        assert_eq!(line_end(&text), Some(at), "{other} {length}");
                    }
                }
            }
        }
    }

    #[test]
    fn line_ends_may_lie_on_either_side_of_a_buffer_end() {
        for buffer in 1..12 {
            let lines = all(b"ab\r\n\ncd\r\rx\n", buffer, 10);
            assert_eq!(lines, ["ab", "", "cd", "", "x"].map(|line| Ok(line.to_owned())));
        }
    }

    #[test]
    fn a_long_line_is_refused_and_the_next_one_read() {
        for buffer in 1..20 {
            let lines = all(b"ok\n0123456789\nok again", buffer, 9);
            assert_eq!(lines, [Ok("ok".into()), Err((2, 9)), Ok("ok again".into())]);
        }
    }

    #[test]
    fn only_the_first_line_loses_its_byte_order_mark() {
        let lines = all("\u{feff}a\n\u{feff}b".as_bytes(), 64, 64);
        assert_eq!(lines, [Ok("a".into()), Ok("\u{feff}b".into())]);
    }

    #[test]
    fn nothing_has_no_lines_and_a_line_end_alone_has_one() {
        assert_eq!(all(b"", 8, 8), []);
        assert_eq!(all(b"\r\n", 8, 8), [Ok(String::new())]);
        assert_eq!(all(b"\xef\xbb\xbf", 8, 8), [Ok(String::new())]);
    }
}
