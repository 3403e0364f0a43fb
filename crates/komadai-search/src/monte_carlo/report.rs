//! The report of a tree about its root: rates, visits and lines.

use core::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use komadai_core::{Analysis, Bound, Line, Position, Pv, Score};
use komadai_movegen::MoveGen;

use super::node::{Edge, Proof};
use super::options::MonteCarloOptions;
use super::tree::Tree;
use crate::scaled::Units;
use crate::searcher::tree_move::{Proven, RootMove};

/// The longest line of a report.
const MAX_LINE: usize = 128;

/// The largest centipawns for which a rate stands, proven results excepted.
const MAX_RATE_CP: f32 = 9_999.0;

/// A move in the tree below the last root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Branch {
    /// The index of the move before it, which stands earlier in the list; `None` for a move of the
    /// root.
    pub parent: Option<usize>,
    /// Number of moves from the root, this one included.
    pub plies: usize,
    /// The move and its results, for the side that makes it.
    pub found: RootMove,
}

/// Returns the moves below a node with the most visits, each after the one before it.
pub(super) fn branches(tree: &Tree, root: u32, most: usize) -> Vec<Branch> {
    let mut branches: Vec<Branch> = Vec::new();
    // The moves that continue the branches: the most visited is next, of equal ones the first.
    let mut open: BinaryHeap<(u32, Reverse<u32>, Option<usize>)> = BinaryHeap::new();
    let add = |open: &mut BinaryHeap<_>, node: u32, parent: Option<usize>| {
        let edges = tree.node(node).edges().unwrap_or_default();
        let visited = edges.map(|edge| (tree.edge(edge).visits(), Reverse(edge), parent));
        open.extend(visited.filter(|(visits, ..)| *visits > 0));
    };
    add(&mut open, root, None);
    while branches.len() < most
        && let Some((_, Reverse(edge), parent)) = open.pop()
    {
        let edge = tree.edge(edge);
        let plies = parent.map_or(1, |parent: usize| branches[parent].plies + 1);
        branches.push(Branch { parent, plies, found: root_move(tree, edge) });
        if let Some(child) = edge.child() {
            add(&mut open, child, Some(branches.len() - 1));
        }
    }
    branches
}

/// Returns the visits of the moves that are not proven losses.
pub(super) fn open_visits(edges: &[Edge]) -> impl Iterator<Item = u32> {
    edges.iter().filter(|edge| !edge.is_lost()).map(Edge::visits)
}

/// Returns the proof of the position after a move.
fn proof_after(tree: &Tree, edge: &Edge) -> Option<Proof> {
    tree.node(edge.child()?).proof()
}

/// The place of a move among the others, by these in turn: won, open or lost; the distance of the
/// end, or visits; the rate; the prior, so that of equal moves the first one is the best.
#[derive(Debug, Clone, Copy)]
struct Rank(u8, i64, f32, f32);

impl Rank {
    fn of(tree: &Tree, edge: &Edge) -> Self {
        let prior = edge.prior();
        match proof_after(tree, edge) {
            Some(proof) if proof.wins => Self(0, i64::from(proof.plies), 0.0, prior),
            Some(proof) => Self(2, -i64::from(proof.plies), 0.0, prior),
            None => Self(1, i64::from(edge.visits()), edge.rate(), prior),
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        (self.0, self.1)
            .cmp(&(other.0, other.1))
            .then(self.2.total_cmp(&other.2))
            .then(self.3.total_cmp(&other.3))
    }
}

/// Returns the moves of a node, best first.
fn ranked(tree: &Tree, node: u32) -> Vec<&Edge> {
    // Other threads go on meanwhile, so that each move is looked at once.
    let edges = tree.edges_of(tree.node(node)).unwrap_or_default();
    let mut ranks: Vec<(Rank, &Edge)> =
        edges.iter().map(|edge| (Rank::of(tree, edge), edge)).collect();
    ranks.sort_by(|a, b| b.0.compare(&a.0));
    ranks.into_iter().map(|(_, edge)| edge).collect()
}

pub(super) fn root_moves(tree: &Tree, root: u32) -> Vec<RootMove> {
    ranked(tree, root).into_iter().map(|edge| root_move(tree, edge)).collect()
}

fn root_move(tree: &Tree, edge: &Edge) -> RootMove {
    let proof = proof_after(tree, edge);
    RootMove {
        m: edge.m(),
        visits: edge.visits(),
        rate: proof.map_or(edge.rate(), |proof| 1.0 - proof.rate()),
        prior: edge.prior(),
        proven: proof.map(|proof| {
            let plies = proof.plies + 1;
            if proof.wins { Proven::Loss { plies } } else { Proven::Win { plies } }
        }),
    }
}

/// Number of moves in a remark.
const REMARKED_MOVES: usize = 5;

/// Returns a line of text about the best moves of a root, or `None` if there is none.
pub(super) fn remark(moves: &[RootMove]) -> Option<String> {
    let is_tried = |root_move: &&RootMove| root_move.visits > 0 || root_move.proven.is_some();
    let tried = moves.iter().filter(is_tried).take(REMARKED_MOVES);
    let moves: Vec<String> = tried.map(RootMove::to_string).collect();
    (!moves.is_empty()).then(|| format!("tree {}", moves.join(", ")))
}

/// Returns the best lines of the root.
pub(super) fn analysis(
    tree: &Tree,
    root: u32,
    position: &Position,
    options: &MonteCarloOptions,
    units: Units,
) -> Analysis {
    let count = options.search.multi_pv.max(1);
    let lines: Vec<Line> = ranked(tree, root)
        .into_iter()
        .take(count)
        .map(|edge| {
            let pv = line(tree, edge, position);
            Line {
                depth: pv.len() as u32,
                score: score(tree, edge, options, units),
                bound: Bound::Exact,
                pv,
            }
        })
        .collect();
    let depth = lines.first().map_or(0, |line| line.depth);
    Analysis { depth, seldepth: depth, lines, ..Analysis::default() }
}

/// Returns the score of a move for the side that makes it.
fn score(tree: &Tree, edge: &Edge, options: &MonteCarloOptions, units: Units) -> Score {
    match proof_after(tree, edge).map(Proof::before) {
        Some(Proof { wins, declares: true, .. }) => {
            Score::cp(if wins { Score::MAX_CP } else { -Score::MAX_CP })
        }
        Some(Proof { wins: true, plies, .. }) => Score::mate_in(plies),
        Some(Proof { wins: false, plies, .. }) => Score::mated_in(plies),
        None => {
            let rate = edge.rate().clamp(1e-9, 1.0 - 1e-6);
            let cp = options.scale_cp * (rate / (1.0 - rate)).ln();
            units.score(cp.clamp(-MAX_RATE_CP, MAX_RATE_CP).round() as i32)
        }
    }
}

/// Returns the line that starts with a move and follows the best moves of the tree.
fn line(tree: &Tree, edge: &Edge, position: &Position) -> Pv {
    let mut position = position.clone();
    let mut moves = vec![edge.m()];
    position.do_move(edge.m());
    let mut next = edge.child();
    let mut seen = Vec::new();
    while let Some(node) = next.filter(|node| moves.len() < MAX_LINE && !seen.contains(node)) {
        seen.push(node);
        let best = ranked(tree, node).into_iter().next().filter(|best| best.visits() > 0);
        let Some(best) = best else {
            // The mate that proves a node without moves.
            if tree.node(node).proof() == Some(Proof::mate_in(1)) {
                moves.extend(position.mate_in_one());
            }
            break;
        };
        let m = best.m();
        moves.push(m);
        position.do_move(m);
        next = best.child();
    }
    moves.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_names_rates_visits_priors_and_proofs() {
        let mut usual = RootMove::new("7g7f".parse().unwrap(), 1_234, 0.543);
        usual.prior = 0.125;
        let proven = |m: &str, proven| {
            let new = RootMove::new(m.parse().unwrap(), 3, 0.0);
            RootMove { proven: Some(proven), ..new }
        };
        let lost = proven("5i5h", Proven::Loss { plies: 6 });
        let won = proven("G*5b", Proven::Win { plies: 1 });
        assert_eq!(
            remark(&[won, usual, lost]).unwrap(),
            "tree G*5b won in 1, 7g7f 54.3% 1234 visits prior 12.5%, 5i5h lost in 6"
        );
        let untried = RootMove::new("9g9f".parse().unwrap(), 0, 0.5);
        assert_eq!(remark(&[untried]), None);
        assert_eq!(remark(&[lost; 9]).unwrap().matches("lost in").count(), 5);
        assert_eq!(remark(&[]), None);
    }
}
