//! The integration tests of `komadai-usi`.

mod client;
mod roundtrip;
mod text_form;
