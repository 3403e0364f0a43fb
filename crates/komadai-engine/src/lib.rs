#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod random;
mod memory;
mod clock;
mod opening_book;
mod settings;

mod player;
mod search_analyst;

mod timekeeper;
mod worker;
mod usi_engine;

pub use clock::{ClockPolicy, GameStage, TimeLimits};
pub use opening_book::{BookMove, BookPolicy, OpeningBook, OpeningBookError};
pub use player::{Aim, Choice, Player, Question, Source};
pub use random::SplitMix64;
pub use search_analyst::{Memory, SearchAnalyst};
pub use settings::{SettingError, Settings};
pub use usi_engine::{UsiEngine, UsiEngineError};
