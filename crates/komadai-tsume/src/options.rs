//! What a solver is asked to do.

/// How a [`DfPn`](crate::DfPn) works.
///
/// # Examples
///
/// ```
/// use komadai_tsume::{DfPnOptions, Goal};
///
/// let options = DfPnOptions { hash_mib: 16, goal: Goal::ShortestMate };
/// assert_ne!(options, DfPnOptions::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DfPnOptions {
    /// The memory for results, in MiB; taken as at least 1 and at most
    /// [`MAX_HASH_MIB`](Self::MAX_HASH_MIB).
    ///
    /// It is set aside once, when the solver is made, and costs nothing until it is used: solving a
    /// small problem with a large table takes no longer than with a small one.
    pub hash_mib: usize,
    /// Which mate to look for.
    pub goal: Goal,
}

impl DfPnOptions {
    /// The largest memory for results: 1 TiB.
    pub const MAX_HASH_MIB: usize = 1 << 20;
}

impl Default for DfPnOptions {
    /// 64 MiB, any mate.
    fn default() -> Self {
        Self { hash_mib: 64, goal: Goal::AnyMate }
    }
}

/// Which mate to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Goal {
    /// The first one found. The line is a mate; nothing is said about shorter ones, except that a
    /// mate in one is always the shortest.
    #[default]
    AnyMate,
    /// The shortest, if the budget allows: with the mate found, shorter ones are refuted. When the
    /// budget does not suffice for that, the mate found last is reported without the claim.
    ShortestMate,
}
