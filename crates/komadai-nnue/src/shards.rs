//! First hidden layers of stacks whose outputs see parts of the inputs.

use core::fmt;

/// A partition of the inputs of the first hidden layer: common ones, which all outputs see, then
/// shards of one size, each of which a group of outputs sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Shards {
    common: usize,
    size: usize,
    groups: usize,
}

impl Shards {
    /// Reads `cC` and `sSxG`.
    pub(crate) fn parse(common: &str, shards: &str) -> Option<Self> {
        let (size, groups) = shards.strip_prefix('s')?.split_once('x')?;
        Some(Self {
            common: common.strip_prefix('c')?.parse().ok()?,
            size: size.parse().ok()?,
            groups: groups.parse().ok()?,
        })
    }

    /// Returns whether the parts are those of a layer with these inputs and outputs.
    pub(crate) fn fits(self, (inputs, outputs): (usize, usize)) -> bool {
        let Self { common, size, groups } = self;
        let total = size.checked_mul(groups).and_then(|shards| shards.checked_add(common));
        total == Some(inputs)
            && common.is_multiple_of(64)
            && (size > 0 && size.is_multiple_of(64))
            && (groups > 1 && outputs.is_multiple_of(groups))
    }

    /// Sets the weights of inputs that an output does not see to zero: programs ignore them, so that
    /// files may hold anything there. `rows` has a row for each output.
    pub(crate) fn mask(self, rows: &mut [i8], row_len: usize) {
        let outputs = rows.len() / row_len;
        for (output, row) in rows.chunks_exact_mut(row_len).enumerate() {
            let first = self.common + output / (outputs / self.groups) * self.size;
            row[self.common..first].fill(0);
            row[first + self.size..].fill(0);
        }
    }
}

impl fmt::Display for Shards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "_c{}_s{}x{}", self.common, self.size, self.groups)
    }
}
