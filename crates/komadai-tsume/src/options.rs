//! Options of the solver.

mod techniques;

pub use techniques::Techniques;

/// Options of a [`DfPn`](crate::DfPn).
///
/// # Examples
///
/// ```
/// use komadai_tsume::{DfPnOptions, Goal};
///
/// let options = DfPnOptions { hash_mib: 16, goal: Goal::ShortestMate, ..DfPnOptions::default() };
/// assert_ne!(options, DfPnOptions::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DfPnOptions {
    /// Size of the tables in MiB, clamped to 1 to [`MAX_HASH_MIB`](Self::MAX_HASH_MIB).
    ///
    /// The tables are allocated once, when the solver is created. A search uses a first part of 288 KiB and
    /// doubles it as it needs more, so that a small problem takes no longer with a large table than with a small
    /// one: the times of 200 mates of 3 to 11 plies with 1 MiB, 64 MiB and 1 GiB differ by 4 % at most (table
    /// `short200` of `docs/tsume.md`, 2026-11-25).
    pub hash_mib: usize,
    /// Kind of mate to search for.
    pub goal: Goal,
    /// Number of threads that search one position together, clamped to 1 to [`MAX_THREADS`](Self::MAX_THREADS).
    ///
    /// A search of fewer than 10,000 nodes ends before others join the first thread. With several threads the
    /// number of nodes and the moves of a mate differ from one call to the next; what is proven does not.
    pub threads: usize,
    /// Treatment of results after a call: dropped or kept.
    pub results: Results,
    /// Techniques of the search.
    pub techniques: Techniques,
}

impl DfPnOptions {
    /// Largest size of the tables: 1 TiB.
    pub const MAX_HASH_MIB: usize = 1 << 20;

    /// Largest number of threads.
    pub const MAX_THREADS: usize = 1_024;
}

impl Default for DfPnOptions {
    /// 64 MiB, any mate, one thread, results of one call only.
    fn default() -> Self {
        Self {
            hash_mib: 64,
            goal: Goal::AnyMate,
            threads: 1,
            results: Results::Dropped,
            techniques: Techniques::default(),
        }
    }
}

/// The kind of mate that the solver searches for.
///
/// # Examples
///
/// ```
/// use komadai_tsume::{DfPn, DfPnOptions, Goal};
///
/// let mut options = DfPnOptions::default();
/// options.hash_mib = 8;
/// options.goal = Goal::ShortestMate;
/// assert_eq!(DfPn::new(options).options().goal, Goal::ShortestMate);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Goal {
    /// The first mate found, as fast as possible. Shorter mates may exist, except that a mate in one is always
    /// reported as shortest.
    #[default]
    AnyMate,
    /// A short mate: after a first mate of at most 17 plies, the solver searches for a mate with two plies fewer
    /// as long as one is found, with at most one and a half times as many nodes again.
    ///
    /// Of 200 mates of 3 to 11 plies, 77 % of the answers are then shortest, instead of 48 %, in 1.6 times the
    /// mean time (`docs/tsume.md`, 2026-11-25). An answer is said to be shortest only if that is proven.
    ShortMate,
    /// The shortest mate, if the budget allows: after the first mate, the solver searches for
    /// shorter ones until none is left. If the budget does not suffice for that, it reports the
    /// last mate found and does not claim that it is the shortest.
    #[doc(alias = "最短手順")]
    ShortestMate,
}

/// Treatment of the results in the tables after a call.
///
/// # Examples
///
/// A second call continues where the first one had to stop:
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_tsume::{DfPn, DfPnOptions, Results};
///
/// let position = Position::from_sfen("7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1")?;
/// let options = DfPnOptions { hash_mib: 8, ..DfPnOptions::default() };
/// let nodes = |results| {
///     let mut solver = DfPn::new(DfPnOptions { results, ..options });
///     solver.solve_mate(&position, &Budget::nodes(100));
///     let report = solver.solve_mate(&position, &Budget::nodes(100_000));
///     assert!(report.is_mate());
///     report.nodes
/// };
/// assert!(nodes(Results::Kept) < nodes(Results::Dropped));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Results {
    /// Each call begins with empty tables, so that its report does not depend on earlier calls.
    #[default]
    Dropped,
    /// Later calls use them, until [`forget`](komadai_movegen::MateSolver::forget).
    ///
    /// This is for positions that are related, as those of one game or of the nodes of one search. Results of
    /// either attacker and of other sets of pieces stand side by side.
    Kept,
}
