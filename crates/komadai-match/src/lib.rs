#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`Contestant`], [`Turn`], [`Reply`], [`ContestantFault`], [`CpuClock`] | the seam to a player: a request, its answer, the ways in which it can fail |
//! | [`UsiContestant`] | an engine process as a player |
//! | [`VariedContestant`] | a player with random node limits, so that a deterministic player does not repeat its games |
//! | [`TimeControl`], [`GameClock`], [`go_limits`] | the limits of one side, its running clock, and what an engine is told of both |
//! | [`Rules`], [`Ending`], [`Verdict`] | the end of a game and its winner |
//! | [`Opening`], [`play_game`], [`PlayedGame`] | one game |
//! | [`Match`], [`ContestantFactory`], [`MatchGame`] | many games on several threads |
//! | [`Tally`], [`Usage`] | sums of results, endings and time spent |
//! | [`Pentanomial`], [`EloEstimate`], [`Sprt`] | the difference in strength that follows from the results of pairs |
//! | [`Spsa`], [`SpsaParameter`], [`SpsaStep`] | tuning of the numbers of a player by its games |
//! | [`Ratings`], [`Pairing`], [`RatingsError`] | the strengths of several players that follow from all of their matches |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod time_control;
mod cpu_time;
mod fault;
mod contestant;
mod counted;
mod ending;
mod rules;
mod opening;
mod game;

mod usi_contestant;
mod varied;

mod pentanomial;
mod ratings;
mod sprt;
mod spsa;
mod schedule;
mod tally;

// Aliases stand here: rustdoc drops those of an item that it shows under another path than that of
// its module.
pub use contestant::{Contestant, Reply, Turn};
pub use cpu_time::CpuClock;
pub use ending::{Ending, Verdict};
pub use fault::{ContestantFault, FaultKind};
pub use game::{PlayedGame, PlayedMove, Side, play_game};
pub use opening::{Opening, OpeningError};
pub use pentanomial::{EloEstimate, Pentanomial};
pub use ratings::{Pairing, Ratings, RatingsError};
pub use rules::{Adjudication, Rules};
#[doc(alias("対局", "連続対局", "taikyoku"))]
pub use schedule::Match;
pub use schedule::{ContestantFactory, MatchError, MatchGame, ScopedContestantFactory};
pub use sprt::{Sprt, SprtError, SprtVerdict};
pub use spsa::{Spsa, SpsaError, SpsaParameter, SpsaStep};
pub use tally::{Tally, Usage};
#[doc(alias("持ち時間", "秒読み", "byoyomi"))]
pub use time_control::TimeControl;
pub use time_control::{GameClock, go_limits};
pub use usi_contestant::UsiContestant;
pub use varied::VariedContestant;
