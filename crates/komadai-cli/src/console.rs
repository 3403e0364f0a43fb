//! The terminal: progress, formats of numbers, Ctrl-C.

pub(crate) mod counter;
pub(crate) mod format;
pub(crate) mod interrupt;
pub(crate) mod progress;
