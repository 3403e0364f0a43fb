//! A source whose start has been read ahead.

use std::io::{self, BufRead, Read};

use crate::text::utf16::Utf16;

/// A source with the bytes that were taken from it before: a reader of formats looks as far ahead
/// as it needs to, and the reader of the format found begins with the first byte.
#[derive(Debug)]
pub(crate) struct Resumed<R> {
    start: Vec<u8>,
    /// The number of bytes of `start` that have been consumed again.
    used: usize,
    rest: Utf16<R>,
    /// True if the name of the file says that it is UTF-8.
    pub(crate) is_named_utf8: bool,
}

impl<R> Resumed<R> {
    /// Creates the source of the bytes `start`, followed by `rest`.
    pub(crate) fn after(start: Vec<u8>, rest: Utf16<R>) -> Self {
        Self { start, used: 0, rest, is_named_utf8: false }
    }
}

impl<R> From<R> for Resumed<R> {
    fn from(rest: R) -> Self {
        Self::after(Vec::new(), Utf16::new(rest))
    }
}

impl<R: BufRead> Read for Resumed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Resumed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.used < self.start.len() {
            return Ok(&self.start[self.used..]);
        }
        self.rest.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        if self.used == self.start.len() {
            return self.rest.consume(amount);
        }
        self.used += amount;
        if self.used == self.start.len() {
            // The memory is not needed any more.
            (self.start, self.used) = (Vec::new(), 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn the_text_is_read_again_from_its_first_byte() {
        for taken in 0..=6 {
            for buffer in 1..4 {
                let (start, rest) = b"abcdef".split_at(taken);
                let rest = BufReader::with_capacity(buffer, rest);
                let mut text = String::new();
                Resumed::after(start.to_vec(), Utf16::new(rest)).read_to_string(&mut text).unwrap();
                assert_eq!(text, "abcdef");
            }
        }
    }
}
