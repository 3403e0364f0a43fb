//! The errors of static values in searches, by bound and depth.

use std::fmt;

use komadai_core::Bound;

/// The errors from which a [`TreeStrap`](super::TreeStrap) learns, by the bound of the searched value
/// and the remaining depth of the node.
///
/// A search proves little about most nodes: that they are at least, or at most, so good. This table
/// shows which of them teach. Its [`Display`](fmt::Display) form is Markdown.
///
/// # Examples
///
/// ```
/// use komadai_core::Bound;
/// use komadai_train::linear::FeatureGroups;
/// use komadai_train::methods::{Method as _, TreeStrap, TreeStrapOptions};
///
/// let mut method = TreeStrap::new(FeatureGroups::P, TreeStrapOptions::default(), 1);
/// (0..5).for_each(|_| method.step());
/// let shallow = method.errors().of(Bound::Upper, 1);
/// assert!(shallow.updates <= shallow.nodes);
/// println!("{}", method.errors());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StrapErrors {
    /// `[bound][depth]`, the last depth for all deeper ones.
    cells: [[ErrorSum; DEPTHS]; 3],
}

/// The depths that are told apart, from 1.
const DEPTHS: usize = 6;

/// The bounds in the order of the table.
const BOUNDS: [(Bound, &str); 3] =
    [(Bound::Exact, "exact"), (Bound::Lower, "lower"), (Bound::Upper, "upper")];

/// A sum of errors.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ErrorSum {
    /// The nodes.
    pub nodes: u64,
    /// Those whose static value contradicts the search.
    pub updates: u64,
    /// The sum of errors in centipawns for the side to move.
    pub sum: f64,
    /// The sum of their absolute values.
    pub absolute: f64,
}

impl StrapErrors {
    /// Returns the errors of nodes with this bound and remaining depth; the depths from 6 on have one
    /// sum.
    pub fn of(&self, bound: Bound, depth: u32) -> ErrorSum {
        self.cells[row(bound)][column(depth)]
    }

    pub(crate) fn add(&mut self, bound: Bound, depth: u32, error: f32) {
        let cell = &mut self.cells[row(bound)][column(depth)];
        cell.nodes += 1;
        cell.updates += u64::from(error != 0.0);
        cell.sum += f64::from(error);
        cell.absolute += f64::from(error.abs());
    }
}

fn row(bound: Bound) -> usize {
    BOUNDS.iter().position(|(known, _)| *known == bound).unwrap_or(0)
}

fn column(depth: u32) -> usize {
    (depth.max(1) as usize - 1).min(DEPTHS - 1)
}

impl fmt::Display for StrapErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.cells.iter().flatten().map(|cell| cell.absolute).sum::<f64>().max(1e-9);
        writeln!(
            f,
            "| bound | depth | nodes | with an error | mean error, cp | share of errors |"
        )?;
        writeln!(f, "|---|---|---|---|---|---|")?;
        for ((_, name), cells) in BOUNDS.iter().zip(&self.cells) {
            for (index, cell) in cells.iter().enumerate().filter(|(_, cell)| cell.nodes > 0) {
                let more = if index + 1 == DEPTHS { "+" } else { "" };
                let nodes = cell.nodes as f64;
                writeln!(
                    f,
                    "| {name} | {}{more} | {} | {:.1} % | {:+.1} | {:.1} % |",
                    index + 1,
                    cell.nodes,
                    100.0 * cell.updates as f64 / nodes,
                    cell.sum / nodes,
                    100.0 * cell.absolute / all,
                )?;
            }
        }
        Ok(())
    }
}
