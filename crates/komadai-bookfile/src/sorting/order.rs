//! Orders of records.

use komadai_core::{Color, Position, Setup};

use super::code::{decode, encode};
use super::entry::Entry;
use crate::db::push_sfen;
use crate::position_key::PositionKey;
use crate::record::BookRecord;

/// An order of records. The key holds the position, so that the value need not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// By the bytes of the text of the position, as a `.db` file is sorted.
    Text,
    /// By the position without orientation and move number, so that records to be joined are
    /// neighbours.
    Position,
}

/// The first byte of a value: the record has White to move, the key the turned position.
const TURNED: u8 = 1;

/// The first byte of a key by position: a [`PositionKey`] follows.
const PACKED: u8 = 0;

/// The first byte of a key by position: the SFEN of the orientation with Black to move follows, as
/// the position does not fit into a [`PositionKey`].
const SFEN: u8 = 1;

impl Order {
    pub(super) fn entry(self, record: &BookRecord) -> Entry {
        match self {
            Self::Text => {
                let mut key = String::with_capacity(128);
                push_sfen(&mut key, record);
                entry(key.as_bytes(), 0, record)
            }
            Self::Position => {
                let is_turned = record.position.side() == Color::White;
                entry(&position_key(&record.position), u8::from(is_turned), record)
            }
        }
    }

    /// The record of an entry; `None` if the entry is damaged.
    pub(super) fn record(self, entry: &Entry) -> Option<BookRecord> {
        let (&turned, value) = entry.value().split_first()?;
        let side = if turned == TURNED { Color::White } else { Color::Black };
        decode(value, |ply| {
            let ply = ply.unwrap_or(1);
            match (self, entry.key()) {
                (Self::Text, sfen) => position_of_sfen(sfen, Color::Black, ply),
                (Self::Position, [PACKED, bytes @ ..]) => {
                    PositionKey::from_bytes(bytes.try_into().ok()?).position(side, ply).ok()
                }
                (Self::Position, [SFEN, sfen @ ..]) => position_of_sfen(sfen, side, ply),
                (Self::Position, _) => None,
            }
        })
    }
}

fn entry(key: &[u8], turned: u8, record: &BookRecord) -> Entry {
    Entry::new(key, |bytes| {
        bytes.push(turned);
        encode(record, bytes);
    })
}

/// The same bytes for both orientations of a position and for every move number.
fn position_key(position: &Position) -> Vec<u8> {
    if let Ok(key) = PositionKey::try_of(position) {
        return [&[PACKED][..], key.as_bytes()].concat();
    }
    let black = match position.side() {
        Color::Black => position.without_history(),
        Color::White => position.flipped(),
    };
    let mut sfen = String::with_capacity(128);
    push_sfen(&mut sfen, &BookRecord { ply: None, ..BookRecord::new(black) });
    [&[SFEN][..], sfen.as_bytes()].concat()
}

/// The position of a text, turned if `side` is White.
fn position_of_sfen(sfen: &[u8], side: Color, ply: u32) -> Option<Position> {
    let setup = Setup::from_sfen(str::from_utf8(sfen).ok()?).ok()?;
    let setup = if side == Color::White { setup.flipped() } else { setup };
    Position::from_setup(&Setup { ply, ..setup }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::RecordMove;

    #[test]
    fn both_orientations_have_one_key_and_are_read_again() {
        // The second one does not fit into 32 bytes: a king is missing, and Black holds almost
        // everything.
        for (sfen, first_byte) in [
            ("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 7", PACKED),
            ("8k/9/7R1/9/9/9/9/9/9 b 2B4G4S4N4L18Pr 3", SFEN),
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            let m = RecordMove::new("5g5f".parse().unwrap());
            let record = BookRecord { moves: vec![m], ..BookRecord::new(position) };
            let turned = record.clone().flipped();
            let entries = [&record, &turned].map(|record| Order::Position.entry(record));
            assert_eq!(entries[0].key(), entries[1].key());
            assert_eq!(entries[0].key()[0], first_byte);
            assert_eq!(Order::Position.record(&entries[0]), Some(record.clone()));
            assert_eq!(Order::Position.record(&entries[1]), Some(turned));
            assert_eq!(Order::Text.record(&Order::Text.entry(&record)), Some(record));
        }
    }
}
