//! The integration tests of `komadai-match`.

mod referee;
