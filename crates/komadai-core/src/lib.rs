#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`Color`], [`File`], [`Rank`], [`Square`] | the two sides (先手, 後手); 筋, 段, 升 |
//! | [`PieceKind`], [`Piece`], [`Hand`] | a kind; a kind with its owner; the pieces in hand (持ち駒) |
//! | [`Bitboard`], module [`attacks`] | sets of squares; the squares that a piece attacks |
//! | [`Move`] | a move in sixteen bits |
//! | [`Setup`] | a position that has not been validated: pieces, hands, side to move, move number |
//! | [`Position`], [`PositionError`], module [`history`] | a setup that obeys the rules, with keys, checkers and history; moves are done on it and undone |
//! | [`CheckInfo`] | pins, and the squares that give check |
//! | [`BoardObserver`] | receives each piece change during a move; implemented by incremental evaluations |
//! | [`UsiPosition`] | a start and the moves from it, as in the USI command `position` |
//! | [`PackedSfen`], [`Hcp`] | positions in 32 bytes, as in training data; two formats that are not interchangeable |
//! | [`Handicap`] | the standard starts (手合割) and their names |
//! | [`SplitMix64`] | random numbers from a seed |
//! | [`SideClock`] | the clock of one side, and the time that its move may take |
//! | [`Score`], [`Pv`], [`Analysis`], [`Budget`] | values, lines, results and limits of searches: the types shared by search, USI, records and books |
//! | [`Analyst`], [`AnalystId`] | the interface to programs that analyse positions, and their identities |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod color;
mod square;
mod enum_index;
mod piece;
mod hand;
mod bitboard;
#[doc(alias("利き", "kiki"))]
pub mod attacks;
mod moves;
mod setup;
mod random;
mod zobrist;
mod part_keys;
mod observer;
mod position;
mod check_info;

mod cursor;
mod sfen;
mod usi;
mod packed;
mod handicap;
#[cfg(feature = "serde")]
mod serde_pieces;
#[cfg(feature = "serde")]
mod serde_text;

mod score;
mod pv;
mod budget;
mod side_clock;
mod analysis;
mod analyst;
mod language;

// Aliases stand here: rustdoc drops those of an item that it shows under another path than that of
// its module.
#[doc(alias = "ビットボード")]
pub use bitboard::Bitboard;
pub use bitboard::Squares;
pub use check_info::CheckInfo;
#[doc(alias("手番", "teban"))]
pub use color::Color;
#[doc(alias("持ち駒", "持駒", "駒台", "mochigoma", "komadai"))]
pub use hand::Hand;
#[doc(alias("指し手", "着手", "sashite"))]
pub use moves::Move;
pub use observer::{BoardObserver, NoObserver};
pub use part_keys::PartKeys;
pub use piece::Piece;
#[doc(alias("駒", "koma"))]
pub use piece::PieceKind;
#[doc(alias("局面", "kyokumen"))]
pub use position::Position;
pub use position::PositionError;
pub use setup::Setup;
#[doc(alias("筋", "suji"))]
pub use square::File;
#[doc(alias("段", "dan"))]
pub use square::Rank;
#[doc(alias("マス", "升目", "masu"))]
pub use square::Square;

/// The past of a [`Position`], ply by ply, as [`Position::history`] returns it.
pub mod history {
    pub use crate::position::Ply;
}

#[doc(alias("手合割", "駒落ち"))]
pub use handicap::Handicap;
#[doc(alias("教師局面", "psfen"))]
pub use packed::PackedSfen;
pub use packed::{Hcp, PackedError};
pub use sfen::SfenError;
pub use usi::{UsiError, UsiPosition};

#[doc(alias("検討", "解析", "kento"))]
pub use analysis::Analysis;
pub use analysis::Bound;
#[doc(alias("候補手", "読み筋"))]
pub use analysis::Line;
#[doc(alias("解析", "検討"))]
pub use analyst::Analyst;
pub use analyst::{AnalystError, AnalystId};
#[doc(alias = "探索量")]
pub use budget::Budget;
pub use language::Language;
#[doc(alias = "読み筋")]
pub use pv::Pv;
pub use random::SplitMix64;
#[doc(alias = "評価値")]
pub use score::Score;
#[doc(alias("持ち時間", "秒読み", "フィッシャー", "byoyomi"))]
pub use side_clock::SideClock;
