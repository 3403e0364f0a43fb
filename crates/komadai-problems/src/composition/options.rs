//! Options of the analysis of a composition, and the reasons why there is none.

use komadai_core::{Budget, Move};

/// The way in which a length is counted: see the [definitions](super#lengths).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Convention {
    /// Every legal reply counts.
    Strict,
    /// Futile interpositions (無駄合) do not count.
    #[default]
    Literature,
}

/// Options of [`analyse`](super::analyse()) and
/// [`SolutionTree::build`](super::SolutionTree::build).
///
/// # Examples
///
/// ```
/// use komadai_core::Budget;
/// use komadai_problems::composition::{CompositionOptions, Convention};
///
/// let options = CompositionOptions {
///     budget: Budget::nodes(1_000_000),
///     convention: Convention::Strict,
///     longer_by: 10,
///     ..CompositionOptions::default()
/// };
/// assert_eq!(options.longer_by, 10);
/// ```
#[derive(Debug, Clone)]
pub struct CompositionOptions {
    /// The limit of the whole analysis. With nodes alone, the same position gives the same report.
    pub budget: Budget,
    /// The way in which lengths are counted.
    pub convention: Convention,
    /// Number of plies by which other mates may be longer than the solution to be reported.
    pub longer_by: u32,
    /// Number of plies by which the mates in a solution tree may be longer than the shortest.
    pub tree_longer_by: u32,
    /// The solution that the author intends. If empty, the main line is examined.
    pub intended: Vec<Move>,
    /// The largest number of positions in a solution tree.
    pub max_positions: usize,
}

impl Default for CompositionOptions {
    /// 5 million nodes, literature lengths, other mates up to 10 plies longer, trees
    /// of shortest mates with at most 100,000 positions.
    fn default() -> Self {
        Self {
            budget: Budget::nodes(5_000_000),
            convention: Convention::Literature,
            longer_by: 10,
            tree_longer_by: 0,
            intended: Vec::new(),
            max_positions: 100_000,
        }
    }
}

/// Longest mate whose length is computed, in plies.
pub(crate) const MAX_LENGTH: u32 = 399;

/// A reason why a composition cannot be analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum CompositionError {
    /// There is no mate.
    #[error("no mate")]
    NoMate,
    /// The budget was spent before a result.
    #[error("the budget was spent before a result")]
    Budget,
    /// The mate that was found takes more plies than are analysed.
    #[error("a mate within {plies} plies, more than {MAX_LENGTH} are not analysed")]
    TooLong {
        /// Plies within which the attacker mates.
        plies: u32,
    },
    /// The line that the author intends is not a mate.
    #[error("move {ply} of the intended line does not mate")]
    IntendedLine {
        /// Number of the first move, from 1, that is illegal, gives no check or allows the defender
        /// to escape.
        ply: u32,
    },
}
