//! Lists of rows of weights.

use crate::changes::Changes;
use crate::features::Features;
use crate::kernels::Rows;

/// The starts of rows of weights, for features that disappear and appear.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowLists {
    removed: Vec<usize>,
    added: Vec<usize>,
}

impl RowLists {
    pub(crate) fn clear(&mut self) {
        self.removed.clear();
        self.added.clear();
    }

    /// Adds a feature that appears or disappears.
    #[inline]
    pub(crate) fn add(&mut self, row: usize, is_added: bool) {
        let list = if is_added { &mut self.added } else { &mut self.removed };
        list.push(row);
    }

    #[inline]
    pub(crate) fn rows(&self) -> Rows<'_> {
        Rows { removed: &self.removed, added: &self.added }
    }
}

/// The rows of one move: at most two features for each of two pieces that disappear and two that
/// appear.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MoveRows {
    removed: FewRows,
    added: FewRows,
}

#[derive(Debug, Clone, Copy, Default)]
struct FewRows {
    rows: [usize; 4],
    len: usize,
}

impl FewRows {
    #[inline(always)]
    fn extend(&mut self, numbers: &[u16], features: &Features, width: usize) {
        for &number in numbers {
            features.for_each_index(number, |index| {
                self.rows[self.len] = index * width;
                self.len += 1;
            });
        }
    }
}

impl MoveRows {
    /// Adds the rows of a move for one view. There are none before.
    #[inline]
    pub(crate) fn fill(&mut self, changes: &Changes, features: &Features, width: usize) {
        self.removed.extend(changes.removed(), features, width);
        self.added.extend(changes.added(), features, width);
    }

    #[inline]
    pub(crate) fn rows(&self) -> Rows<'_> {
        let Self { removed, added } = self;
        Rows { removed: &removed.rows[..removed.len], added: &added.rows[..added.len] }
    }
}
