//! Growth of working books by analysis and by games.

pub(super) mod analysts;
pub(super) mod expectations;
pub(super) mod generation_progress;
pub(super) mod generation_tables;
pub(super) mod generations;
pub(super) mod grow;
pub(super) mod growth_report;
pub(super) mod players;
