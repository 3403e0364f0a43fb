//! Every proof of a tree is checked move by move, by the rules alone.

use std::collections::HashSet;

use komadai_movegen::DeclarationRule;
use komadai_testdata::tsume::{Expected, Problem, Set, set};

use super::*;

/// The proofs of a tree that have been checked.
#[derive(Default)]
struct Checked {
    nodes: HashSet<u32>,
    /// Mates of more than nine plies from alpha-beta's table, which are too long to try all moves.
    too_long: usize,
}

/// Returns whether the proof of a node follows from the rules and from the proofs behind it.
fn holds(tree: &Tree, position: &Position, node: u32, checked: &mut Checked) -> bool {
    let Some(proof) = tree.node(node).proof() else { return false };
    if !checked.nodes.insert(node) {
        return true;
    }
    let moves = position.legal_moves();
    let behind = |m: Move| {
        let edges = tree.edges_of(tree.node(node))?;
        let child = edges.iter().find(|edge| edge.m() == m)?.child()?;
        Some((child, tree.node(child).proof()?))
    };
    if !proof.wins {
        // Each move leads to a won position; without a move the game is lost.
        return moves.iter().all(|&m| {
            behind(m).is_some_and(|(child, reply)| {
                reply.wins
                    && reply.plies < proof.plies
                    && holds(tree, &position.after(m), child, checked)
            })
        });
    }
    let wins_by = |m: Move| match behind(m) {
        Some((child, reply)) if !reply.wins && reply.plies < proof.plies => {
            holds(tree, &position.after(m), child, checked)
        }
        _ => false,
    };
    if position.declaration(DeclarationRule::default()).wins() || moves.iter().copied().any(wins_by)
    {
        return true;
    }
    if proof.plies > 9 && tree.node(node).edges().is_none() {
        checked.too_long += 1;
        return true;
    }
    mates_within(position, proof.plies)
}

/// Returns whether the side to move mates within this odd number of plies: by checks alone, else by
/// trying all moves in the last three plies and checks before.
fn mates_within(position: &Position, plies: u32) -> bool {
    (1..=plies).step_by(2).any(|plies| mates_by(position, plies, 1))
        || (3..=plies).step_by(2).any(|plies| mates_by(position, plies, 3))
}

/// Returns whether the side to move mates within this odd number of plies by checks, and by any
/// moves in the last `free` plies.
fn mates_by(position: &Position, plies: u32, free: u32) -> bool {
    let is_tried = |m: &Move| plies <= free || position.gives_check(*m);
    position.legal_moves().into_iter().filter(is_tried).any(|m| {
        let after = position.after(m);
        let replies = after.legal_moves();
        replies.is_empty()
            || plies > 2 && replies.iter().all(|&m| mates_by(&after.after(m), plies - 2, free))
    })
}

/// Searches problems. Returns the number of those proven won and of all; panics if a proof does not
/// hold, or if more than one in a thousand is too long to check.
fn proven(
    problems: impl Iterator<Item = Problem>,
    playouts: u64,
    threads: usize,
) -> (usize, usize) {
    let (mut won, mut all, mut proofs, mut too_long) = (0, 0, 0, 0);
    for problem in problems {
        let Ok(position) = Position::from_sfen(problem.sfen) else { continue };
        all += 1;
        let mut options = MonteCarloOptions::modern();
        options.playouts = Some(playouts);
        options.search.hash_mib = 64;
        options.search.threads = threads;
        let mut searcher = MonteCarlo::new(Classical::default(), options);
        searcher.search(&position, &Budget::unlimited(), &mut |_| {});
        let tree = &searcher.tree;
        let Some(root) = tree.find(position.key()) else { continue };
        if tree.node(root).proof().is_some_and(|proof| proof.wins) {
            won += 1;
        }
        let mut checked = Checked::default();
        // The root, and whatever else has been proven on the way.
        let mut open = vec![(position, root)];
        let mut seen = HashSet::from([root]);
        while let Some((position, node)) = open.pop() {
            if tree.node(node).proof().is_some() {
                assert!(
                    holds(tree, &position, node, &mut checked),
                    "{}: {position}: {:?}",
                    problem.id,
                    tree.node(node).proof()
                );
            }
            for edge in tree.edges_of(tree.node(node)).unwrap_or_default() {
                if let Some(child) = edge.child().filter(|child| seen.insert(*child)) {
                    open.push((position.after(edge.m()), child));
                }
            }
        }
        proofs += checked.nodes.len();
        too_long += checked.too_long;
    }
    assert!(1_000 * too_long <= proofs, "{too_long} of {proofs} proofs are too long");
    (won, all)
}

fn mates_in(length: u32) -> impl Iterator<Item = Problem> {
    set(Set::ShortSelfplay)
        .filter(move |problem| problem.expected == Expected::ShortestMate(length))
}

#[test]
fn proofs_follow_from_the_rules() {
    let (won, all) = proven(mates_in(3).take(12), 500, 1);
    assert!(2 * won > all, "{won} of {all}");
    // A win without checks may be found here; it is checked as all others.
    proven(set(Set::NoMate).step_by(40), 300, 1);
}

#[test]
fn proofs_of_several_threads_follow_from_the_rules() {
    let (won, all) = proven(mates_in(5).take(8), 1_000, 4);
    assert!(2 * won > all, "{won} of {all}");
}

#[test]
#[ignore = "takes minutes: cargo test --release -p komadai-search --lib -- --ignored proofs"]
fn all_proofs_of_short_mates_and_of_positions_without_mate_follow_from_the_rules() {
    for (length, least) in [(1, 1.0), (3, 0.95), (5, 0.7)] {
        let (won, all) = proven(mates_in(length), 10_000, 1);
        assert!(won as f64 >= least * all as f64, "mates in {length}: {won} of {all}");
    }
    for length in [7, 9, 11, 13, 15] {
        proven(mates_in(length), 3_000, 2);
    }
    proven(set(Set::NoMate), 3_000, 2);
}
