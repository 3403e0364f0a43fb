//! Integration tests of `komadai-kifu`, one module per topic.

mod analyses;
mod encodings;
mod faults;
#[cfg(feature = "jkf")]
mod fouls;
mod games;
#[cfg(feature = "jkf")]
mod jkf;
mod lost_moves;
mod malformed_input;
#[cfg(feature = "archives")]
mod many_files;
mod mutation;
mod kakinoki;
mod ki2_text;
mod notation_vectors;
mod random_play;
mod random_records;
#[cfg(feature = "archives")]
mod record_files;
mod results;
mod round_trips;
mod samples;
#[cfg(feature = "serde")]
mod serde_records;
mod starts;
mod tricky;
mod usen;
mod written_again;
#[cfg(feature = "seven-zip")]
mod seven_zip;
