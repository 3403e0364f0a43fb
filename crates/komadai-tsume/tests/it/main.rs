//! Integration tests of `komadai-tsume`, one module per topic.

mod kept_results;
mod problem_sets;
mod progress;
mod rules;
