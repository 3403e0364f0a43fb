//! The binary book formats: exact bytes, samples of other programs, random records written and read
//! again, searches, and faulty files.

mod random_records;

mod apery;
#[cfg(any(unix, windows))]
mod changed_files;
mod conversions;
mod malformed;
mod probe;
mod sbk;
mod ybb;
