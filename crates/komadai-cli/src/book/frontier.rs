//! Positions to search: where good play leaves a book, and where a book is in doubt.

pub(super) mod frontier_diff;
pub(super) mod listing;
pub(super) mod next;
pub(super) mod opponent;
pub(super) mod refutations;
pub(super) mod rejoin;
pub(super) mod selection;
pub(super) mod unsolved;
