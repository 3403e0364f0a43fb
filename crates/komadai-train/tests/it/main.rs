//! Tests of the public interface.

mod dataset;
mod selfplay;
mod tools;
