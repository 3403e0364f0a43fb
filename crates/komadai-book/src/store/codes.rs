//! Codes of small types in rows.
//!
//! The codes are part of the file format: a code must never change its meaning, but new ones may be
//! added.

use komadai_bookfile::position_key::PositionKey;
use komadai_core::{Bound, Color, Move, Position};

use crate::logged_analysis::Source;

pub(crate) fn bound_code(bound: Bound) -> u8 {
    match bound {
        Bound::Exact => 0,
        Bound::Lower => 1,
        Bound::Upper => 2,
    }
}

pub(crate) fn bound_of(code: u8) -> Result<Bound, String> {
    match code {
        0 => Ok(Bound::Exact),
        1 => Ok(Bound::Lower),
        2 => Ok(Bound::Upper),
        other => Err(format!("a bound of number {other}, expected 0 to 2")),
    }
}

pub(crate) fn source_code(source: Source) -> u8 {
    match source {
        Source::Search => 0,
        Source::Successor => 1,
        Source::Import => 2,
    }
}

pub(crate) fn source_of(code: u8) -> Result<Source, String> {
    match code {
        0 => Ok(Source::Search),
        1 => Ok(Source::Successor),
        2 => Ok(Source::Import),
        other => Err(format!("a source of number {other}, expected 0 to 2")),
    }
}

pub(crate) fn side_code(side: Color) -> u8 {
    side as u8
}

pub(crate) fn side_of(code: u8) -> Result<Color, String> {
    match code {
        0 => Ok(Color::Black),
        1 => Ok(Color::White),
        other => Err(format!("a side of number {other}, expected 0 or 1")),
    }
}

pub(crate) fn move_of(code: u16) -> Result<Move, String> {
    Move::from_bits(code).ok_or_else(|| format!("a move of number {code}, which is none"))
}

/// The position of a key, or the fault of the row that contains the key.
pub(crate) fn position_of(key: &PositionKey, side: Color, ply: u32) -> Result<Position, String> {
    key.position(side, ply).map_err(|error| error.to_string())
}
