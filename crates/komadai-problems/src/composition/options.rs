//! Options of the analysis of a composition.

use komadai_core::{Budget, Move};

use super::convention::Convention;

/// Options of [`analyse`](super::analyse()) and
/// [`SolutionTree::build`](super::SolutionTree::build).
///
/// # Examples
///
/// ```
/// use komadai_core::Budget;
/// use komadai_problems::composition::{CompositionOptions, Convention};
///
/// let options = CompositionOptions { budget: Budget::nodes(1_000_000), convention: Convention::Strict, longer_by: 10, ..CompositionOptions::default() };
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
