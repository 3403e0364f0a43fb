//! What can be counted about a search.

use core::ops::AddAssign;

/// Counts of one search, quiescence left out.
///
/// # Examples
///
/// ```
/// use komadai_search::Statistics;
///
/// let statistics = Statistics { cuts: 200, first_move_cuts: 180 };
/// assert_eq!(statistics.first_move_cut_rate(), Some(0.9));
/// assert_eq!(Statistics::default().first_move_cut_rate(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Statistics {
    /// Nodes cut off by one of their moves.
    pub cuts: u64,
    /// Those of them cut off by the first move tried.
    pub first_move_cuts: u64,
}

impl Statistics {
    /// The share of cut-offs by the first move, which tells how good the order of moves is; `None`
    /// without cut-offs.
    #[must_use]
    pub fn first_move_cut_rate(&self) -> Option<f64> {
        (self.cuts > 0).then(|| self.first_move_cuts as f64 / self.cuts as f64)
    }
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Self) {
        self.cuts += other.cuts;
        self.first_move_cuts += other.first_move_cuts;
    }
}
