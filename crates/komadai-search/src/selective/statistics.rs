//! Counters of a selective search.

/// Counters of the last search of a [`Selective`](super::Selective) searcher.
///
/// # Examples
///
/// ```
/// use komadai_search::selective::SelectiveStatistics;
///
/// let statistics = SelectiveStatistics { leaves: 4, leaf_plies: 18, surprises: 1 };
/// assert_eq!(statistics.mean_leaf_depth(), Some(4.5));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SelectiveStatistics {
    /// Number of nodes without budgets, which quiescence values.
    pub leaves: u64,
    /// The sum of their distances from the root in plies.
    pub leaf_plies: u64,
    /// Number of moves that were searched again as if they were more probable.
    pub surprises: u64,
}

impl SelectiveStatistics {
    /// Returns the mean distance of the leaves from the root in plies; `None` without leaves.
    pub fn mean_leaf_depth(&self) -> Option<f64> {
        (self.leaves > 0).then(|| self.leaf_plies as f64 / self.leaves as f64)
    }

    pub(super) fn count_leaf(&mut self, ply: usize) {
        self.leaves += 1;
        self.leaf_plies += ply as u64;
    }
}
