#![doc = include_str!("../README.md")]
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`Contestant`], [`Turn`], [`Reply`], [`Fault`], [`CpuClock`] | the seam to a player: a request, its answer, the ways in which it can fail |
//! | [`UsiContestant`] | an engine process as a player |
//! | [`TimeControl`], [`Clock`] | the limits of one side and its running clock |
//! | [`Rules`], [`Ending`], [`Verdict`] | the end of a game and its winner |
//! | [`Opening`], [`play_game`], [`Game`] | one game |
//! | [`Match`], [`MatchGame`] | many games on several threads |
//! | [`Tally`], [`Usage`] | sums of results, endings and time spent |
//! | [`Pentanomial`], [`EloEstimate`], [`Sprt`] | the difference in strength that follows from the results of pairs |
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod time_control;
mod cpu_time;
mod fault;
mod contestant;
mod ending;
mod rules;
mod game;

mod usi_contestant;

mod pentanomial;
mod sprt;
mod schedule;
mod tally;

pub use contestant::{Contestant, Reply, Turn};
pub use cpu_time::CpuClock;
pub use ending::{Ending, Verdict};
pub use fault::{Fault, FaultKind};
pub use game::{Game, Opening, OpeningError, PlayedMove, Side, play_game};
pub use pentanomial::{EloEstimate, Pentanomial};
pub use rules::{Adjudication, Rules};
pub use schedule::{MakeContestant, MakeGuest, Match, MatchError, MatchGame};
pub use sprt::{Sprt, SprtError, SprtVerdict};
pub use tally::{Tally, Usage};
pub use time_control::{Clock, TimeControl};
pub use usi_contestant::UsiContestant;
