//! Integration tests of `komadai-kifu`, one module per topic.

mod analyses;
mod games;
#[cfg(feature = "jkf")]
mod jkf;
mod malformed_input;
mod mutation;
mod kakinoki;
mod random_play;
#[cfg(feature = "archives")]
mod record_files;
mod samples;
#[cfg(feature = "serde")]
mod serde_records;
mod training_damage;
mod training_records;
mod tricky;
mod usen;
mod written_again;
