#![doc = include_str!("../../README.md")]
//!
//! # Where to start
//!
//! | you want to | begin with |
//! |---|---|
//! | know what is legal | [`Position`], [`MoveGen`], [`check_legality`](movegen::check_legality) |
//! | write a generator's client without allocation | [`movegen::MoveSink`], [`movegen::generate_into`] |
//! | read game records | [`kifu`] |
//! | find a move | [`search`], with an evaluation from [`eval`] or an NNUE file ([`nnue`]); with a deep network, the feature `onnx` |
//! | solve a tsume problem | [`tsume`] |
//! | grow or convert an opening book | [`book`] |
//! | show a position as a picture or as text | [`report`] |
//! | write an engine, or drive one | [`usi`], [`engine`] |
//! | analyse games | [`analysis`] |
//! | play engines against each other | [`matches`](mod@matches) |
//! | read or make training data, or train with it | the modules of the features `data` and `train` |
//!
//! The [guide](https://github.com/komadai/komadai/tree/HEAD/guide/en/src/start.md) teaches these
//! parts in short programs, in English and in
//! [Japanese](https://github.com/komadai/komadai/tree/HEAD/guide/ja/src/start.md).
//!
//! This crate is for programs, because it has one version and one name for all parts. It has no code
//! of its own: a library depends on the single crates instead (`komadai-core` and `komadai-movegen`
//! know the rules), so that its users compile nothing else. Parts that compile long or that few need
//! are features, listed in `Cargo.toml`.
//!
//! The names of the crates are modules here: name what you need, or `use komadai::prelude::*` for
//! the traits and the most frequent types. `use komadai::*` would put `core` in the place of Rust's
//! own.
//!
//! # A book from beginning to end
//!
//! The steps of the example `grow_book`, without files and in their smallest form:
//!
//! ```
//! use komadai::book::{LoggedAnalysis, SeedOptions, Seeder};
//! use komadai::bookgraph::{BookGraph, DbOptions, GraphChange, UnknownMoves};
//! use komadai::bookgraph::frontier::{FrontierOptions, Window};
//! use komadai::analysis::{Memory, SearchAnalyst};
//! use komadai::kifu::{Tolerance, parse_usi_games};
//! use komadai::prelude::*;
//! use komadai::search::SearchOptions;
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
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

// The crates. Each is a module with all names of a crate, not the crate under another name: the
// compiler proposes paths through such a module (`use komadai::movegen::MateSolver;`), but through
// a renamed crate it proposes `komadai::komadai_movegen::…`, which does not exist.
//
// The aliases are those of the items: rustdoc drops them where it shows an item of another crate,
// and a search of this crate's documentation for a Japanese term would find nothing.

/// Analysis (検討) of games and positions by a search or a USI engine, and matches that measure
/// books. The crate `komadai-analysis`.
#[cfg(feature = "analysis")]
#[doc(alias("棋譜解析", "検討"))]
pub mod analysis {
    pub use komadai_analysis::*;
}

/// Growing books (定跡): a store of every evaluation, analysis queues, growth by search and by games.
/// The crate `komadai-book`.
#[cfg(feature = "book")]
#[doc(alias("定跡", "joseki", "検討"))]
pub mod book {
    pub use komadai_book::*;
}

/// Files of opening books of any format. The crate `komadai-bookfile`.
pub mod bookfile {
    pub use komadai_bookfile::*;
}

/// Exact values of whole books, and the positions to search next. The crate `komadai-bookgraph`.
pub mod bookgraph {
    pub use komadai_bookgraph::*;
}

/// Squares, pieces, moves, positions, scores and budgets, with SFEN and USI text. The crate
/// `komadai-core`.
#[doc(alias(
    "局面",
    "指し手",
    "持ち駒",
    "駒台",
    "段",
    "利き",
    "手合割",
    "駒落ち",
    "評価値",
    "読み筋",
    "候補手",
    "探索量"
))]
pub mod core {
    pub use komadai_core::*;
}

/// A client of CSA servers such as floodgate. The crate `komadai-csa`.
#[cfg(feature = "csa")]
#[doc(alias("floodgate", "CSAプロトコル", "対局サーバー"))]
pub mod csa {
    pub use komadai_csa::*;
}

/// Training data (教師データ): records of other programs, self-play and tools. The crate `komadai-data`.
#[cfg(feature = "data")]
#[doc(alias("教師局面", "自己対局", "PSV", "HCPE"))]
pub mod data {
    pub use komadai_data::*;
}

/// A player that joins book, mate solver and search, and the USI engine around it. The crate
/// `komadai-engine`.
#[cfg(feature = "engine")]
#[doc(alias("将棋エンジン", "時間管理"))]
pub mod engine {
    pub use komadai_engine::*;
}

/// Evaluation functions (評価関数) behind one trait. The crate `komadai-eval`.
#[doc(alias("評価関数", "駒割り", "進行度", "詰めろ"))]
pub mod eval {
    pub use komadai_eval::*;
}

/// Collections of games: searches by position and players, an index, an opening explorer. The crate
/// `komadai-games`.
#[cfg(feature = "games")]
#[doc(alias("棋譜検索", "局面検索", "棋譜データベース"))]
pub mod games {
    pub use komadai_games::*;
}

/// Game records (棋譜). The crate `komadai-kifu`.
#[doc(alias("棋譜", "符号"))]
pub mod kifu {
    pub use komadai_kifu::*;
}

/// Matches between players: referee, clocks, Elo and SPRT. The crate `komadai-match`.
#[doc(alias("対局", "持ち時間"))]
pub mod matches {
    pub use komadai_match::*;
}

/// Legal moves, legality with the broken rule, checks, and the rules that end a game. The crate
/// `komadai-movegen`.
#[doc(alias("合法手", "反則", "最大手数"))]
pub mod movegen {
    pub use komadai_movegen::*;
}

/// NNUE networks: reads, writes and evaluates the files of YaneuraOu and other engines. The crate
/// `komadai-nnue`.
#[doc(alias("評価関数", "評価関数ファイル", "nn.bin", "EvalFile"))]
pub mod nnue {
    pub use komadai_nnue::*;
}

/// Tools for the networks of engines: facts, scale, accuracy, checks, conversion and explanations. The
/// crate `komadai-networks`.
#[cfg(feature = "networks")]
#[doc(alias("評価関数", "FV_SCALE"))]
pub mod networks {
    pub use komadai_networks::*;
}

/// Deep networks from ONNX files, for the tree search. The crate `komadai-onnx`.
#[cfg(feature = "onnx")]
#[doc(alias("ディープラーニング", "方策", "dlshogi"))]
pub mod onnx {
    pub use komadai_onnx::*;
}

/// Tsume problems: reports on compositions, proofs, makers, and bundled ones. The crate
/// `komadai-problems`.
#[cfg(feature = "problems")]
#[doc(alias("詰将棋創作", "余詰", "逆算"))]
pub mod problems {
    pub use komadai_problems::*;
}

/// Boards and games as PNG, GIF and APNG pictures. The crate `komadai-image`.
#[cfg(feature = "image")]
#[doc(alias("局面図", "GIF", "PNG"))]
pub mod image {
    pub use komadai_image::*;
}

/// Boards as SVG and text, graphs of evaluations, and HTML pages about games and books. The crate
/// `komadai-report`.
#[doc(alias("盤面", "局面図", "評価値グラフ"))]
pub mod report {
    pub use komadai_report::*;
}

/// Alpha-beta search behind one trait. The crate `komadai-search`.
#[doc(alias("探索", "置換表", "静止探索", "枝刈り", "実現確率探索", "手筋"))]
pub mod search {
    pub use komadai_search::*;
}

/// Training of evaluations (学習): networks, linear evaluations, models of moves. The crate
/// `komadai-train`.
#[cfg(feature = "train")]
#[doc(alias("学習", "機械学習"))]
pub mod train {
    pub use komadai_train::*;
}

/// The solver of mate problems (詰将棋). The crate `komadai-tsume`.
#[doc(alias("詰将棋", "詰め将棋", "tsumeshogi", "証明数探索"))]
pub mod tsume {
    pub use komadai_tsume::*;
}

/// The USI protocol, for engines and for programs that control engines. The crate `komadai-usi`.
#[doc(alias = "将棋エンジン")]
pub mod usi {
    pub use komadai_usi::*;
}

// The names everyone needs.
pub use komadai_core::{
    Analysis, Bitboard, Bound, Budget, Color, File, Hand, Handicap, Line, Move, Piece, PieceKind,
    Position, Pv, Rank, Score, Setup, Square, UsiPosition,
};
pub use komadai_movegen::{MoveGen, MoveList};
pub use komadai_report::SvgBoard;

/// The names for `use komadai::prelude::*;`: the traits whose methods programs call, and the types
/// that these methods take.
///
/// ```
/// use komadai::prelude::*;
///
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
/// let drop = Move::drop(PieceKind::Gold, Square::S52);
/// assert!(position.is_legal(drop)); // a method of the trait `MoveGen`
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod prelude {
    #[doc(no_inline)]
    pub use komadai_bookfile::BookProbe;
    #[doc(no_inline)]
    pub use komadai_core::{
        Analysis, Analyst, AnalystError, AnalystId, Budget, Color, Line, Move, Piece, PieceKind,
        Position, Score, Square, UsiPosition,
    };
    #[doc(no_inline)]
    pub use komadai_eval::Evaluator;
    #[doc(no_inline)]
    pub use komadai_movegen::{CheckClass, GameRules, MateSolver, MoveGen};
    #[doc(no_inline)]
    pub use komadai_search::Searcher;
}

// The Japanese README and the guide have programs as well.
#[cfg(doctest)]
#[doc = include_str!("../../README.ja.md")]
struct ReadmeJa;

#[cfg(doctest)]
mod guide;
