//! The binary book formats: bytes written out, samples of other programs, made-up records there and
//! back, look-ups, and faulty files.

mod random_records;

mod apery;
mod conversions;
mod malformed;
mod probe;
mod sbk;
mod ybb;
