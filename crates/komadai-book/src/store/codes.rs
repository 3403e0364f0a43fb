//! Codes of small types in rows.
//!
//! The codes are part of the file format: a code must never change its meaning, but new ones may be
//! added.

use komadai_bookfile::position_key::PositionKey;
use komadai_core::{Bound, Color, Move, Position};

use crate::logged_analysis::Source;

const _: () = assert!(Bound::Upper as u8 == 2 && Source::Import as u8 == 2);

pub(crate) fn bound_code(bound: Bound) -> u8 {
    bound as u8
}

pub(crate) fn bound_of(code: u8) -> Result<Bound, String> {
    one_of([Bound::Exact, Bound::Lower, Bound::Upper], code, "a bound", "0 to 2")
}

pub(crate) fn source_code(source: Source) -> u8 {
    source as u8
}

pub(crate) fn source_of(code: u8) -> Result<Source, String> {
    one_of([Source::Search, Source::Successor, Source::Import], code, "a source", "0 to 2")
}

pub(crate) fn side_code(side: Color) -> u8 {
    side as u8
}

pub(crate) fn side_of(code: u8) -> Result<Color, String> {
    one_of(Color::ALL, code, "a side", "0 or 1")
}

fn one_of<T: Copy, const N: usize>(
    all: [T; N],
    code: u8,
    what: &str,
    expected: &str,
) -> Result<T, String> {
    let found = all.get(usize::from(code)).copied();
    found.ok_or_else(|| format!("{what} of number {code}, expected {expected}"))
}

pub(crate) fn move_of(code: u16) -> Result<Move, String> {
    Move::from_bits(code).ok_or_else(|| format!("a move of number {code}, which is none"))
}

/// The position of a key, or the fault of the row that contains the key.
pub(crate) fn position_of(key: &PositionKey, side: Color, ply: u32) -> Result<Position, String> {
    key.position(side, ply).map_err(|error| error.to_string())
}
