//! Options of the solver.

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
    /// The tables are allocated once, when the solver is created. A search uses a first part of 288
    /// KiB and doubles it as it needs more, so that a small problem takes no longer with a large
    /// table than with a small one: the times of 200 mates of 3 to 11 plies with 1 MiB, 64 MiB and
    /// 1 GiB differ by 4 % at most (table `short200` of `docs/tsume.md`, 2026-11-25).
    pub hash_mib: usize,
    /// Kind of mate to search for.
    pub goal: Goal,
    /// Number of threads that search one position together, clamped to 1 to 1,024.
    ///
    /// A search of fewer than 10,000 nodes ends before others join the first thread. With several
    /// threads the number of nodes and the moves of a mate differ from one call to the next; what
    /// is proven does not.
    pub threads: usize,
    /// Treatment of results after a call: dropped or kept.
    pub results: Results,
    /// Techniques of the search.
    pub techniques: Techniques,
}

impl DfPnOptions {
    /// Largest size of the tables: 1 TiB.
    pub const MAX_HASH_MIB: usize = 1 << 20;
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
    /// The first mate found, as fast as possible. Shorter mates may exist, except that a mate in
    /// one is always reported as shortest.
    #[default]
    AnyMate,
    /// A short mate: after a first mate of at most 17 plies, the solver searches for a mate with
    /// two plies fewer as long as one is found, with at most one and a half times as many nodes
    /// again.
    ///
    /// Of 200 mates of 3 to 11 plies, 77 % of the answers are then shortest, instead of 48 %, in
    /// 1.6 times the mean time (`docs/tsume.md`, 2026-11-25). An answer is said to be shortest only
    /// if that is proven.
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
    /// This is for positions that are related, as those of one game or of the nodes of one search.
    /// Results of either attacker and of other sets of pieces stand side by side.
    Kept,
}

bitflags::bitflags! {
    /// Techniques of the df-pn search, to be turned off or on one by one.
    ///
    /// No result depends on them, only the number of nodes and the time of the search: what is
    /// proven with one set holds with every other. The [default](Self::default) is the set that
    /// `docs/tsume.md` measures as the fastest; the same page has a table with a row for each
    /// technique.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Budget, Position};
    /// use komadai_tsume::{DfPn, DfPnOptions, Techniques};
    ///
    /// let position = Position::from_sfen("7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1")?;
    /// let options = DfPnOptions { hash_mib: 8, ..DfPnOptions::default() };
    /// let nodes = |techniques| {
    ///     let mut solver = DfPn::new(DfPnOptions { techniques, ..options });
    ///     let report = solver.solve_mate(&position, &Budget::nodes(1_000_000));
    ///     assert!(report.is_mate());
    ///     report.nodes
    /// };
    /// let without_counts = Techniques::default() - Techniques::FIRST_COUNTS;
    /// assert_ne!(nodes(Techniques::default()), nodes(without_counts));
    /// # Ok::<(), komadai_core::SfenError>(())
    /// ```
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Techniques: u32 {
        /// The numbers of a new position start from its number of moves instead of 1 (df-pn+: A.
        /// Nagai and H. Imai, "Application of df-pn+ to Othello endgames", 1999).
        const FIRST_COUNTS = 1;
        /// These numbers count all drops on one square as one reply.
        const SQUARES_ONCE = 1 << 1;
        /// A drop waits for the drop of the next weaker piece on the same square, and a move
        /// without promotion for the same move with promotion.
        const POSTPONED_MOVES = 1 << 2;
        /// In a long search, all drops of the defender wait for each other, those next to the king
        /// first.
        const ONE_CHAIN = 1 << 3;
        /// The search leaves a child only when it is a third worse than the runner-up (J. Pawlewicz
        /// and Ł. Lew, "Improving depth-first PN-search: 1 + ε trick", 2006).
        const LATE_SWITCHES = 1 << 4;
        /// Thresholds grow until a new position is visited, where paths of different lengths meet
        /// (the threshold controlling algorithm: A. Kishimoto, "Dealing with infinite loops,
        /// underestimation, and overestimation of depth-first proof-number search", 2010). Without
        /// it a search may visit the same positions for ever.
        const PROGRESS = 1 << 5;
        /// The moves of unsolved positions are kept for the next visit.
        const KEPT_MOVES = 1 << 6;
        /// A new position with the attacker to move is tested for a mate in one.
        const MATE_IN_ONE = 1 << 7;
        /// A new position with the attacker to move is tested for a mate in three.
        const MATE_IN_THREE = 1 << 8;
        /// A new position after a check is tested for a reply after which there is no check.
        const REFUTED_AT_ONCE = 1 << 9;
        /// At the beginning of a search, the disproof number of a position with the attacker to
        /// move is the largest of its children's plus the number of the others, instead of the sum
        /// (weak proof numbers: T. Ueda, T. Hashimoto, J. Hashimoto and H. Iida, "Weak proof-number
        /// search", 2008).
        const WEAK_DISPROOFS = 1 << 10;
        /// The same for the proof number of a position with the defender to move.
        const WEAK_PROOFS = 1 << 11;
        /// Children whose subtrees have met count once: of them the largest number is added to the
        /// sum of the others (after A. Kishimoto, "Dealing with infinite loops, underestimation,
        /// and overestimation of depth-first proof-number search", 2010, source node detection).
        const MET_ONCE = 1 << 12;
        /// In a long search, the numbers of a position are at least those of the same board with
        /// another hand: its proof number that with a larger hand, its disproof number that with a
        /// smaller one.
        const OTHER_HANDS = 1 << 13;
    }
}

impl Default for Techniques {
    /// The fastest set.
    fn default() -> Self {
        Self::FIRST_COUNTS
            | Self::SQUARES_ONCE
            | Self::POSTPONED_MOVES
            | Self::ONE_CHAIN
            | Self::LATE_SWITCHES
            | Self::PROGRESS
            | Self::KEPT_MOVES
            | Self::WEAK_DISPROOFS
            | Self::OTHER_HANDS
    }
}
