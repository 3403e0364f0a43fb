//! The integration tests of `komadai-engine`.

mod dialogue;
mod gui;

mod analyst_faults;
mod bad_input;
mod book_and_repetition;
mod bounds_study;
mod book_arena;
mod decided_roots;
mod dialogues;
mod embedded;
mod engine_builder;
mod evaluation_file;
mod foreign_parts;
mod game_analysis;
mod go_mate;
mod mates_played_out;
mod opening_books;
mod player;
mod pondering;
mod process;
mod real_engines;
mod search_modes;
mod usi_analyst;
mod usi_quirks;
#[cfg(feature = "serde")]
mod serde_settings;
