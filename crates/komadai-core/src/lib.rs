#![doc = include_str!("../README.md")]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod color;
mod square;
mod enum_index;
mod piece;
mod hand;
mod bitboard;
pub mod attacks;
mod moves;
mod setup;
mod zobrist;
mod observer;
mod position;
mod check_info;

mod cursor;
mod sfen;
mod usi;
mod packed;
mod handicap;
mod diagram;
mod svg;
#[cfg(feature = "serde")]
mod serde_text;

mod score;
mod pv;
mod budget;
mod analysis;

pub use bitboard::{Bitboard, Squares};
pub use check_info::{CheckInfo, blockers};
pub use color::Color;
pub use hand::Hand;
pub use moves::Move;
pub use observer::{BoardObserver, NoObserver};
pub use piece::{Piece, PieceKind};
pub use position::{Ply, Position, PositionError};
pub use setup::Setup;
pub use square::{File, Rank, Square};

pub use handicap::Handicap;
pub use packed::{Hcp, PackedError, PackedSfen};
pub use sfen::SfenError;
pub use svg::{SvgBoard, SvgPieces};
pub use usi::{UsiError, UsiPosition};

pub use analysis::{Analysis, Bound, Line};
pub use budget::Budget;
pub use pv::Pv;
pub use score::Score;
