//! Tests of book files: exact bytes, samples of other programs, and faulty files.

mod random_records;

mod binary_books;
mod db_records;
mod sorting;
mod validation;
#[cfg(feature = "serde")]
mod serde_books;
