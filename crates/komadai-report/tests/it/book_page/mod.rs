//! Reports of books: their numbers against naive counts, and the page that shows them.

mod browser;
mod grown_book;
mod numbers;
mod page;
mod working;
