//! The head and the end of the file.

use komadai_core::Position;

use super::code::Bytes;

/// The version of the format.
pub(super) const VERSION: u32 = 1;

/// The beginning of the head; the version and a line end follow.
pub(super) const MARK: &str = "komadai-games ";

/// The length of the head.
pub(super) const HEAD: u64 = 16;

/// The bytes of a row, of a position and of a key.
pub(super) const ROW: u64 = 16;
pub(super) const ENTRY: u64 = 16;
pub(super) const KEY: u64 = 8;

/// The number of positions of a key.
pub(super) const ENTRIES_PER_KEY: u64 = 4_096;

/// The bytes that have a checksum together.
pub(super) const PAGE: u64 = 1 << 16;

/// The length of the end: sixteen numbers.
pub(super) const END: u64 = 16 * 8;

/// The counts and places of the parts of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Layout {
    pub(super) games: u64,
    pub(super) positions: u64,
    pub(super) files: u64,
    pub(super) rows_at: u64,
    pub(super) positions_at: u64,
    pub(super) keys_at: u64,
    pub(super) files_at: u64,
    /// The end of the files, where the checksums begin.
    pub(super) checksums_at: u64,
    /// The CRC-32 of the checksums.
    pub(super) checksum: u64,
    /// The number of files whose reading had faults.
    pub(super) faulty: u64,
}

/// The head of the file.
pub(super) fn head() -> String {
    format!("{MARK}{VERSION}\n")
}

/// A number that changes with the keys of positions, so that an index with other keys is refused.
pub(super) fn key_check() -> u64 {
    let mut start = Position::hirate();
    let key = start.key();
    for m in ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"] {
        start.do_move(m.parse().expect("a move"));
    }
    key ^ start.key().rotate_left(1)
}

impl Layout {
    fn numbers(&self) -> [u64; 15] {
        let Self { games, positions, files, rows_at, positions_at, keys_at, files_at, .. } = *self;
        let Self { checksums_at, checksum, faulty, .. } = *self;
        let counts = [games, positions, files, rows_at, positions_at, keys_at, files_at];
        let mut numbers = [0; 15];
        numbers[..7].copy_from_slice(&counts);
        numbers[7..11].copy_from_slice(&[checksums_at, checksum, faulty, key_check()]);
        numbers
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.numbers().into_iter().flat_map(u64::to_le_bytes).collect();
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(u64::from(checksum).to_le_bytes());
        bytes
    }

    /// Reads the end of a file. The outer `None` is damage, the inner one other keys of positions.
    pub(super) fn decode(bytes: &[u8]) -> Option<Option<Self>> {
        let (numbers, checksum) = bytes.split_at_checked(15 * 8)?;
        let found = Bytes(checksum).u64()?;
        if found != u64::from(crc32fast::hash(numbers)) {
            return None;
        }
        let mut bytes = Bytes(numbers);
        let layout = Self {
            games: bytes.u64()?,
            positions: bytes.u64()?,
            files: bytes.u64()?,
            rows_at: bytes.u64()?,
            positions_at: bytes.u64()?,
            keys_at: bytes.u64()?,
            files_at: bytes.u64()?,
            checksums_at: bytes.u64()?,
            checksum: bytes.u64()?,
            faulty: bytes.u64()?,
        };
        let keys = bytes.u64()?;
        Some((keys == key_check()).then_some(layout))
    }

    /// Returns the number of pages.
    pub(super) fn pages(&self) -> u64 {
        self.checksums_at.div_ceil(PAGE)
    }

    /// Returns whether the parts follow each other and fill a file of this length.
    pub(super) fn fits(&self, length: u64) -> bool {
        let part = |at: u64, count: u64, size: u64| count.checked_mul(size)?.checked_add(at);
        let keys = self.positions.div_ceil(ENTRIES_PER_KEY);
        let rows = self.games.checked_add(1);
        self.games <= u64::from(u32::MAX)
            && self.rows_at >= HEAD
            && rows.and_then(|rows| part(self.rows_at, rows, ROW)) == Some(self.positions_at)
            && part(self.positions_at, self.positions, ENTRY) == Some(self.keys_at)
            && part(self.keys_at, keys, KEY) == Some(self.files_at)
            && self.files_at <= self.checksums_at
            && part(self.checksums_at, self.pages(), 4).and_then(|end| end.checked_add(END))
                == Some(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_read_as_written_and_damage_is_seen() {
        let layout = Layout {
            games: 1,
            rows_at: 16,
            positions_at: 48,
            keys_at: 48,
            files_at: 48,
            checksums_at: 60,
            checksum: 7,
            ..Layout::default()
        };
        let bytes = layout.encode();
        assert_eq!(bytes.len() as u64, END);
        assert_eq!(Layout::decode(&bytes), Some(Some(layout)));
        assert!(layout.fits(60 + 4 + END) && !layout.fits(61 + 4 + END));
        let huge = Layout { positions: u64::MAX, ..layout };
        assert!(!huge.fits(60 + 4 + END));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_eq!(Layout::decode(&damaged), None, "{at}");
        }
        assert_eq!(Layout::decode(&bytes[1..]), None);
    }
}
