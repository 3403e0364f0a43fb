//! Self-play: games of a player against itself, for training data.

mod castles;
mod end;
mod entering_kings;
mod game;
pub(crate) mod judge;
mod options;
pub(crate) mod start;

pub use end::SelfPlayEnd;
pub use game::{SelfPlayGame, SelfPlayPosition, SelfPlayer};
pub use options::SelfPlayOptions;
pub use start::StartKind;
