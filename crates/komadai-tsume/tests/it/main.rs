//! Integration tests of `komadai-tsume`, one module per topic.

mod problem_sets;
mod progress;
mod rules;
