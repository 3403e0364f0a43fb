#![doc = include_str!("../../README.md")]
//!
//! # Where to start
//!
//! | you want to | begin with |
//! |---|---|
//! | know what is legal | [`Position`], [`MoveGen`], [`check_legality`](movegen::check_legality) |
//! | write a generator's client without allocation | [`movegen::MoveSink`], [`movegen::generate_into`] |
//! | read game records | [`kifu`] |
//! | find a move | [`search`], with an evaluation from [`eval`] |
//! | solve a tsume problem | [`tsume`] |
//! | grow or convert an opening book | [`book`] |
//! | write an engine, or drive one | [`usi`], [`engine`] |
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

// The crates.
pub use komadai_book as book;
pub use komadai_core as core;
pub use komadai_engine as engine;
pub use komadai_eval as eval;
pub use komadai_kifu as kifu;
pub use komadai_movegen as movegen;
pub use komadai_search as search;
pub use komadai_tsume as tsume;
pub use komadai_usi as usi;

// The names everyone needs.
pub use komadai_core::{
    Analysis, Bitboard, Budget, Color, Hand, Move, Piece, PieceKind, Position, Pv, Score, Setup,
    Square, SvgBoard,
};
pub use komadai_movegen::{MoveGen, MoveList};
