//! The integration tests of the crate, in one program.

#[cfg(feature = "book")]
mod book_page;
mod drawing;
mod game_page;
mod markup;
