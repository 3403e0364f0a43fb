#![doc = include_str!("../README.md")]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod sink;
mod move_list;
mod king_danger;
mod uchifuzume;
mod generate;
mod checks;
mod stages;
mod perft;

mod fault;
mod illegal_move;
mod legality;
mod play;

mod gives_check;
mod exchange_value;
mod see;
mod mate_in_one;
mod solver;

mod repetition;
mod declaration;
mod max_moves;

mod move_gen;

pub use generate::{count_legal, generate_into, generate_legal};
pub use move_gen::MoveGen;
pub use move_list::{MoveList, MoveListIter};
pub use perft::{perft, perft_divide, perft_full, perft_parallel};
pub use sink::{AnyMove, Count, Drops, ForEach, MoveSink, Promotion, Step};
pub use stages::{
    MoveClass, generate_checks, generate_class, generate_class_into, generate_useful,
};
pub use uchifuzume::is_pawn_drop_mate;

pub use illegal_move::IllegalMove;
pub use legality::{check_legality, is_legal};
pub use play::{PlayError, Played, play, play_leniently};

pub use exchange_value::{capture_value, exchange_value};
pub use gives_check::gives_check;
pub use mate_in_one::mate_in_one;
pub use see::{see, see_at_least};
pub use solver::{CheckClass, MateInOne, MateReport, MateResult, MateSolver, NoMateSolver};

pub use declaration::{
    DeclarationObstacle, DeclarationOutcome, DeclarationReport, DeclarationRule,
    UnknownDeclarationRule, declaration,
};
pub use max_moves::{MaxMoves, MaxMovesResult};
pub use repetition::{Repetition, repetition, search_repetition};
