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
//!
//! The names of the crates are modules here: name what you need, for `use komadai::*` would put
//! `core` in the place of Rust's own.
//!
//! # A book from beginning to end
//!
//! What the example `grow_book` does, without files and in its smallest form:
//!
//! ```
//! use komadai::book::{
//!     Analyst, Book, DbOptions, FrontierOptions, Provenance, SeedOptions, Seeder, UnknownMoves, Window,
//! };
//! use komadai::engine::{Memory, SearchAnalyst};
//! use komadai::eval::Classical;
//! use komadai::kifu::{Tolerance, parse_usi_games};
//! use komadai::search::SearchOptions;
//! use komadai::{Budget, Color, Move, Position};
//!
//! // Games give the moves.
//! let games = "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 2g2f 8c8d\n";
//! let mut seeder = Seeder::new(SeedOptions::default());
//! for game in parse_usi_games(games, Tolerance::Strict)?.records {
//!     seeder.add(&game)?;
//! }
//! let mut book = seeder.into_book();
//!
//! // An engine judges the positions, and those after moves that have no value yet.
//! let mut engine =
//!     SearchAnalyst::new("engine", Classical::default(), SearchOptions::default(), Memory::Fresh);
//! let provenance = Provenance { analyst: book.analyst(&engine.identity()), when: 0 };
//! let budget = Budget::nodes(500);
//! let seeded: Vec<Position> = book.entries().map(|entry| entry.position()).collect();
//! for position in &seeded {
//!     book.merge_analysis(position, &engine.analyse(position, &budget)?, provenance)?;
//!     let unknown: Vec<Move> = book.entry(position).map_or_else(Vec::new, |entry| {
//!         entry.moves().filter(|listed| listed.score().is_none()).map(|listed| listed.m).collect()
//!     });
//!     for m in unknown {
//!         let next = engine.analyse(&position.after(m), &budget)?;
//!         book.merge_successor_analysis(position, m, &next, provenance)?;
//!     }
//! }
//!
//! // Values flow back to the start. Where good play for Black leaves the book is to be searched next.
//! let values = book.propagate();
//! assert!(values.value(&Position::hirate()).is_some());
//! let options = FrontierOptions::new(Position::hirate(), Color::Black, Window::Best);
//! let frontier = values.frontier(&options);
//! let next = frontier.iter().next().expect("every line ends somewhere").position;
//!
//! // Searched, it is in the book; and the book is a file.
//! let found = engine.analyse(&next, &budget)?;
//! book.merge_analysis(&next, &found, provenance)?;
//! let mut db = Vec::new();
//! let written = DbOptions { unknown: UnknownMoves::Omit, ..DbOptions::default() };
//! book.propagate().write_db(&mut db, &written)?;
//! assert!(db.starts_with(b"#YANEURAOU-DB2016"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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

// The Japanese README has an example as well.
#[cfg(doctest)]
#[doc = include_str!("../../README.ja.md")]
struct ReadmeJa;
