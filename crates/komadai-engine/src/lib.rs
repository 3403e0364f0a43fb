#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`Player`], [`MoveRequest`], [`Choice`] | book → mate → search, on the caller's thread |
//! | [`GamePlayer`] | a player that plays games under the clock |
//! | [`MatesFound`], [`MateLine`] | the moves that mate |
//! | [`Parts`] | the searcher, its evaluator and the mate solver of a player, and the opening of its books |
//! | [`SearchMode`], [`SearcherKind`] | alpha-beta, tree search, both, or a selective search, and strength |
//! | [`TreeSettings`], [`HybridRules`] | the tree search, and the choice between its move and alpha-beta's |
//! | [`Preset`] | options by the ideas of programs of history |
//! | [`Evaluation`] | the embedded evaluation, or a network from a file |
//! | [`Settings`] | the settings of a player and the USI options that change them |
//! | [`OpeningBook`], [`BookPolicy`] | a book of any format, and the choice among its moves |
//! | [`ClockPolicy`], [`TimeLimits`] | time management |
//! | [`DrawPolicy`] | the value of a draw |
//! | [`UsiEngine`], [`UsiEngineBuilder`], [`DetachedPlayer`] | a USI engine, for `komadai_usi::serve_stdio`, or without threads |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod machine;
mod clock;
mod stability;
mod draw_value;
mod book_policy;
mod opening_book;
mod tree_settings;
mod preset;
mod settings;
mod usi_options;
mod vain_options;
mod preset_options;

mod request;
mod engine_evaluator;
mod eval_stack_rule;
mod evaluation;
mod tesuji_file;
mod search_mode;
mod parts;
mod mate_search;
mod stochastic_ponder;
mod multi_ponder;
mod player;
mod time_manager;
mod game_player;
mod worker;
mod own_option;
mod usi_engine;
mod usi_engine_builder;

// Aliases stand here: rustdoc drops those of an item that it shows under another path than that of
// its module.
pub use book_policy::BookPolicy;
#[doc(alias = "時間管理")]
pub use clock::ClockPolicy;
pub use clock::{GameStage, TimeLimits};
pub use draw_value::DrawPolicy;
#[doc(alias("評価関数", "NNUE", "nn.bin"))]
pub use eval_stack_rule::{EvalStackRule, UnknownEvalStackRule};
pub use evaluation::Evaluation;
pub use evaluation::EvaluationError;
pub use game_player::GamePlayer;
#[doc(alias("定跡", "joseki"))]
pub use opening_book::OpeningBook;
pub use opening_book::{BookMove, OpeningBookError};
pub use parts::{Parts, standard_bench, standard_searcher};
pub use player::mate_lines::{MateLine, MatesFound};
pub use player::{Player, PlayerError};
pub use preset::{Preset, UnknownPreset};
pub use preset_options::PresetConflict;
pub use request::{Aim, Choice, MoveRequest, MoveSource};
pub use search_mode::{SearchMode, SearcherKind, UnknownSearchMode};
pub use settings::{SettingError, Settings};
pub use tesuji_file::TesujiError;
pub use tree_settings::{
    HybridRules, PlayoutJudge, TreeBackup, TreePriors, TreeSettings, UnknownTreeSetting,
};
#[doc(alias("将棋エンジン", "思考エンジン"))]
pub use usi_engine::UsiEngine;
pub use usi_engine::UsiEngineError;
pub use usi_engine_builder::UsiEngineBuilder;
pub use worker::DetachedPlayer;
