//! Reading text of any origin line by line, in bounded memory.

use std::io::{self, BufRead};

/// The byte order mark of UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Reads lines that end in LF, CRLF or a lone CR, and refuses lines longer than a limit.
///
/// A byte order mark at the start is dropped. Lines are bytes: their encoding is the caller's
/// matter. No byte of a character in UTF-8, Shift_JIS or EUC-JP is a line end, so splitting comes
/// before decoding.
///
/// # Examples
///
/// ```
/// use komadai_kifu::LineReader;
///
/// let mut lines = LineReader::new(&b"\xef\xbb\xbfone\r\ntwo\rthree"[..], 80);
/// assert_eq!(lines.next_line()?, Some(&b"one"[..]));
/// assert_eq!(lines.next_line()?, Some(&b"two"[..]));
/// assert_eq!(lines.next_line()?, Some(&b"three"[..]));
/// assert_eq!(lines.next_line()?, None);
/// assert_eq!(lines.number(), 3);
/// # Ok::<(), komadai_kifu::LineError>(())
/// ```
#[derive(Debug)]
pub struct LineReader<R> {
    reader: R,
    line: Vec<u8>,
    number: u64,
    limit: usize,
    /// A CR ended the last line: a LF that follows belongs to it.
    after_cr: bool,
    /// The last line was too long, and its rest has not been passed yet.
    overlong: bool,
}

/// Why there is no next line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LineError {
    /// The source failed.
    #[error("line {line}: cannot read on")]
    Io {
        /// The line that was being read, from 1.
        line: u64,
        /// What happened.
        #[source]
        error: io::Error,
    },
    /// The line has more bytes than allowed. The next call goes on after it.
    #[error("line {line}: longer than {limit} bytes")]
    TooLong {
        /// The line, from 1.
        line: u64,
        /// The limit in bytes.
        limit: usize,
    },
}

impl<R: BufRead> LineReader<R> {
    /// Reads from `reader`; lines may have up to `limit` bytes, the line end not counted.
    pub fn new(reader: R, limit: usize) -> Self {
        Self { reader, line: Vec::new(), number: 0, limit, after_cr: false, overlong: false }
    }

    /// The number of the line last read, from 1; 0 before the first.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The next line without its end, or `None` after the last.
    ///
    /// # Errors
    ///
    /// [`LineError::TooLong`] as soon as the limit is passed: the rest of the line is not read, or
    /// only, without being kept, if this is called again.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, LineError> {
        if self.overlong {
            self.overlong = false;
            self.copy_line(None)?;
        }
        self.number += 1;
        match self.copy_line(Some(self.limit))? {
            Stop::LineEnd => {}
            Stop::Limit => {
                self.overlong = true;
                return Err(LineError::TooLong { line: self.number, limit: self.limit });
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

    /// Copies up to a line end into `line`; without a limit the text is passed over instead.
    fn copy_line(&mut self, limit: Option<usize>) -> Result<Stop, LineError> {
        self.line.clear();
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(LineError::Io { line: self.number, error }),
            };
            if buffer.is_empty() {
                return Ok(Stop::EndOfText);
            }
            if std::mem::take(&mut self.after_cr) && buffer[0] == b'\n' {
                self.reader.consume(1);
                continue;
            }
            let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
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

/// Where copying stopped.
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
                Err(LineError::TooLong { line, limit }) => found.push(Err((line, limit))),
                Err(error) => panic!("{error}"),
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
