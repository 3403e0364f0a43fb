//! The index of a collection of games: one file that is read by seeks.
//!
//! # Format, version 1
//!
//! Numbers are little-endian. Texts are a length (`u32`) and UTF-8.
//!
//! ```text
//! head       "komadai-games 1\n", 16 bytes; 1 is the version
//! games      one after the other: path, entry, game u64 · black, white, event · year u16, month u8,
//!            day u8 · outcome u8 · start (SFEN, empty for the even position) · moves u32, u16 each ·
//!            formations u32, each id, side u8, ply u32
//! rows       16 bytes a game and one more for the end: offset u64, moves u32, year u16, outcome u8, 0
//! positions  16 bytes an occurrence, sorted as numbers: key u64 · game u32 · ply u16 · next move u16,
//!            from the highest byte to the lowest
//! keys       u64: the key of the first position of each 4,096
//! files      path · size u64 · modified u64 s, u32 ns · first game u32 · games u32
//! checksums  u32: CRC-32 of each 65,536 bytes of all that stands before
//! end        15 u64: counts and offsets, a number that changes with the keys of positions, CRC-32 of
//!            the checksums; and the CRC-32 of these as the sixteenth
//! ```
//!
//! Positions are found by their 64-bit keys ([`Position::key`](komadai_core::Position::key)); with a
//! thousand million positions two have the same key with a probability of 3 %, and a search compares the
//! positions themselves. A lookup reads the page of some 65,536 bytes in which the key begins. Each page
//! is compared with its checksum when it is read, so that a damaged file is refused where it is damaged
//! ([`IndexError::Damaged`]).
//!
//! Positions are sorted by an external merge sort of 16-byte numbers, in runs as large as the memory of
//! [`BuildOptions`]. Besides them, building holds 4 bytes a page and 16 a file that has changed.

mod builder;
mod code;
mod error;
mod files;
mod layout;
mod pages;
mod reader;
mod sort;
#[cfg(test)]
mod tests;

pub use builder::{BuildOptions, IndexBuilder};
pub use error::IndexError;
pub use files::{FileStamp, IndexedFile, IndexedFiles};
pub(crate) use reader::Occurrence;
pub use reader::{GameIndex, IndexSize};
