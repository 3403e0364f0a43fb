//! The integration tests of `komadai-usi`.

mod client;
mod conformance;
mod faults;
mod roundtrip;
mod text_form;
