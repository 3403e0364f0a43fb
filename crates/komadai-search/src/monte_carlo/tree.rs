//! The tree: nodes by position, so that lines that transpose share what they have found.
//!
//! A position is a node once, however it is reached (B. Childs, J. Brodeur and L. Kocsis,
//! "Transpositions and move groups in Monte Carlo tree search", CIG 2008). A result counts in the
//! nodes through which it passed, and in no other. What depends on the moves before, a repetition
//! or the move limit, is never stored in a node.

use core::sync::atomic::{AtomicU32, Ordering};

use komadai_core::Move;

use super::arena::Arena;
use super::node::{Edge, LaterResults, NONE, Node};

/// Bytes of a node with its share of the index of positions; at most three quarters of the slots of
/// that are free.
const NODE_BYTES: usize = size_of::<Node>() + 4 * size_of::<AtomicU32>();

/// Moves for each node, for the division of the memory: of the nodes at the edge of the tree, most
/// have no moves yet.
const EDGES_PER_NODE: usize = 32;

/// Bytes of a node with its share of everything but RAVE.
const BYTES_PER_NODE: usize = NODE_BYTES + EDGES_PER_NODE * size_of::<Edge>();

/// Nodes copied between two looks at the clock: less than a millisecond.
const NODES_PER_CHECK: u32 = 256;

/// The tree of one search, and of the next one as far as that starts inside.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Arena<Node>,
    edges: Arena<Edge>,
    /// The results of RAVE, with the indices of the edges; `None` without RAVE.
    later: Option<Arena<LaterResults>>,
    /// Indices of nodes, each in the first free slot after the one its key points to.
    index: Box<[AtomicU32]>,
    bytes: usize,
}

impl Tree {
    /// Returns an empty tree of at most `bytes` bytes, with results of RAVE or without.
    pub(super) fn new(bytes: usize, has_rave: bool) -> Self {
        let rave = if has_rave { EDGES_PER_NODE * size_of::<LaterResults>() } else { 0 };
        let count = (bytes / (BYTES_PER_NODE + rave)).max(1);
        let nodes = Arena::new(count);
        let edges = Arena::new(count * EDGES_PER_NODE);
        let slots = (2 * nodes.capacity() as usize).next_power_of_two();
        let index = core::iter::repeat_with(|| AtomicU32::new(NONE)).take(slots).collect();
        let later = has_rave.then(|| Arena::new(count * EDGES_PER_NODE));
        Self { nodes, edges, later, index, bytes }
    }

    #[inline]
    pub(super) fn node(&self, index: u32) -> &Node {
        self.nodes.at(index)
    }

    #[inline]
    pub(super) fn edge(&self, index: u32) -> &Edge {
        self.edges.at(index)
    }

    /// Returns the results of RAVE of the edge at `index`.
    #[inline]
    pub(super) fn later_results(&self, index: u32) -> Option<&LaterResults> {
        self.later.as_ref()?.at_or_new(index)
    }

    /// Returns the moves of a node; `None` before it is expanded.
    #[inline]
    pub(super) fn edges_of(&self, node: &Node) -> Option<&[Edge]> {
        node.edges().map(|range| self.edges.slice(range))
    }

    /// Returns the part in use, in thousandths.
    pub(super) fn permille_used(&self) -> u32 {
        let part =
            |used: u32, capacity: u32| (u64::from(used) * 1_000 / u64::from(capacity)) as u32;
        part(self.nodes.used(), self.nodes.capacity())
            .max(part(self.edges.used(), self.edges.capacity()))
    }

    fn slots(&self, key: u64) -> impl Iterator<Item = &AtomicU32> {
        let mask = self.index.len() - 1;
        // The low bits of a key are as good as any.
        (0..self.index.len()).map(move |step| &self.index[(key as usize + step) & mask])
    }

    /// Returns the node of a position.
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        for slot in self.slots(key) {
            let found = slot.load(Ordering::Acquire);
            if found == NONE {
                return None;
            }
            if self.has_key(found, key) {
                return Some(found);
            }
        }
        None
    }

    fn has_key(&self, node: u32, key: u64) -> bool {
        self.node(node).key.load(Ordering::Relaxed) == key
    }

    /// Returns the node of a position, a new one if it is not in the tree, or `None` if the memory
    /// is used up.
    pub(super) fn find_or_add(&self, key: u64) -> Option<u32> {
        if let Some(found) = self.find(key) {
            return Some(found);
        }
        let new = self.nodes.add(1)?;
        self.node(new).key.store(key, Ordering::Relaxed);
        for slot in self.slots(key) {
            // Release: who finds the index sees the key.
            match slot.compare_exchange(NONE, new, Ordering::Release, Ordering::Acquire) {
                Ok(_) => return Some(new),
                // Another thread has added the position in the meantime; the own node stays unused.
                Err(found) if self.has_key(found, key) => return Some(found),
                Err(_) => {}
            }
        }
        None
    }

    /// Adds the moves of a node with their priors. Returns `false` if the memory is used up.
    pub(super) fn add_edges(&self, node: &Node, moves: &[(Move, f32)]) -> bool {
        let Some(first) = self.edges.add(moves.len() as u32) else { return false };
        let range = first..first + moves.len() as u32;
        for (edge, &(m, prior)) in self.edges.slice(range.clone()).iter().zip(moves) {
            edge.set(m, prior);
        }
        node.set_edges(range);
        true
    }

    /// Returns the tree below the position with this key, in new memory: every node that is visited
    /// at least `least` times. The results of moves to the others stay with the moves. `None` if
    /// the search is over in the meantime: a large tree takes a tenth of a second for each 100 MiB.
    pub(super) fn pruned(&self, root: u64, least: u32, is_over: &dyn Fn() -> bool) -> Option<Self> {
        let new = Self::new(self.bytes, self.later.is_some());
        let is_complete = self.find(root).is_none_or(|root| new.copy(self, root, least, is_over));
        is_complete.then_some(new)
    }

    /// Copies a node and what is below it, without recursion: lines may be long. Returns `false` if
    /// the search is over before.
    fn copy(&self, from: &Self, root: u32, least: u32, is_over: &dyn Fn() -> bool) -> bool {
        let Some(start) = self.copy_node(from, root) else { return true };
        let mut open = vec![(root, start)];
        for count in 1_u32.. {
            let Some((old, new)) = open.pop() else { break };
            if count.is_multiple_of(NODES_PER_CHECK) && is_over() {
                return false;
            }
            let Some(old_edges) = from.edges_of(from.node(old)) else { continue };
            let Some(first) = self.edges.add(old_edges.len() as u32) else { continue };
            let range = first..first + old_edges.len() as u32;
            let old_range = from.node(old).edges().unwrap_or_default();
            for (index, old_index) in range.clone().zip(old_range) {
                if let (Some(own), Some(old)) =
                    (self.later_results(index), from.later_results(old_index))
                {
                    own.copy_results(old);
                }
            }
            for (edge, old_edge) in self.edges.slice(range.clone()).iter().zip(old_edges) {
                edge.copy_results(old_edge);
                let Some(child) = old_edge.child() else { continue };
                let node = from.node(child);
                if node.visits() < least && node.proof().is_none() {
                    continue;
                }
                if let Some(known) = self.find(node.key.load(Ordering::Relaxed)) {
                    edge.set_child(known);
                } else if let Some(copy) = self.copy_node(from, child) {
                    edge.set_child(copy);
                    open.push((child, copy));
                }
            }
            self.node(new).set_edges(range);
        }
        true
    }

    fn copy_node(&self, from: &Self, node: u32) -> Option<u32> {
        let node = from.node(node);
        let copy = self.find_or_add(node.key.load(Ordering::Relaxed))?;
        self.node(copy).copy_results(node);
        Some(copy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_takes_no_more_than_its_bytes() {
        for mib in [2, 3, 4, 7, 16, 100, 1_000, 5_000] {
            for has_rave in [false, true] {
                let tree = Tree::new(mib << 20, has_rave);
                let of = |capacity: u32, size: usize| capacity as usize * size;
                let later = tree.later.as_ref().map_or(0, Arena::capacity);
                let bytes = of(tree.nodes.capacity(), size_of::<Node>())
                    + of(tree.edges.capacity(), size_of::<Edge>())
                    + of(later, size_of::<LaterResults>())
                    + size_of_val(&*tree.index);
                assert!(bytes <= mib << 20, "{bytes} of {mib} MiB");
                // Rounding leaves less unused than a third.
                assert!(mib < 16 || 3 * bytes > 2 * (mib << 20), "{bytes} of {mib} MiB");
            }
        }
    }
}
