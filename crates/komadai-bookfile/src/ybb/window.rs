//! Windows on a file, and a record of the bytes that were used.

use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom};

use crate::error::BookError;
use crate::fault_place::FaultPlace;

/// The number of bytes read at once.
const WINDOW_BYTES: u64 = 1 << 14;

/// A buffered part of a file.
///
/// The index of a book and its moves are far from each other and are read alternately: each has its
/// own window, as a single buffer would be refilled for every record.
#[derive(Debug, Default)]
pub(super) struct Window {
    start: u64,
    bytes: Vec<u8>,
}

impl Window {
    /// The bytes `at..at + len` of a source of `size` bytes, which must contain them.
    pub(super) fn get(
        &mut self,
        source: &mut (impl Read + Seek),
        size: u64,
        at: u64,
        len: usize,
    ) -> Result<&[u8], BookError> {
        if !self.holds(at, len) {
            let wanted = WINDOW_BYTES.max(len as u64).min(size.saturating_sub(at));
            self.start = at;
            self.bytes.clear();
            source
                .seek(SeekFrom::Start(at))
                .and_then(|_| source.take(wanted).read_to_end(&mut self.bytes))
                .map_err(|error| BookError::Io { place: FaultPlace::Byte { at }, error })?;
        }
        if !self.holds(at, len) {
            // The file was longer when its size was measured.
            let at = at + self.bytes.len() as u64;
            return Err(BookError::Truncated { at, within: "a record" });
        }
        let first = (at - self.start) as usize;
        Ok(&self.bytes[first..first + len])
    }

    fn holds(&self, at: u64, len: usize) -> bool {
        self.start <= at && at + len as u64 <= self.start + self.bytes.len() as u64
    }
}

/// The set of bytes that have been used, as ranges that do not touch each other.
///
/// A file of any size whose moves are in the order of the records takes one range.
#[derive(Debug, Default)]
pub(super) struct Coverage {
    /// The end of each range by its start.
    ranges: BTreeMap<u64, u64>,
}

impl Coverage {
    /// Adds a range. Returns false, and adds nothing, if a part of it is in the set already.
    pub(super) fn add(&mut self, start: u64, end: u64) -> bool {
        if start == end {
            return true;
        }
        let before = self.ranges.range(..end).next_back().map(|(&start, &end)| (start, end));
        let mut first = start;
        let mut last = end;
        if let Some((before_start, before_end)) = before {
            if before_end > start {
                return false;
            }
            if before_end == start {
                first = before_start;
            }
        }
        if let Some(after_end) = self.ranges.remove(&end) {
            last = after_end;
        }
        self.ranges.insert(first, last);
        true
    }

    /// The number of bytes used.
    pub(super) fn len(&self) -> u64 {
        self.ranges.iter().map(|(start, end)| end - start).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn coverage_is_a_set_of_bytes(ranges in prop::collection::vec((0..40_u64, 0..6_u64), 0..40)) {
            let mut coverage = Coverage::default();
            let mut used = [false; 64];
            for (start, len) in ranges {
                let bytes = &mut used[start as usize..(start + len) as usize];
                let is_free = !bytes.contains(&true);
                prop_assert_eq!(coverage.add(start, start + len), is_free);
                if is_free {
                    bytes.fill(true);
                }
                prop_assert_eq!(coverage.len(), used.iter().filter(|&&byte| byte).count() as u64);
            }
        }
    }

    #[test]
    fn a_window_shows_any_part_of_the_file() {
        let bytes: Vec<u8> = (0..100_000_u32).map(|at| (at % 251) as u8).collect();
        let mut source = Cursor::new(&bytes);
        let mut window = Window::default();
        for (at, len) in [(0, 44), (16_380, 44), (3, 1), (99_990, 10), (5, 50_000), (40_000, 0)] {
            let size = bytes.len() as u64;
            let found = window.get(&mut source, size, at as u64, len).expect("inside");
            assert_eq!(found, &bytes[at..at + len]);
        }
        let mut short = Cursor::new(&bytes[..10]);
        let cut = Window::default().get(&mut short, 100, 0, 44).map(<[u8]>::len);
        assert!(matches!(cut, Err(BookError::Truncated { at: 10, .. })), "{cut:?}");
    }
}
