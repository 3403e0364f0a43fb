//! The engine neither panics nor hangs on any input, and answers every `go` once.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/komadai-engine/tests/it/dialogue.rs"]
mod dialogue;

fuzz_target!(|bytes: &[u8]| dialogue::converse(bytes));
