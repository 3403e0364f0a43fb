//! Reports of books: their numbers against naive counts, and the page that shows them.
#![cfg(all(feature = "report", feature = "store"))]

mod grown_book;
mod markup;
mod numbers;
mod page;
mod working;
