#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`MoveGen`] | moves, legality, repetition and outcome of a position, as methods of `Position` |
//! | [`MoveList`], [`generate_legal`] | a list of moves on the stack, and the function that fills it |
//! | [`MoveSink`], [`generate_into`] | a receiver of groups of moves, without a list and with an early stop; `Count`, `AnyMove` and `ForEach` are sinks, module [`sink`] has the parts of a group |
//! | [`MoveClass`], [`generate_class`] | captures, promotions, quiet moves, drops, checks, and any combination of them |
//! | [`generate_useful`], [`generate_checks`] | the moves that an engine searches; the moves that give check |
//! | [`is_legal`], [`check_legality`], [`IllegalMove`] | the legality of an arbitrary move, and the rule that it breaks: nifu, pawn-drop mate (打ち歩詰め), a pin, … |
//! | [`play`], [`play_leniently`] | the position after the moves of a record, each of which is validated |
//! | [`gives_check`], modules [`exchange`], [`mate`] | properties of a move that a search needs: check, static exchange evaluation, mate in one |
//! | [`MateSolver`], [`MateInOne`] | the interface between a search and a mate solver, and its smallest implementation |
//! | [`Repetition`], module [`repetition`] | fourfold repetition (千日手) with perpetual check, and repetition inside a search |
//! | [`DeclarationRule`], [`DeclarationReport`], module [`declaration`] | the declaration of the entering king (入玉宣言) under six rules, with the conditions that are not met |
//! | [`Outcome`], [`WinBy`], [`DrawBy`], [`GameRules`], [`RepetitionRule`] | the end of a game by rule: checkmate, repetition, perpetual check, the limit of moves |
//! | [`Game`], [`GameError`] | a whole game: legal moves only, undo and redo, resignation, declaration, outcome |
//! | [`MaxMoves`] | the limit on the length of a game (最大手数) |
//! | [`perft`], [`perft_parallel`], [`perft_divide`] | the number of leaves of the move tree |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod sink;
mod move_list;
mod king_danger;
mod uchifuzume;
mod generate;
mod checks;
mod tactical;
pub mod stages;
mod perft;

mod fault;
mod illegal_move;
mod legality;

mod gives_check;
pub mod exchange;
pub mod mate;
mod solver;

pub mod repetition;
pub mod declaration;
mod max_moves;
mod game_rules;
#[cfg(feature = "serde")]
mod serde_rules;
pub mod outcome;
mod play;
mod game;

mod move_gen;

// Aliases stand here: rustdoc drops those of an item that it shows under another path than that of
// its module.
pub use generate::{count_legal, generate_into, generate_legal};
#[doc(alias = "合法手生成")]
pub use move_gen::MoveGen;
pub use move_list::{MoveList, MoveListIter};
pub use perft::{perft, perft_divide, perft_full, perft_parallel};
pub use sink::{AnyMove, Count, ForEach, MoveSink};
pub use stages::{MoveClass, generate_checks, generate_class, generate_useful};

#[doc(alias("反則", "hansoku", "禁じ手"))]
pub use illegal_move::IllegalMove;
pub use legality::{check_legality, is_legal};
pub use play::{PlayError, Played, play, play_leniently};

#[doc(alias("王手", "ote"))]
pub use gives_check::gives_check;
#[doc(alias("詰み", "詰将棋", "tsumi"))]
pub use solver::MateSolver;
pub use solver::{CheckClass, MateInOne, MateLimit, MateReport, MateResult};

pub use declaration::{DeclarationReport, DeclarationRule};
#[doc(alias = "対局")]
pub use game::Game;
pub use game::GameError;
pub use game_rules::{GameRules, RepetitionRule};
#[doc(alias = "最大手数")]
pub use max_moves::MaxMoves;
pub use max_moves::MaxMovesResult;
pub use outcome::{DrawBy, Outcome, WinBy};
pub use repetition::Repetition;
