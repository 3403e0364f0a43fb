//! Integration tests.

#[cfg(feature = "book")]
mod book_page;
