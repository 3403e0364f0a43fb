//! Training records (教師データ): positions with the score, the move and the result from which an
//! evaluation learns.
//!
//! Two formats consist of records of a fixed length without a header, so that files can be joined,
//! split and shuffled by record; all numbers are little-endian.
//!
//! | | [`PackedSfenValue`] (PSV) | [`Hcpe`] |
//! |---|---|---|
//! | used by | YaneuraOu, nnue-pytorch, tatara | Apery, cshogi, dlshogi |
//! | position | [`PackedSfen`](komadai_core::PackedSfen), 32 bytes | [`Hcp`](komadai_core::Hcp), 32 bytes |
//! | score of the side to move | `i16` | `i16` |
//! | move, 0 for none | `u16`, [`Move::to_bits`](komadai_core::Move::to_bits) | `u16`, [`Move::to_apery_bits`](komadai_core::Move::to_apery_bits) |
//! | move number | `u16` | – |
//! | result | `i8`: 1, 0, −1 for the side to move | `u8`: 0 draw, 1 Black won, 2 White won |
//! | padding, ignored and written as 0 | 1 byte | 1 byte |
//! | bytes | 40 | 38 |
//!
//! Three formats have whole games, in which a position takes few bytes: HCPE3 (dlshogi), `.pack`
//! (GenSfen, rshogi, BulletOu) and sbinpack 2 (rsshogi). They are read game by game, and every move
//! is checked, because a position follows from the moves before it.
//!
//! | | |
//! |---|---|
//! | [`PackedSfenValue`], [`Hcpe`], [`RecordResult`] | the records of both formats, with the same fields; each converts to the other |
//! | [`PsvReader`], [`HcpeReader`] | records one by one from a source of any length, in bounded memory |
//! | [`PsvWriter`], [`HcpeWriter`] | records to a file or any other destination |
//! | [`TrainingGame`], [`TrainingMove`], [`Candidate`], [`TrainingEnd`] | a game of the other three formats, and its bytes as HCPE3 and `.pack` |
//! | [`TrainingGameReader`], [`GameDamage`] | games one by one, and a damaged game with its place |
//! | [`RecordCheck`], [`RecordFault`], [`TrainingError`] | the parts of a record that are checked, the fault of a record, and its place in the file |
//! | [`TrainingFormat`] | the formats, and the recognition of files |
//! | [`TrainingReader`], [`TrainingWriter`], [`TrainingRecord`] | the readers and writers for programs that are generic over the format |
//!
//! # Damaged records
//!
//! Reading a record checks the fields that need no position: the bits of the move and the result.
//! The position stays packed, because programs that only move records do not need it, and those
//! that need it unpack it on all their threads. `unpack` of a record validates the position and the
//! piece that moves, and `check` the move as well; a reader does so if
//! [`checking`](TrainingReader::checking) requests it. A score is never a fault: files contain mate
//! scores as ±(32000 − plies), as ±30000 or as ±32767, depending on the program that wrote them.
//!
//! # Examples
//!
//! ```
//! use komadai_core::{Move, Position, Square};
//! use komadai_kifu::Tolerance;
//! use komadai_data::records::{PackedSfenValue, PsvReader, PsvWriter, RecordResult};
//!
//! let best = Move::new(Square::S77, Square::S76);
//! let record = PackedSfenValue::new(&Position::hirate(), 35, Some(best), RecordResult::Win)?;
//! let mut file = PsvWriter::new(Vec::new());
//! file.write(&record)?;
//! let bytes = file.finish()?;
//!
//! for read in PsvReader::new(&bytes[..], Tolerance::Strict) {
//!     let read = read?;
//!     assert_eq!(read, record);
//!     assert_eq!(read.check()?, Position::hirate());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Sources: the layouts are facts of YaneuraOu's `source/extra/sfen_packer.cpp`
//! (<https://github.com/yaneurao/YaneuraOu>), of cshogi
//! (<https://github.com/TadaoYamaoka/cshogi>) and, for the records that are recognised and refused,
//! of apery_rust's `src/huffman_code.rs` (<https://github.com/HiraokaTakuya/apery_rust>).

mod record_result;
mod error;
mod record_check;
mod format;
mod record;
mod psv;
mod hcpe;
mod game;
mod game_bytes;
mod game_reader;
mod detection;
mod reader;
mod writer;

pub use error::{GameDamage, RecordFault, TrainingError};
pub use format::TrainingFormat;
pub use game::{Candidate, GameWriteError, TrainingEnd, TrainingGame, TrainingMove};
#[cfg(feature = "tools")]
pub(crate) use game::{MOST_MOVES, record_of};
pub use game_reader::TrainingGameReader;
#[cfg(feature = "tools")]
pub(crate) use game_reader::{GameBytes, GameFrames};
pub use hcpe::Hcpe;
pub use psv::PackedSfenValue;
pub use reader::{HcpeReader, PsvReader, TrainingReader};
pub use record::TrainingRecord;
pub use record_check::RecordCheck;
pub use record_result::RecordResult;
pub use writer::{HcpeWriter, PsvWriter, TrainingWriter};
