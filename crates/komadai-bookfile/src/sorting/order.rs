//! By what records are sorted.

use komadai_core::{Color, Position, Setup};

use super::code::{decode, encode};
use super::entry::Entry;
use crate::db::push_sfen;
use crate::record::BookRecord;

/// An order of records. The key holds the position, so that the value need not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// By the bytes of the text of the position, as a file is.
    Text,
    /// By the position, whatever its orientation and its move number: what is to be one record
    /// comes together.
    Position,
}

/// The first byte of a value says which orientation the record has.
const TURNED: u8 = 1;

impl Order {
    pub(super) fn entry(self, record: &BookRecord) -> Entry {
        let mut key = String::with_capacity(128);
        let is_turned = match self {
            Self::Text => {
                push_sfen(&mut key, record);
                false
            }
            Self::Position => {
                push_black_sfen(&mut key, &record.position);
                record.position.side() == Color::White
            }
        };
        Entry::new(key.as_bytes(), |bytes| {
            bytes.push(if is_turned { TURNED } else { 0 });
            encode(record, bytes);
        })
    }

    /// The record of an entry; `None` if the entry is damaged.
    pub(super) fn record(self, entry: &Entry) -> Option<BookRecord> {
        let (&turned, value) = entry.value().split_first()?;
        decode(value, |ply| {
            let setup = Setup::from_sfen(str::from_utf8(entry.key()).ok()?).ok()?;
            let setup = if turned == TURNED { setup.flipped() } else { setup };
            Position::from_setup(&Setup { ply: ply.unwrap_or(1), ..setup }).ok()
        })
    }
}

/// The text of the orientation with Black to move, without a move number.
fn push_black_sfen(text: &mut String, position: &Position) {
    let black = match position.side() {
        Color::Black => position.without_history(),
        Color::White => position.flipped(),
    };
    push_sfen(text, &BookRecord { ply: None, ..BookRecord::new(black) });
}
