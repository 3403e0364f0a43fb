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
//! | show a position as a picture or as text | [`report`] |
//! | write an engine, or drive one | [`usi`], [`engine`] |
//! | play engines against each other | [`matches`](mod@matches) |
//!
//! The names of the crates are modules here: name what you need, for `use komadai::*` would put
//! `core` in the place of Rust's own.
//!
//! # A book from beginning to end
//!
//! The steps of the example `grow_book`, without files and in their smallest form:
//!
//! ```
//! use komadai::book::{Analyst, LoggedAnalysis, SeedOptions, Seeder};
//! use komadai::bookgraph::{BookGraph, DbOptions, GraphChange, UnknownMoves};
//! use komadai::bookgraph::frontier::{FrontierOptions, Window};
//! use komadai::engine::{Memory, SearchAnalyst};
//! use komadai::kifu::{Tolerance, parse_usi_games};
//! use komadai::search::SearchOptions;
//! use komadai::{Budget, Color, Position};
//!
//! // Games give the moves.
//! let games = "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 2g2f 8c8d\n";
//! let mut seeder = Seeder::new(SeedOptions::default());
//! for game in parse_usi_games(games, Tolerance::Strict)?.records {
//!     seeder.add(&game)?;
//! }
//! let mut book = BookGraph::from_records(seeder.records())?;
//!
//! // An engine analyses the positions, and those after moves that have no value yet. Each analysis
//! // changes the book, and the values that follow from it at once.
//! let mut engine =
//!     SearchAnalyst::standard(SearchOptions::default(), Memory::Fresh);
//! let budget = Budget::nodes(500);
//! for record in seeder.records() {
//!     let position = record.position;
//!     let found = engine.analyse(&position, &budget)?;
//!     let logged = LoggedAnalysis::new(position.clone(), found, engine.identity());
//!     book.apply(&[GraphChange::Add(logged.to_record())])?;
//!     for listed in record.moves {
//!         let next = engine.analyse(&position.after(listed.m), &budget)?;
//!         let start = position.clone();
//!         let logged = LoggedAnalysis::of_successor(start, listed.m, &next, engine.identity());
//!         book.apply(&[GraphChange::Add(logged.to_record())])?;
//!     }
//! }
//! assert!(book.value(&Position::hirate()).is_some());
//!
//! // Good play for Black leaves the book at the frontier: these positions are searched next.
//! let options = FrontierOptions::new(Position::hirate(), Color::Black, Window::Best);
//! let frontier = book.frontier(&options);
//! let next = frontier.iter().next().expect("every line ends somewhere").position;
//! let found = engine.analyse(&next, &budget)?;
//! let logged = LoggedAnalysis::new(next, found, engine.identity());
//! book.apply(&[GraphChange::Add(logged.to_record())])?;
//!
//! // The book is written as a file that the field's tools read.
//! let mut db = Vec::new();
//! let written = DbOptions { unknown: UnknownMoves::Omit, ..DbOptions::default() };
//! book.write_db(&mut db, &written)?;
//! assert!(db.starts_with(b"#YANEURAOU-DB2016"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

// The crates.
#[cfg(feature = "book")]
pub use komadai_book as book;
pub use komadai_bookfile as bookfile;
pub use komadai_bookgraph as bookgraph;
pub use komadai_core as core;
#[cfg(feature = "engine")]
pub use komadai_engine as engine;
pub use komadai_eval as eval;
pub use komadai_kifu as kifu;
pub use komadai_match as matches;
pub use komadai_movegen as movegen;
pub use komadai_report as report;
pub use komadai_search as search;
pub use komadai_tsume as tsume;
pub use komadai_usi as usi;

// The names everyone needs.
pub use komadai_core::{
    Analysis, Bitboard, Budget, Color, Hand, Move, Piece, PieceKind, Position, Pv, Score, Setup,
    Square,
};
pub use komadai_movegen::{MoveGen, MoveList};
pub use komadai_report::SvgBoard;

// The Japanese README has an example as well.
#[cfg(doctest)]
#[doc = include_str!("../../README.ja.md")]
struct ReadmeJa;
