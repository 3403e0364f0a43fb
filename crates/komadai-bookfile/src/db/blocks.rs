//! Blocks of a book, which can be read at the same time.

use std::io::{self, Read};

use super::{MAX_LINE_BYTES, POSITION_WORD};

/// Cuts a source into blocks of whole lines, where possible between two records.
///
/// The memory is bounded by the size of a block for every source: of a line that is too long, only
/// the bytes up to one beyond the limit are kept, from which the reader sees that.
#[derive(Debug)]
pub(super) struct Blocks<R> {
    source: R,
    block_bytes: usize,
    /// The bytes read and not yet returned; they start at the start of a line.
    rest: Vec<u8>,
    /// The line with which `rest` starts, from 1.
    line: u64,
    /// The previous line was too long, and its end has not been found yet.
    in_long_line: bool,
    is_at_end: bool,
    error: Option<io::Error>,
}

/// Consecutive lines of a book.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) bytes: Vec<u8>,
    /// The number of the first line.
    pub(super) first_line: u64,
    /// True if the last record of the block is complete.
    pub(super) ends_record: bool,
}

/// A line of a block, without its end, and its number.
pub(super) type Line<'b> = (&'b [u8], u64);

impl<R: Read> Blocks<R> {
    /// Cuts `source` into blocks of at least `block_bytes` bytes; only the last may be shorter.
    pub(super) fn new(source: R, block_bytes: usize) -> Self {
        Self {
            source,
            // Any line within the limit must fit, with a line end of two bytes.
            block_bytes: block_bytes.max(MAX_LINE_BYTES + 2),
            rest: Vec::new(),
            line: 1,
            in_long_line: false,
            is_at_end: false,
            error: None,
        }
    }

    /// The next block, or `None` after the last and after a failure of the source.
    pub(super) fn next_block(&mut self) -> Option<Block> {
        self.fill();
        if self.in_long_line {
            self.pass_long_line();
        }
        if self.is_at_end {
            return self.last_block();
        }
        let bytes = std::mem::take(&mut self.rest);
        let (whole, ends_record) = match last_record_start(&bytes) {
            Some(start) => (start, true),
            None => (last_line_end(&bytes), false),
        };
        if whole > 0 {
            // The block keeps the buffer, which is not copied; only the bytes after the last record
            // start are, a few hundred.
            self.rest = Vec::with_capacity(self.block_bytes + READ_BYTES);
            self.rest.extend_from_slice(&bytes[whole..]);
            return self.block(bytes, whole, ends_record);
        }
        // No line end in a whole block: one byte more than the limit shows the reader a line that
        // is too long, and the rest of it is dropped before the next block.
        self.in_long_line = true;
        self.block(bytes, MAX_LINE_BYTES + 1, false)
    }

    /// The number of bytes kept.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.rest.capacity()
    }

    /// The error of the source, and the line that was being read.
    pub(super) fn take_error(&mut self) -> Option<(io::Error, u64)> {
        let line = self.line - u64::from(self.in_long_line);
        self.error.take().map(|error| (error, line))
    }

    fn last_block(&mut self) -> Option<Block> {
        let bytes = std::mem::take(&mut self.rest);
        if self.error.is_none() {
            let whole = bytes.len();
            return self.block(bytes, whole, true);
        }
        // A failure cuts off the last line: the part that was read must not pass for a whole one.
        let whole = bytes.iter().rposition(|&byte| is_line_end(byte)).map_or(0, |at| at + 1);
        if bytes.len() - whole <= MAX_LINE_BYTES {
            return self.block(bytes, whole, false);
        }
        self.in_long_line = true;
        self.block(bytes, whole + MAX_LINE_BYTES + 1, false)
    }

    fn block(&mut self, mut bytes: Vec<u8>, length: usize, ends_record: bool) -> Option<Block> {
        bytes.truncate(length);
        if bytes.is_empty() {
            return None;
        }
        let first_line = self.line;
        self.line += line_count(&bytes);
        Some(Block { bytes, first_line, ends_record })
    }

    /// Reads until there are enough bytes for a block.
    fn fill(&mut self) {
        while self.rest.len() < self.block_bytes && !self.is_at_end {
            self.read_more();
        }
    }

    fn read_more(&mut self) {
        let length = self.rest.len();
        self.rest.resize(length + READ_BYTES, 0);
        let read = self.source.read(&mut self.rest[length..]);
        let read = match read {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                self.rest.truncate(length);
                return;
            }
            Err(error) => {
                self.error = Some(error);
                0
            }
            Ok(read) => read,
        };
        self.is_at_end = read == 0;
        self.rest.truncate(length + read);
    }

    /// Drops the rest of a line that is too long.
    fn pass_long_line(&mut self) {
        loop {
            match self.rest.iter().position(|&byte| is_line_end(byte)) {
                None => self.rest.clear(),
                Some(end) => {
                    // A CR at the end of the buffer may be the first half of a CRLF.
                    if end + 1 == self.rest.len() && !self.is_at_end {
                        self.read_more();
                        continue;
                    }
                    let is_crlf = self.rest[end..].starts_with(b"\r\n");
                    self.rest.drain(..end + 1 + usize::from(is_crlf));
                    self.in_long_line = false;
                    self.fill();
                    return;
                }
            }
            if self.is_at_end {
                return;
            }
            self.read_more();
        }
    }
}

impl Block {
    /// The lines, split as by a [`LineReader`](komadai_base::reading::LineReader).
    pub(super) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let mut rest = &self.bytes[..];
        let mut number = self.first_line;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let end = rest.iter().position(|&byte| is_line_end(byte)).unwrap_or(rest.len());
            let (line, after) = rest.split_at(end);
            rest = match after {
                [b'\r', b'\n', after @ ..] | [_, after @ ..] => after,
                [] => after,
            };
            number += 1;
            Some((line, number - 1))
        })
    }
}

/// The number of bytes read at a time.
const READ_BYTES: usize = 1 << 16;

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The start of the last record, unless that is the start of the block.
fn last_record_start(bytes: &[u8]) -> Option<usize> {
    let word = POSITION_WORD.as_bytes();
    let mut end = bytes.len();
    loop {
        let line = bytes[..end].iter().rposition(|&byte| is_line_end(byte))? + 1;
        if bytes[line..].strip_prefix(word).is_some_and(|rest| rest.starts_with(b" ")) {
            return Some(line);
        }
        end = line - 1;
    }
}

/// The end of the last whole line, 0 if there is none. A CR at the end may be half of a CRLF.
fn last_line_end(bytes: &[u8]) -> usize {
    let whole = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    whole.iter().rposition(|&byte| is_line_end(byte)).map_or(0, |at| at + 1)
}

/// Number of lines, including a last one without an end.
fn line_count(bytes: &[u8]) -> u64 {
    let count = |wanted| bytes.iter().filter(|&&byte| byte == wanted).count();
    let mut ends = count(b'\n');
    // Files with a CR are rare; the others are spared the slower search for CRLF.
    if bytes.contains(&b'\r') {
        ends += count(b'\r') - bytes.windows(2).filter(|pair| pair == b"\r\n").count();
    }
    let has_rest = bytes.last().is_some_and(|&byte| !is_line_end(byte));
    ends as u64 + u64::from(has_rest)
}
