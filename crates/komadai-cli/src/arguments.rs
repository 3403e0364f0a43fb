//! Arguments that several programs share.

pub(crate) mod engine;
pub(crate) mod faults;
pub(crate) mod openings;
pub(crate) mod position;
pub(crate) mod record;
