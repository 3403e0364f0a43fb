//! YANE-BINBOOK-V1, the binary format of YaneuraOu's books (`.ybb`), little-endian throughout.
//!
//! | part | layout |
//! |---|---|
//! | header, 32 bytes | `YANE-BINBOOK-V1\0`, number of positions `u64`, flags `u64` (1: moves have a depth) |
//! | index, 44 bytes each | [`PackedSfen`], first byte of the moves `u64`, move number `u16`, number of moves `u16` |
//! | moves, 4 or 6 bytes each | [`Move::to_bits`](komadai_core::Move::to_bits) `u16`, value `i16`, depth `u16` |
//!
//! The index is sorted by the 32 bytes of the position; the first bytes of moves count from the end
//! of the index. A move number 0 and a depth 0 mean an unknown one. An unknown value is written as
//! 0 by most programs, and as 32,767 by newer versions of ShogiHome; −32,768 is an unknown value in
//! YaneuraOu's text format. The last two are read as no value.
//!
//! Sources: the files of YaneuraOu's `makebook` (<https://github.com/yaneurao/YaneuraOu>) and of
//! ShogiHome (<https://github.com/sunfish-shogi/shogihome>); the layout is a fact of the format.

mod probe;
mod reader;
mod window;
mod writer;

use komadai_core::{Move, PackedSfen, Position, Score, Setup};

pub use probe::YbbProbe;
pub use reader::YbbReader;
pub use writer::{UnknownValues, YbbDepths, YbbWriter};

use crate::error::BookError;
use crate::fault_place::FaultPlace;
use crate::record::{BookRecord, RecordMove};
use crate::tolerance_state::{MAX_MOVES, RecordPlace, ToleranceState};

pub(crate) const MAGIC: [u8; 16] = *b"YANE-BINBOOK-V1\0";
const HEADER_BYTES: usize = 32;
const INDEX_BYTES: usize = 44;
const FLAG_DEPTH: u64 = 1;

/// Numbers that stand for an unknown value.
const NO_VALUES: [i16; 2] = [i16::MIN, i16::MAX];

/// The header, checked against the size of the file.
#[derive(Debug, Clone, Copy)]
struct Header {
    records: u64,
    has_depths: bool,
    /// The number of bytes of the file.
    size: u64,
}

/// An entry of the index: a position.
#[derive(Debug, Clone, Copy)]
struct IndexEntry {
    packed: PackedSfen,
    /// The offset of its moves, counted from the end of the index.
    start: u64,
    ply: u16,
    moves: u16,
}

impl Header {
    fn new(bytes: &[u8], size: u64) -> Result<Self, BookError> {
        let magic = &bytes[..bytes.len().min(MAGIC.len())];
        if magic != MAGIC {
            let found = magic.escape_ascii().to_string();
            let place = FaultPlace::Byte { at: 0 };
            let expected = "`YANE-BINBOOK-V1` and a zero";
            return Err(BookError::Header { place, found, expected });
        }
        let (Some(records), Some(flags)) = (u64_at(bytes, 16), u64_at(bytes, 24)) else {
            return Err(BookError::Truncated { at: size, within: "the header" });
        };
        if flags & !FLAG_DEPTH != 0 {
            return Err(BookError::UnknownFlags { flags });
        }
        // Checked here once, so that no number of the header can reserve memory or leave the file.
        let most = size.saturating_sub(HEADER_BYTES as u64) / INDEX_BYTES as u64;
        if records > most {
            return Err(BookError::TooManyRecords { stated: records, most });
        }
        Ok(Self { records, has_depths: flags & FLAG_DEPTH != 0, size })
    }

    fn move_bytes(self) -> usize {
        if self.has_depths { 6 } else { 4 }
    }

    /// The offset of the index entry number `index`, from 0.
    fn index_at(self, index: u64) -> u64 {
        HEADER_BYTES as u64 + index * INDEX_BYTES as u64
    }

    /// The offset of the moves: the end of the index.
    fn moves_at(self) -> u64 {
        self.index_at(self.records)
    }

    /// The offset in the file, and the length in bytes, of the moves of a record.
    fn moves_of(self, entry: &IndexEntry, place: RecordPlace) -> Result<(u64, usize), BookError> {
        let place = place.into();
        let count = usize::from(entry.moves);
        if count > MAX_MOVES {
            return Err(BookError::TooMany { place, what: "moves", most: MAX_MOVES });
        }
        let bytes = count * self.move_bytes();
        let size = self.size - self.moves_at();
        match entry.start.checked_add(bytes as u64) {
            Some(end) if end <= size => Ok((self.moves_at() + entry.start, bytes)),
            end => {
                let end = end.unwrap_or(u64::MAX);
                Err(BookError::MovesOutside { place, start: entry.start, end, size })
            }
        }
    }

    /// The record of an index entry and its moves. Faulty moves are skipped, if the reading is
    /// lenient.
    fn record(
        self,
        entry: &IndexEntry,
        place: RecordPlace,
        moves: &[u8],
        moves_at: u64,
        faults: &mut ToleranceState,
    ) -> Result<BookRecord, BookError> {
        let mut record = entry.without_moves(place)?;
        record.moves.reserve_exact(entry.moves.into());
        let size = self.move_bytes();
        for (bytes, at) in moves.chunks_exact(size).zip((moves_at..).step_by(size)) {
            let place = RecordPlace { at, ..place };
            match read_move(&record, place, bytes) {
                Ok(listed) => record.moves.push(listed),
                Err(fault) => faults.tolerate(fault)?,
            }
        }
        Ok(record)
    }
}

impl IndexEntry {
    /// Decodes the 44 bytes of an entry.
    fn new(bytes: &[u8]) -> Self {
        let word = |at| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        Self {
            packed: PackedSfen::from_bytes(*bytes.first_chunk().expect("44 bytes")),
            start: u64_at(bytes, 32).expect("44 bytes"),
            ply: word(40),
            moves: word(42),
        }
    }

    fn without_moves(&self, place: RecordPlace) -> Result<BookRecord, BookError> {
        let place = place.into();
        let setup = self.packed.to_setup().map_err(|error| BookError::Packed { place, error })?;
        let ply = (self.ply != 0).then_some(u32::from(self.ply));
        let position = Position::from_setup(&Setup { ply: ply.unwrap_or(1), ..setup })
            .map_err(|error| BookError::InvalidPosition { place, error })?;
        Ok(BookRecord { ply, ..BookRecord::new(position) })
    }
}

fn read_move(
    record: &BookRecord,
    place: RecordPlace,
    bytes: &[u8],
) -> Result<RecordMove, BookError> {
    let word = |at: usize| [bytes[at], bytes[at + 1]];
    let bits = u16::from_le_bytes(word(0));
    let m = place.accept(&record.position, &record.moves, bits.into(), Move::from_bits(bits))?;
    let value = i16::from_le_bytes(word(2));
    let depth = bytes.get(4..6).map_or(0, |_| u16::from_le_bytes(word(4)));
    let limit = Score::MATE.raw();
    Ok(RecordMove {
        score: (!NO_VALUES.contains(&value))
            .then(|| Score::from_raw(i32::from(value).clamp(-limit, limit))),
        depth: (depth != 0).then_some(depth),
        ..RecordMove::new(m)
    })
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().copied().map(u64::from_le_bytes)
}
