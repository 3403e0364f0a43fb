//! The choice of the move to visit: bandits over the moves of a node.

use komadai_core::Move;

use super::node::{Edge, Node};
use super::options::{Bandit, MonteCarloOptions, Unvisited};
use super::rave::mixed;
use super::tree::Tree;

/// Returns the index of the move to visit next, or `None` if every move loses for certain. Moves
/// without visits get their rate by `unvisited`.
///
/// The moves are ordered by prior, highest first. Of those not visited, all formulas prefer the
/// first, so that the others need not be looked at; that keeps the time proportional to the number
/// of visited moves.
pub(super) fn select(
    tree: &Tree,
    node: &Node,
    edges: &[Edge],
    hash_move: Option<Move>,
    unvisited: Unvisited,
    options: &MonteCarloOptions,
) -> Option<usize> {
    if let (Bandit::Puct { c }, None, None) = (options.bandit, options.rave, hash_move) {
        return puct(node, edges, c, unvisited);
    }
    let total: u32 = node.visits().max(1);
    let bonus = |edge: &Edge| match hash_move {
        Some(m) if options.hash_move_bonus > 0.0 && edge.m() == m => options.hash_move_bonus,
        _ => 0.0,
    };
    let log = (total as f32).ln();
    let root = (total as f32).sqrt();
    let lead = |edge: &Edge, visits: f32| match options.bandit {
        Bandit::Ucb1 { c } => c * (2.0 * log / visits).sqrt(),
        Bandit::Ucb1Tuned { c } => {
            let variance = edge.child().map_or(0.25, |child| tree.node(child).variance());
            let bound = variance + (2.0 * log / visits).sqrt();
            c * (log / visits * bound.min(0.25)).sqrt()
        }
        Bandit::Puct { c } => c * edge.prior() * root / (1.0 + visits),
    };
    let later = |index: usize| {
        options.rave?;
        tree.later_results(node.edges()?.start + index as u32)?.rate()
    };
    // PUCT divides by one plus the visits; the others would divide by zero.
    let no_visits = if matches!(options.bandit, Bandit::Puct { .. }) { 0.0 } else { 1.0 };
    let first_value = |index: usize, visited_priors: f32| {
        let edge = &edges[index];
        let known = unvisited_value(node, edges, edge, visited_priors, unvisited);
        let value = known.map(|q| later(index).unwrap_or(q) + lead(edge, no_visits));
        value.unwrap_or(f32::MAX) + bonus(edge)
    };
    let mut best = None;
    let mut best_value = f32::NEG_INFINITY;
    let mut consider = |index: usize, value: f32| {
        if value > best_value {
            (best, best_value) = (Some(index), value);
        }
    };
    let mut first_unvisited = None;
    let mut visited_priors = 0.0;
    for (index, edge) in edges.iter().enumerate() {
        let visits = edge.visits();
        if visits == 0 {
            let first = *first_unvisited.get_or_insert(index);
            // The table's move, and those with results of RAVE, may stand anywhere among the
            // unvisited ones.
            if options.rave.is_none() && hash_move.is_none() {
                break;
            }
            if index != first && (bonus(edge) > 0.0 || later(index).is_some()) {
                consider(index, first_value(index, visited_priors));
            }
            continue;
        }
        visited_priors += edge.prior();
        if !edge.is_lost() {
            let own = edge.rate();
            let visits = visits as f32;
            let rate = match (options.rave, later(index)) {
                (Some(k), Some(later)) => mixed(own, visits, later, k),
                _ => own,
            };
            consider(index, rate + lead(edge, visits) + bonus(edge));
        }
    }
    if let Some(index) = first_unvisited {
        consider(index, first_value(index, visited_priors));
    }
    best
}

/// Chooses by PUCT alone, which most searches do.
fn puct(node: &Node, edges: &[Edge], c: f32, unvisited: Unvisited) -> Option<usize> {
    let factor = c * (node.visits().max(1) as f32).sqrt();
    let mut best = None;
    let mut best_value = f32::NEG_INFINITY;
    let mut visited_priors = 0.0;
    for (index, edge) in edges.iter().enumerate() {
        let visits = edge.visits();
        let prior = edge.prior();
        let rate = if visits == 0 {
            unvisited_value(node, edges, edge, visited_priors, unvisited)
        } else if edge.is_lost() {
            visited_priors += prior;
            continue;
        } else {
            visited_priors += prior;
            Some(edge.rate())
        };
        let value = rate.map_or(f32::MAX, |rate| rate + factor * prior / (1.0 + visits as f32));
        if value > best_value {
            (best, best_value) = (Some(index), value);
        }
        if visits == 0 {
            break;
        }
    }
    best
}

/// Returns the rate of a move that has not been visited, or `None` if it goes first.
fn unvisited_value(
    node: &Node,
    edges: &[Edge],
    edge: &Edge,
    visited_priors: f32,
    unvisited: Unvisited,
) -> Option<f32> {
    match unvisited {
        Unvisited::First => None,
        Unvisited::Provisional { low, high } => {
            // The first move has the largest prior.
            let most = edges.first().map_or(1.0, Edge::prior).max(f32::MIN_POSITIVE);
            Some(low + (high - low) * edge.prior() / most)
        }
        Unvisited::FirstPlayUrgency { reduction } => {
            Some(node.rate() - reduction * visited_priors.sqrt())
        }
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::SplitMix64;

    use super::super::backup::{Step, back_up};
    use super::super::options::Backup;
    use super::*;

    /// Plays a bandit whose arms win with these probabilities. Returns the visits of each.
    fn play(options: &MonteCarloOptions, arms: &[f32], rounds: u32, seed: u64) -> Vec<u32> {
        let tree = Tree::new(1 << 20, false);
        let root = tree.find_or_add(1).unwrap();
        let node = tree.node(root);
        let names =
            ["9g9f", "8g8f", "7g7f", "6g6f", "5g5f", "4g4f", "3g3f", "2g2f", "1g1f", "5i5h"];
        let prior = 1.0 / arms.len() as f32;
        let moves: Vec<_> =
            names[..arms.len()].iter().map(|m| (m.parse().unwrap(), prior)).collect();
        assert!(node.start_expansion() && tree.add_edges(node, &moves));
        let first = node.edges().unwrap().start;
        let mut random = SplitMix64::new(seed);
        for _ in 0..rounds {
            let edges = tree.edges_of(node).unwrap();
            let chosen = select(&tree, node, edges, None, options.unvisited, options).unwrap();
            let child = tree.find_or_add(10 + chosen as u64).unwrap();
            let rate = edges[chosen].rate();
            edges[chosen].enter();
            edges[chosen].set_child(child);
            let won = (random.below(1_000) as f32) < 1_000.0 * arms[chosen];
            // The result of the side to move after the move is that of the opponent.
            let result = if won { 0.0 } else { 1.0 };
            let path = [Step { node: root, edge: first + chosen as u32, rate }];
            back_up(&tree, &path, Some(child), result, Backup::Mean);
        }
        tree.edges_of(node).unwrap().iter().map(Edge::visits).collect()
    }

    fn regret(options: &MonteCarloOptions) -> f32 {
        let arms = [0.9, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6];
        let lost = |seed| {
            let visits = play(options, &arms, 3_000, seed);
            visits.iter().zip(arms).map(|(&n, p)| n as f32 * (0.9 - p)).sum::<f32>()
        };
        (0..20).map(lost).sum::<f32>() / 20.0
    }

    #[test]
    fn tuned_bandits_lose_less_than_plain_ones() {
        let mut options = MonteCarloOptions::plain_uct();
        let plain = regret(&options);
        options.bandit = Bandit::Ucb1Tuned { c: 1.0 };
        let tuned = regret(&options);
        assert!(tuned < 0.7 * plain, "plain {plain}, tuned {tuned}");
        // Choosing at random would lose 810.
        assert!(plain < 400.0, "{plain}");
    }

    #[test]
    fn provisional_rates_widen_the_node_until_all_moves_are_visited() {
        let options = MonteCarloOptions::ym2012();
        let visited = |rounds| {
            let visits = play(&options, &[0.5; 10], rounds, 1);
            visits.iter().filter(|&&n| n > 0).count()
        };
        let widths: Vec<usize> = [1, 10, 100, 3_000].into_iter().map(visited).collect();
        assert!(widths.is_sorted() && widths[0] == 1 && widths[3] == 10, "{widths:?}");
    }

    #[test]
    fn the_best_move_of_the_table_gets_its_bonus_before_its_turn() {
        let mut options = MonteCarloOptions::ym2012();
        options.hash_move_bonus = 0.5;
        let tree = Tree::new(1 << 20, false);
        let node = tree.node(tree.find_or_add(1).unwrap());
        let moves: Vec<(Move, f32)> = [("9g9f", 0.6), ("8g8f", 0.3), ("7g7f", 0.1)]
            .map(|(m, prior)| (m.parse().unwrap(), prior))
            .to_vec();
        assert!(node.start_expansion() && tree.add_edges(node, &moves));
        let edges = tree.edges_of(node).unwrap();
        assert_eq!(select(&tree, node, edges, None, options.unvisited, &options), Some(0));
        assert_eq!(
            select(&tree, node, edges, Some(moves[2].0), options.unvisited, &options),
            Some(2)
        );
    }
}
