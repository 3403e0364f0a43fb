//! RAVE: what moves were worth wherever they were made later in the line.
//!
//! Source: S. Gelly and D. Silver, "Combining online and offline knowledge in UCT", ICML 2007.

use komadai_core::{Color, Move};

use super::backup::Step;
use super::tree::Tree;

/// Returns the mixture of a move's own rate after `visits` results and the rate `later`: the weight
/// of the latter is √(`k` / (3 `visits` + `k`)), ½ when `visits` is equal to `k`.
#[inline]
pub(super) fn mixed(own: f32, visits: f32, later: f32, k: f32) -> f32 {
    let weight = (k / 3.0f32.mul_add(visits, k)).sqrt();
    weight.mul_add(later - own, own)
}

/// The moves made from some point of the line on, by side.
#[derive(Debug)]
pub(super) struct LaterMoves {
    /// For each side and move, the number of the last line in which it was made.
    lines: Box<[u32]>,
    line: u32,
}

impl LaterMoves {
    pub(super) fn new() -> Self {
        Self { lines: vec![0; 2 << 16].into(), line: 0 }
    }

    fn index(side: Color, m: Move) -> usize {
        (side as usize) << 16 | usize::from(m.to_bits())
    }

    /// Forgets the moves.
    pub(super) fn clear(&mut self) {
        self.line = self.line.wrapping_add(1);
        if self.line == 0 {
            self.lines.fill(0);
            self.line = 1;
        }
    }

    /// Adds a move.
    #[inline]
    pub(super) fn add(&mut self, side: Color, m: Move) {
        self.lines[Self::index(side, m)] = self.line;
    }

    #[inline]
    fn contains(&self, side: Color, m: Move) -> bool {
        self.lines[Self::index(side, m)] == self.line
    }

    /// Credits the moves of a line, whose later ones have been added, with the result for the side
    /// to move at its end.
    pub(super) fn credit(&mut self, tree: &Tree, path: &[Step], mut side: Color, mut result: f32) {
        for step in path.iter().rev() {
            (side, result) = (!side, 1.0 - result);
            self.add(side, tree.edge(step.edge).m());
            let Some(range) = tree.node(step.node).edges() else { continue };
            for edge in range {
                if self.contains(side, tree.edge(edge).m())
                    && let Some(later) = tree.later_results(edge)
                {
                    later.add(result);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::LaterResults;
    use super::*;

    #[test]
    fn the_weight_of_later_results_falls_with_the_visits() {
        assert_eq!(mixed(0.0, 0.0, 1.0, 100.0), 1.0);
        assert_eq!(mixed(0.0, 100.0, 1.0, 100.0), 0.5);
        assert!(mixed(0.0, 10_000.0, 1.0, 100.0) < 0.06);
    }

    #[test]
    fn a_move_made_later_counts_at_the_nodes_before() {
        let tree = Tree::new(1 << 20, true);
        let moves: Vec<(Move, f32)> =
            ["7g7f", "2g2f", "3c3d"].map(|m| (m.parse().unwrap(), 0.3)).to_vec();
        let mut path = Vec::new();
        for (key, chosen) in [(1, 0), (2, 2), (3, 1)] {
            let node = tree.find_or_add(key).unwrap();
            assert!(tree.node(node).start_expansion() && tree.add_edges(tree.node(node), &moves));
            let edge = tree.node(node).edges().unwrap().start + chosen;
            path.push(Step { node, edge, rate: 0.5 });
        }
        let mut later = LaterMoves::new();
        later.clear();
        // Black made 7g7f and 2g2f and lost; White made 3c3d.
        later.credit(&tree, &path, Color::White, 1.0);
        let rates = |index: usize| {
            let range = tree.node(path[index].node).edges().unwrap();
            range
                .map(|edge| tree.later_results(edge).and_then(LaterResults::rate))
                .collect::<Vec<_>>()
        };
        assert_eq!(rates(0), [Some(0.0), Some(0.0), None]);
        assert_eq!(rates(1), [None, None, Some(1.0)]);
        assert_eq!(rates(2), [None, Some(0.0), None]);
        later.clear();
        assert!(!later.contains(Color::Black, moves[0].0));
    }
}
