#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`SvgBoard`], [`SvgPieces`], [`SvgStands`], [`SvgArrow`] | a board with both hands, arrows and the last move as SVG; the characters on its pieces, the places of its hands, the classes of its arrows |
//! | [`SvgTheme`] | the colours of pictures |
//! | [`EvaluationGraph`], [`GraphPoint`], [`PointMark`], [`mark_losses`] | the evaluations of a game as SVG, its points, and the marks of moves that lost value |
//! | [`Sparkline`] | the evaluations of a game as one line of text |
//! | [`GamePage`], [`game_points`] | an HTML page in which a game can be replayed, and the evaluations in the comments of a game |
//! | [`ExplorerPage`] | an HTML page about the moves played from a position, with one live board |
//! | [`LivePage`], [`LiveBoard`], [`LiveProgress`], [`LiveTable`] | the content of a page about work in progress, and its parts |
//! | [`QuizPage`], [`QuizQuestion`], [`QuizChoice`], [`QuizPrompt`] | an HTML page with positions in which the reader has to find the move |
//! | [`Diagram`] | a board as text, in kanji or letters |
//!
//! # Features
//!
//! | feature | module |
//! |---|---|
//! | `book` | `book_page`: an HTML page about an opening book, its growth and its games, with charts |
//! | `data` | `training_page`: statistics of training data as text and as an HTML page with charts |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod diagram;
mod text;
mod theme;
mod svg;
mod graph;
mod web;
mod game_page;
mod games_page;
mod explorer_page;
mod quiz_page;
mod live_page;
#[cfg(any(feature = "book", feature = "data"))]
mod charts;
#[cfg(feature = "book")]
pub mod book_page;
#[cfg(feature = "data")]
pub mod training_page;
#[cfg(test)]
mod script_tests;

// Aliases stand here: rustdoc drops those of an item that it shows under another path than that of
// its module.
#[doc(alias = "局面図")]
pub use diagram::Diagram;
#[doc(alias("定跡", "棋譜検索"))]
pub use explorer_page::ExplorerPage;
pub use explorer_page::{ExplorerMove, ExplorerPosition, GameCounts};
pub use game_page::game_points;
#[doc(alias("棋譜", "棋譜再生"))]
pub use game_page::{GamePage, SideFigures};
pub use games_page::{GamesPage, ListedGame, ListedSide};
#[doc(alias("評価値グラフ", "形勢グラフ"))]
pub use graph::EvaluationGraph;
pub use graph::{GraphPoint, PointMark, SecondSeries, Sparkline, mark_losses};
pub use live_page::{LiveBoard, LivePage, LiveProgress, LiveTable};
#[doc(alias = "次の一手")]
pub use quiz_page::QuizPage;
pub use quiz_page::{QuizChoice, QuizPrompt, QuizQuestion};
#[doc(alias("局面図", "盤面"))]
pub use svg::SvgBoard;
pub use svg::{SquareValues, SvgArrow, SvgPieces, SvgStands};
pub use theme::SvgTheme;
