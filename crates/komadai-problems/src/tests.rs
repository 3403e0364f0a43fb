//! Helpers of the unit tests: those of `komadai-tsume`, because both crates are compared with one
//! reference.

#[path = "../../komadai-tsume/src/tests/oracle.rs"]
#[allow(dead_code, reason = "the solver's tests use more of it")]
pub(crate) mod oracle;
#[path = "../../komadai-tsume/src/tests/random_positions.rs"]
pub(crate) mod random_positions;
