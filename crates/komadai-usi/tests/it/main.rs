//! The integration tests of `komadai-usi`.

mod client;
mod faults;
mod roundtrip;
mod text_form;
