//! The memory of a search: results that hold on all paths, results that hold on one, and the moves
//! of positions.

pub(crate) mod expansions;
pub(crate) mod loop_table;
pub(crate) mod origins;
pub(crate) mod table;
