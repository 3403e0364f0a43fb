//! The integration tests of the crate, in one program.

#[cfg(feature = "book")]
mod book_page;
mod drawing;
#[cfg(feature = "game")]
mod game_page;
#[cfg(any(feature = "book", feature = "game"))]
mod markup;
