//! Tests of the files of books: contracts by the byte, samples of other programs, faulty files.

mod random_records;

mod binary_books;
mod db_records;
mod files;
mod sorting;
mod validation;
