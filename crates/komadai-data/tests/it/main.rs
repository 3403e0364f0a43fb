//! Tests of the public interface.

mod damage;
#[cfg(feature = "tools")]
mod dataset;
mod games;
// Positions of random play, as the tests of game records have them.
#[path = "../../../komadai-kifu/tests/it/random_play.rs"]
mod random_play;
#[cfg(feature = "tools")]
mod range;
mod records;
#[cfg(feature = "tools")]
mod selfplay;
#[cfg(feature = "tools")]
mod tools;
