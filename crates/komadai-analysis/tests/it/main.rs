//! The integration tests of `komadai-analysis`.

mod analyst_faults;
mod book_arena;
mod bounds_study;
mod embedded;
mod game_analysis;
mod real_engines;
mod usi_analyst;
mod working_books;
