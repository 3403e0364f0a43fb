//! Integration tests of `komadai-eval`, one module per topic.

mod evaluator_contract;
mod sample;
