//! Endless input that is no file of any format.

use std::io::{self, BufRead, BufReader, Read};

/// A source of `bytes` bytes of a repeated pattern, which does not hold them in memory.
///
/// # Examples
///
/// ```
/// use std::io::Read;
///
/// let mut text = String::new();
/// komadai_testdata::garbage::of(b"abc", 5).read_to_string(&mut text)?;
/// assert_eq!(text, "abcab");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn of(pattern: &'static [u8], bytes: u64) -> impl BufRead {
    BufReader::new(Cycle { pattern, next: 0 }.take(bytes))
}

struct Cycle {
    pattern: &'static [u8],
    next: usize,
}

impl Read for Cycle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        for byte in buffer.iter_mut() {
            *byte = self.pattern[self.next % self.pattern.len()];
            self.next += 1;
        }
        Ok(buffer.len())
    }
}
