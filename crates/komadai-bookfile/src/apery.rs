//! Apery's book format (`book.bin`), which dlshogi's `make_book` and ShogiHome write as well.
//!
//! Sixteen bytes a move, little-endian, sorted by key: the key of the position `u64`, the move as
//! [`Move::to_apery_bits`](komadai_core::Move::to_apery_bits) `u16`, the number of games with it
//! `u16`, its value for the side to move `i32`. The file does not contain positions but only their
//! keys, and a key does not cover the opponent's hand.
//!
//! Sources: Apery (<https://github.com/HiraokaTakuya/apery>) and ShogiHome
//! (<https://github.com/sunfish-shogi/shogihome>); the layout is a fact of the format.

mod book;
mod key;
mod mt19937_64;
mod walk;
mod writer;

use komadai_core::{Move, Score};

pub use book::AperyBook;
pub use key::apery_key;
pub use walk::{AperyWalk, Follow};
pub use writer::AperyWriter;

use crate::error::BookError;
use crate::record::{BookRecord, RecordMove};
use crate::tolerance_state::RecordPlace;

const ENTRY_BYTES: usize = 16;

/// Returns true if a file that starts with these bytes may be a book: they are whole entries,
/// sorted by their keys.
///
/// The extension `.bin` is common, and the format has no magic number.
pub fn may_be_a_book(head: &[u8]) -> bool {
    let (entries, rest) = head.as_chunks::<ENTRY_BYTES>();
    rest.is_empty() && entries.is_sorted_by_key(|&entry| AperyEntry::from_bytes(entry).key)
}

/// A move of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct AperyEntry {
    key: u64,
    /// The move in the encoding of the format.
    m: u16,
    count: u16,
    value: i32,
}

impl AperyEntry {
    fn from_bytes(bytes: [u8; ENTRY_BYTES]) -> Self {
        let [k0, k1, k2, k3, k4, k5, k6, k7, m0, m1, c0, c1, v0, v1, v2, v3] = bytes;
        Self {
            key: u64::from_le_bytes([k0, k1, k2, k3, k4, k5, k6, k7]),
            m: u16::from_le_bytes([m0, m1]),
            count: u16::from_le_bytes([c0, c1]),
            value: i32::from_le_bytes([v0, v1, v2, v3]),
        }
    }

    fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..8].copy_from_slice(&self.key.to_le_bytes());
        bytes[8..10].copy_from_slice(&self.m.to_le_bytes());
        bytes[10..12].copy_from_slice(&self.count.to_le_bytes());
        bytes[12..].copy_from_slice(&self.value.to_le_bytes());
        bytes
    }

    /// The move of the entry, which must be legal and not yet in the record.
    fn read(self, record: &BookRecord, place: RecordPlace) -> Result<RecordMove, BookError> {
        let m = Move::from_apery_bits(self.m);
        let m = place.accept(&record.position, &record.moves, self.m.into(), m)?;
        let limit = Score::MATE.raw();
        Ok(RecordMove {
            score: Some(Score::from_raw(self.value.clamp(-limit, limit))),
            count: Some(self.count.into()),
            ..RecordMove::new(m)
        })
    }
}
