//! The integration tests of the crate, in one program.

#[cfg(feature = "book")]
mod book_page;
mod chromium;
mod drawing;
mod explorer_page;
mod game_page;
mod markup;
mod quiz_page;
