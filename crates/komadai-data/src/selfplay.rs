//! Self-play: games of a player against itself, for training data.

mod castles;
mod course;
mod end;
mod entering_kings;
mod game;
mod judge;
mod options;
mod start;

pub use course::SelfPlayCourse;
pub use end::SelfPlayEnd;
pub use game::{SelfPlayGame, SelfPlayPosition, SelfPlayer};
pub use options::SelfPlayOptions;
pub use start::StartKind;
