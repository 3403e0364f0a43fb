//! Entries: the items that are sorted.

use std::cmp::Ordering;

/// A key and a value in one allocation.
///
/// Entries are ordered by their keys only; the sort is stable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry(Box<[u8]>);

/// Number of bytes of the length of the key.
const LENGTH: usize = size_of::<u16>();

/// The memory of an entry besides its bytes: its element in the list, a second one while the list
/// grows or is sorted, and the overhead of the allocator.
const OVERHEAD: usize = 3 * size_of::<Entry>();

impl Entry {
    /// Creates an entry; `value` appends the value. `key` has less than 65,536 bytes.
    pub(super) fn new(key: &[u8], value: impl FnOnce(&mut Vec<u8>)) -> Self {
        let length = u16::try_from(key.len()).expect("a key is short");
        let mut bytes = Vec::with_capacity(LENGTH + key.len());
        bytes.extend(length.to_le_bytes());
        bytes.extend(key);
        value(&mut bytes);
        Self(bytes.into_boxed_slice())
    }

    /// The entry with these bytes; `None` if they are damaged.
    pub(super) fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        let (length, rest) = bytes.split_first_chunk()?;
        let is_whole = rest.len() >= usize::from(u16::from_le_bytes(*length));
        is_whole.then(|| Self(bytes.into_boxed_slice()))
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub(super) fn key(&self) -> &[u8] {
        self.parts().0
    }

    pub(super) fn value(&self) -> &[u8] {
        self.parts().1
    }

    /// The memory of the entry, in bytes.
    pub(super) fn cost(&self) -> usize {
        self.0.len() + OVERHEAD
    }

    fn parts(&self) -> (&[u8], &[u8]) {
        let (length, rest) = self.0.split_at(LENGTH);
        rest.split_at(usize::from(u16::from_le_bytes([length[0], length[1]])))
    }

    pub(super) fn compare(&self, other: &Self) -> Ordering {
        self.key().cmp(other.key())
    }
}
