//! Any text that is read as a command, a message, an option, limits or a report is written in a
//! form that is read as the same value and written as the same text.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/komadai-usi/tests/it/text_form.rs"]
mod text_form;

fuzz_target!(|text: &str| text_form::check(text));
