//! The components of a book that perpetual checks can connect.

use std::collections::HashMap;

use super::graphical_game::Game;

/// The nodes that may be part of a perpetual check, in components that no evasion or check
/// connects.
///
/// Within a component, values may support each other in a circle. So if one of its nodes is solved
/// again, all of them must be.
#[derive(Debug, Clone, Default)]
pub(crate) struct CheckComponents {
    component_of: HashMap<u32, u32>,
    components: Vec<Vec<u32>>,
}

impl CheckComponents {
    /// Finds the components of a game.
    pub(crate) fn find(game: &impl Game) -> Self {
        let on_path = on_check_paths(game);
        let evaders = (0..game.len() as u32).filter(|&node| on_path[node as usize]);
        let mut found = Self::default();
        for evader in evaders {
            for checker in game.successors(evader) {
                found.join(evader, checker);
                for next in game.successors(checker).filter(|&next| on_path[next as usize]) {
                    found.join(checker, next);
                }
            }
        }
        found
    }

    /// The nodes of the component of a node.
    pub(crate) fn component_of(&self, node: u32) -> Option<&[u32]> {
        let component = *self.component_of.get(&node)?;
        Some(&self.components[component as usize])
    }

    /// Removes a node that is no longer in the game.
    ///
    /// The rest of its component may now be disconnected. It stays one component: that costs time
    /// when it is solved again, but changes no value.
    pub(crate) fn remove(&mut self, node: u32) {
        if let Some(component) = self.component_of.remove(&node) {
            self.components[component as usize].retain(|&other| other != node);
        }
    }

    /// All nodes of all components.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = u32> {
        self.component_of.keys().copied()
    }

    fn join(&mut self, one: u32, other: u32) {
        let one = self.component_or_new(one);
        let other = self.component_or_new(other);
        if one == other {
            return;
        }
        // The smaller component moves, so a node moves at most log2(n) times.
        let is_smaller =
            self.components[one as usize].len() < self.components[other as usize].len();
        let (small, large) = if is_smaller { (one, other) } else { (other, one) };
        let moved = std::mem::take(&mut self.components[small as usize]);
        for &node in &moved {
            self.component_of.insert(node, large);
        }
        self.components[large as usize].extend(moved);
    }

    fn component_or_new(&mut self, node: u32) -> u32 {
        *self.component_of.entry(node).or_insert_with(|| {
            self.components.push(vec![node]);
            self.components.len() as u32 - 1
        })
    }
}

/// Returns for each node whether it is in check and starts an endless path on which every second
/// position is in check.
///
/// Starts with all positions in check. Removes those without such a successor two plies later, and
/// counts the successors of their predecessors down, until none is left to remove. Takes O(E) time.
pub(crate) fn on_check_paths(graph: &impl Game) -> Vec<bool> {
    let nodes = 0..graph.len() as u32;
    let mut is_on_path: Vec<bool> = nodes.clone().map(|node| graph.in_check(node)).collect();
    if !is_on_path.contains(&true) {
        return is_on_path;
    }
    // The number of successors on the path, and the number of evasions to positions that have some.
    let mut checks: Vec<u32> = nodes
        .clone()
        .map(|node| graph.successors(node).filter(|&n| is_on_path[n as usize]).count() as u32)
        .collect();
    let mut evasions: Vec<u32> = nodes
        .clone()
        .map(|node| graph.successors(node).filter(|&n| checks[n as usize] > 0).count() as u32)
        .collect();
    let mut pending: Vec<u32> =
        nodes.filter(|&n| is_on_path[n as usize] && evasions[n as usize] == 0).collect();
    while let Some(node) = pending.pop() {
        is_on_path[node as usize] = false;
        for checker in graph.predecessors(node) {
            checks[checker as usize] -= 1;
            if checks[checker as usize] > 0 {
                continue;
            }
            for evader in graph.predecessors(checker) {
                evasions[evader as usize] -= 1;
                if evasions[evader as usize] == 0 && is_on_path[evader as usize] {
                    pending.push(evader);
                }
            }
        }
    }
    is_on_path
}
