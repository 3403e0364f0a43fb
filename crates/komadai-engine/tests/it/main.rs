//! The integration tests of `komadai-engine`.

mod dialogue;
mod gui;

mod bad_input;
mod book_and_repetition;
mod decided_roots;
mod dialogues;
mod engine_builder;
mod evaluation_file;
mod evaluation_scale;
mod foreign_parts;
mod go_mate;
mod mates_played_out;
mod opening_books;
mod player;
mod pondering;
mod process;
mod search_modes;
mod tesuji_file;
mod usi_quirks;
#[cfg(feature = "serde")]
mod serde_settings;
