//! Matches between players: referee, clocks, statistics.
//!
//! A [`Match`] has two [`Contestant`]s play pairs of games: the same opening with colours swapped.
//! Contestants are engine processes ([`UsiContestant`]), this crate's own player without a process
//! ([`EmbeddedContestant`]), or whatever a program makes of the trait. The referee trusts none of
//! them: an answer may be illegal, late, or missing. Nobody ponders.
//!
//! # In reading order
//!
//! | | |
//! |---|---|
//! | [`Contestant`], [`Turn`], [`Reply`], [`Fault`], [`CpuClock`] | who plays, what it is asked and answers, what may be wrong with it |
//! | [`UsiContestant`], [`EmbeddedContestant`] | an engine process; the player of this crate |
//! | [`TimeControl`], [`Clock`] | what a side may spend |
//! | [`Rules`], [`Ending`], [`Verdict`] | when a game is over, and who has won |
//! | [`Opening`], [`play_game`], [`Game`] | one game |
//! | [`Match`], [`MatchGame`] | many games on several threads |
//! | [`Tally`], [`Usage`] | results, endings and spent time, added up |
//! | [`BookArena`], [`ArenaPlayer`] | matches of a side with a book against several without (`komadai_book::arena::Arena`) |
//! | [`Pentanomial`], [`EloEstimate`], [`Sprt`] | what the results of pairs say about strength |
//!
//! # Examples
//!
//! ```
//! use std::num::NonZero;
//! use std::ops::ControlFlow;
//! use std::sync::Arc;
//! use std::sync::atomic::AtomicBool;
//!
//! use komadai_engine::Settings;
//! use komadai_engine::arena::{EmbeddedContestant, Match, Opening, Rules, Tally, TimeControl};
//!
//! let mut settings = Settings::default();
//! settings.hash_mib = 1;
//! let make = || Ok(Box::new(EmbeddedContestant::new(settings.clone())?) as Box<_>);
//! let planned = Match {
//!     openings: vec![Opening::from_usi("startpos moves 7g7f 8c8d")?],
//!     games: 2,
//!     random_plies: 0,
//!     controls: [TimeControl::nodes(100), TimeControl::nodes(20)],
//!     rules: Rules { max_plies: 40, ..Rules::default() },
//!     seed: 1,
//! };
//! let mut tally = Tally::default();
//! let threads = NonZero::new(2).expect("2 is not 0");
//! let stop = Arc::new(AtomicBool::new(false));
//! planned.run([&make, &make], threads, &|_| false, &stop, &mut |game| {
//!     tally.add(&game);
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!(tally.games(), 2);
//! assert_eq!(tally.pairs().pairs(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod time_control;
mod cpu_time;
mod fault;
mod contestant;
mod ending;
mod rules;
mod game;

mod usi_contestant;
mod embedded;

mod pentanomial;
mod sprt;
mod tally;
mod schedule;

mod with_book;
mod book_arena;

pub use book_arena::{ArenaPlayer, BookArena};
pub use contestant::{Contestant, Reply, Turn};
pub use cpu_time::CpuClock;
pub use embedded::EmbeddedContestant;
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
