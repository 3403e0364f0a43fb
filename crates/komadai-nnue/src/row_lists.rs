//! Lists of rows of weights.

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

    /// Adds a feature that disappears, if there is one.
    #[inline]
    pub(crate) fn remove(&mut self, row: Option<usize>) {
        self.removed.extend(row);
    }

    /// Adds a feature that appears, if there is one.
    #[inline]
    pub(crate) fn put(&mut self, row: Option<usize>) {
        self.added.extend(row);
    }

    /// Adds a feature `times` times: so often less often, if negative.
    #[inline]
    pub(crate) fn add(&mut self, row: usize, times: i32) {
        let list = if times < 0 { &mut self.removed } else { &mut self.added };
        list.extend((0..times.unsigned_abs()).map(|_| row));
    }

    #[inline]
    pub(crate) fn rows(&self) -> Rows<'_> {
        Rows { removed: &self.removed, added: &self.added }
    }
}
