//! Counters of a search.

use core::ops::AddAssign;

/// Counters of one search.
///
/// # Examples
///
/// ```
/// use komadai_search::Statistics;
///
/// let statistics = Statistics { cuts: 200, first_move_cuts: 180, ..Statistics::default() };
/// assert_eq!(statistics.first_move_cut_rate(), Some(0.9));
/// assert_eq!(Statistics::default().first_move_cut_rate(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Statistics {
    /// Number of nodes with remaining depth and a beta cutoff by one of their moves.
    pub cuts: u64,
    /// Number of these nodes whose first move caused the cutoff.
    pub first_move_cuts: u64,
    /// Number of nodes of the quiescence search, its first nodes included.
    pub quiescence_nodes: u64,
}

impl Statistics {
    /// Returns the share of cutoffs by the first move, a measure of the move ordering; `None`
    /// without cutoffs.
    pub fn first_move_cut_rate(&self) -> Option<f64> {
        (self.cuts > 0).then(|| self.first_move_cuts as f64 / self.cuts as f64)
    }
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Self) {
        self.cuts += other.cuts;
        self.first_move_cuts += other.first_move_cuts;
        self.quiescence_nodes += other.quiescence_nodes;
    }
}
