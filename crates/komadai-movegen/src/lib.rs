#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`MoveGen`] | everything about the moves of a `Position`, as methods |
//! | [`MoveList`], [`generate_legal`] | a list on the stack; fills it |
//! | [`MoveSink`], [`generate_into`] | receives moves in groups, without a list and with an early stop; `Count`, `AnyMove` and `ForEach` are sinks |
//! | [`MoveClass`], [`generate_class`] | captures, promotions, quiet moves, drops, checks, and any mixture of them |
//! | [`generate_useful`], [`generate_checks`] | the moves an engine looks at; the moves that give check |
//! | [`is_legal`], [`check_legality`], [`IllegalMove`] | the legality of any move whatsoever, and the rule it breaks: nifu, pawn-drop mate (打ち歩詰め), a pin, … |
//! | [`play`], [`play_leniently`] | the position after the moves of a record, all of them checked |
//! | [`gives_check`], [`see`], [`mate_in_one`] | what a search asks about a move: check, exchange on a square, mate |
//! | [`MateSolver`], [`MateInOne`], [`NoMateSolver`] | the seam through which searches ask for mates, and its two smallest implementations |
//! | [`Repetition`] | fourfold repetition (千日手) with perpetual check, and repetition as a search sees it |
//! | [`DeclarationRule`], [`DeclarationReport`] | the entering king's declaration (入玉宣言) under six rules, with what is missing |
//! | [`MaxMoves`] | the limit on the length of a game (最大手数) |
//! | [`perft`], [`perft_parallel`], [`perft_divide`] | leaves of the move tree |
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod sink;
mod move_list;
mod king_danger;
mod uchifuzume;
mod generate;
mod checks;
pub mod stages;
mod perft;

mod fault;
mod illegal_move;
mod legality;
mod play;

mod gives_check;
pub mod exchange;
pub mod mate;
mod solver;

pub mod repetition;
pub mod declaration;
mod max_moves;

mod move_gen;

pub use generate::{count_legal, generate_into, generate_legal};
pub use move_gen::MoveGen;
pub use move_list::{MoveList, MoveListIter};
pub use perft::{perft, perft_divide, perft_full, perft_parallel};
pub use sink::{AnyMove, Count, ForEach, MoveSink};
pub use stages::{MoveClass, generate_checks, generate_class, generate_useful};

pub use illegal_move::IllegalMove;
pub use legality::{check_legality, is_legal};
pub use play::{PlayError, Played, play, play_leniently};

pub use gives_check::gives_check;
pub use solver::{CheckClass, MateInOne, MateReport, MateResult, MateSolver};

pub use declaration::{DeclarationReport, DeclarationRule};
pub use max_moves::{MaxMoves, MaxMovesResult};
pub use repetition::Repetition;
