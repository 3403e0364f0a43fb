//! Back-up: the changes by a result in the nodes through which it has passed.

use core::sync::atomic::{Ordering, fence};

use super::node::{Edge, Node, Proof};
use super::options::Backup;
use super::tree::Tree;

/// Visits below which a move is not taken for the best of its node.
const MIN_BEST_VISITS: u32 = 5;

/// A move of the current line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) node: u32,
    /// The index of the edge in the tree.
    pub(super) edge: u32,
    /// The rate of the edge before this visit.
    pub(super) rate: f32,
}

/// Adds the result at the end of a line to all nodes of the line. `leaf` is the last node, `None`
/// if the result depends on the line and does not belong to the node.
pub(super) fn back_up(
    tree: &Tree,
    path: &[Step],
    leaf: Option<u32>,
    mut result: f32,
    backup: Backup,
) {
    // The minimax rate of the last node before and after the change, for the side that moved there.
    let mut change = None;
    if let Some(leaf) = leaf.map(|leaf| tree.node(leaf)) {
        let before = leaf.minimax();
        add_result(tree, leaf, result, backup, None);
        change = Some((1.0 - before, 1.0 - leaf.minimax()));
    }
    let mut child = leaf;
    for step in path.iter().rev() {
        result = 1.0 - result;
        let node = tree.node(step.node);
        let edge = tree.edge(step.edge);
        let visits = edge.visits();
        match child.map(|child| tree.node(child)) {
            Some(child) if child.visits() >= visits => edge.set_rate(1.0 - child.rate()),
            // The child has been forgotten and found again, or the result is one of this line.
            _ => edge.set_rate(step.rate + (result - step.rate) / visits.max(1) as f32),
        }
        if let Some(proof) = child.and_then(|child| tree.node(child).proof())
            && let Some(edges) = tree.edges_of(node)
        {
            pass_on(tree, node, edges, edge, proof);
        }
        let before = node.minimax();
        add_result(tree, node, result, backup, change);
        change = Some((1.0 - before, 1.0 - node.minimax()));
        child = Some(step.node);
    }
}

/// Adds a result to a node and renews its rate. `change` is that of the minimax rate of the visited
/// move.
fn add_result(tree: &Tree, node: &Node, result: f32, backup: Backup, change: Option<(f32, f32)>) {
    let old = node.rate();
    let mean = node.add(result);
    if node.proof().is_some() {
        return;
    }
    let edges = tree.edges_of(node);
    match backup {
        Backup::Mean => node.set_rate(mean),
        Backup::Discounted { gamma } => {
            let weight = (1.0 / node.visits() as f32).max(1.0 - gamma);
            node.set_rate(old + weight * (result - old));
        }
        Backup::BestChild { k } => {
            let best = edges.and_then(best_child);
            node.set_rate(best.map_or(mean, |(rate, visits)| {
                let weight = visits as f32 / (visits as f32 + k);
                weight * rate + (1.0 - weight) * mean
            }));
        }
        Backup::ImplicitMinimax { a } => {
            let best = node.minimax();
            // Until a second move is visited, the rate may be the node's own value.
            let is_known = edges.is_some_and(|edges| edges.get(1).is_some_and(|e| e.visits() > 0));
            let minimax = match change.filter(|_| is_known) {
                // Most moves are neither the best one nor become it.
                Some((_, after)) if after >= best => after,
                Some((before, _)) if before < best => best,
                _ => edges.and_then(|edges| best_minimax(tree, edges)).unwrap_or(result),
            };
            node.set_minimax(minimax);
            node.set_rate((1.0 - a) * mean + a * minimax);
        }
    }
}

/// Returns rate and visits of the best move that has enough visits.
fn best_child(edges: &[Edge]) -> Option<(f32, u32)> {
    visited(edges)
        .filter(|edge| edge.visits() >= MIN_BEST_VISITS && !edge.is_lost())
        .map(|edge| (edge.rate(), edge.visits()))
        .max_by(|a, b| a.0.total_cmp(&b.0))
}

/// Returns the best rate by minimax among the moves that have been visited.
fn best_minimax(tree: &Tree, edges: &[Edge]) -> Option<f32> {
    visited(edges)
        .filter_map(|edge| edge.child())
        .map(|child| tree.node(child))
        .filter(|child| child.visits() > 0)
        .map(|child| 1.0 - child.minimax())
        .max_by(f32::total_cmp)
}

/// Returns the moves that have been visited, which stand first but for the table's.
fn visited(edges: &[Edge]) -> impl Iterator<Item = &Edge> {
    edges.iter().filter(|edge| edge.visits() > 0)
}

/// Renews the proof of a node after that of the node behind one of its moves.
///
/// A move to a lost position wins; a node whose moves all lead to won positions is lost.
/// Repetitions prove nothing, because they depend on the moves before.
///
/// Source: M. Winands, Y. Björnsson and J.-T. Saito, "Monte-Carlo tree search solver", CG 2008.
fn pass_on(tree: &Tree, node: &Node, edges: &[Edge], edge: &Edge, child: Proof) {
    if !child.wins {
        let proof = child.before();
        if node.proof().is_none_or(|old| !old.wins || old.plies > proof.plies) {
            node.set_proof(proof);
        }
        return;
    }
    // Release and acquire: who sees that a move is lost sees the proof of that.
    fence(Ordering::Release);
    edge.set_lost();
    if node.proof().is_some() || !edges.iter().all(Edge::is_lost) {
        return;
    }
    fence(Ordering::Acquire);
    // The loser chooses the longest line, and any line that is not a mate.
    let children = edges.iter().filter_map(|edge| tree.node(edge.child()?).proof());
    let worst = children.max_by_key(|proof| (proof.declares, proof.plies));
    node.set_proof(worst.map_or(Proof::MATED, Proof::before));
}

#[cfg(test)]
mod tests {
    use komadai_core::Move;

    use super::*;

    /// The wins and losses of Black behind the six replies of the example in the source: two to the
    /// first move of the root, four to the second.
    const REPLIES: [&[(u32, u32)]; 2] =
        [&[(11, 9), (9, 11)], &[(5, 20), (10, 2), (10, 2), (10, 1)]];

    fn moves(count: usize) -> Vec<(Move, f32)> {
        let all = ["9g9f", "8g8f", "7g7f", "6g6f", "5g5f", "4g4f"];
        all[..count].iter().map(|m| (m.parse().unwrap(), 1.0 / count as f32)).collect()
    }

    /// Adds a node with this key and number of moves.
    fn node(tree: &Tree, key: u64, edges: usize) -> u32 {
        let node = tree.find_or_add(key).unwrap();
        if edges > 0 {
            assert!(tree.node(node).start_expansion());
            assert!(tree.add_edges(tree.node(node), &moves(edges)));
        }
        node
    }

    fn step(tree: &Tree, node: u32, index: usize, child: u32) -> Step {
        let edge = tree.node(node).edges().unwrap().start + index as u32;
        let rate = tree.edge(edge).rate();
        tree.edge(edge).enter();
        tree.edge(edge).set_child(child);
        Step { node, edge, rate }
    }

    /// Returns the tree of the example, its root and the two nodes after it.
    fn example(backup: Backup) -> (Tree, u32, [u32; 2]) {
        let tree = Tree::new(1 << 20, false);
        let root = node(&tree, 1, 2);
        let replies = [0, 1].map(|index| node(&tree, 10 + index as u64, REPLIES[index].len()));
        for (index, results) in REPLIES.iter().enumerate() {
            for (reply, &(wins, losses)) in results.iter().enumerate() {
                let leaf = node(&tree, 100 + (10 * index + reply) as u64, 0);
                for result in (0..wins + losses).map(|count| f32::from(u8::from(count < wins))) {
                    let path = [
                        step(&tree, root, index, replies[index]),
                        step(&tree, replies[index], reply, leaf),
                    ];
                    back_up(&tree, &path, Some(leaf), result, backup);
                }
            }
        }
        (tree, root, replies)
    }

    /// Returns Black's rate after each of the two moves.
    fn rates(tree: &Tree, replies: [u32; 2]) -> [f32; 2] {
        replies.map(|reply| 1.0 - tree.node(reply).rate())
    }

    #[test]
    fn the_mean_chooses_the_second_move_and_the_best_child_the_first() {
        let (tree, root, replies) = example(Backup::Mean);
        // The document's numbers: 20-20, 35-25 and 55-45.
        assert_eq!(tree.node(root).visits(), 100);
        assert!((tree.node(root).mean() - 0.55).abs() < 1e-5);
        let [first, second] = rates(&tree, replies);
        assert!((first - 0.5).abs() < 1e-5 && (second - 35.0 / 60.0).abs() < 1e-5);

        let (tree, _, replies) = example(Backup::BestChild { k: 0.0 });
        let [first, second] = rates(&tree, replies);
        assert!((first - 0.45).abs() < 1e-5 && (second - 0.2).abs() < 1e-5, "{first} {second}");
    }

    #[test]
    fn few_visits_mix_the_best_child_with_the_mean() {
        let (tree, _, replies) = example(Backup::BestChild { k: 25.0 });
        let [_, second] = rates(&tree, replies);
        // The best reply has 25 visits, so that both rates count equally.
        assert!((second - (0.2 + 35.0 / 60.0) / 2.0).abs() < 1e-5, "{second}");
    }

    #[test]
    fn recent_results_weigh_more_when_old_ones_fade() {
        let tree = Tree::new(1 << 20, false);
        let leaf = node(&tree, 1, 0);
        for result in [0.0; 50].into_iter().chain([1.0; 50]) {
            back_up(&tree, &[], Some(leaf), result, Backup::Discounted { gamma: 0.9 });
        }
        assert!(tree.node(leaf).rate() > 0.9 && (tree.node(leaf).mean() - 0.5).abs() < 1e-6);
    }

    #[test]
    fn a_mate_after_one_reply_proves_the_figure_of_the_source() {
        // A1 is mated, so B1 has won and is not visited again; the root is open while B2 is.
        let tree = Tree::new(1 << 20, false);
        let (root, b1, b2) = (node(&tree, 1, 2), node(&tree, 2, 2), node(&tree, 3, 1));
        let a1 = node(&tree, 4, 0);
        tree.node(a1).set_proof(Proof::MATED);
        let path = [step(&tree, root, 0, b1), step(&tree, b1, 0, a1)];
        back_up(&tree, &path, Some(a1), 0.0, Backup::Mean);
        assert_eq!(tree.node(b1).proof(), Some(Proof::mate_in(1)));
        assert!(tree.node(root).proof().is_none());
        assert!(tree.edges_of(tree.node(root)).unwrap()[0].is_lost());

        let a2 = node(&tree, 5, 0);
        tree.node(a2).set_proof(Proof::MATED);
        let path = [step(&tree, root, 1, b2), step(&tree, b2, 0, a2)];
        back_up(&tree, &path, Some(a2), 0.0, Backup::Mean);
        let lost = Proof { wins: false, declares: false, plies: 2 };
        assert_eq!(tree.node(root).proof(), Some(lost));
    }

    #[test]
    fn a_result_of_the_line_alone_leaves_the_node_behind_it_unchanged() {
        let tree = Tree::new(1 << 20, false);
        let (root, child) = (node(&tree, 1, 1), node(&tree, 2, 0));
        let path = [step(&tree, root, 0, child)];
        back_up(&tree, &path, None, 0.5, Backup::Mean);
        assert_eq!((tree.node(child).visits(), tree.node(root).visits()), (0, 1));
        assert_eq!(tree.edges_of(tree.node(root)).unwrap()[0].rate(), 0.5);
    }
}
