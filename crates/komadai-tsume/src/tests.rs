//! Support for the unit tests of this crate: slow reference solvers and random positions.

pub(crate) mod oracle;
pub(crate) mod random_positions;
