//! Integration tests of `komadai-kifu`, one module per topic.

mod malformed_input;
mod samples;
