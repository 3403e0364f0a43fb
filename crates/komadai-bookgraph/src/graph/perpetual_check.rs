//! Perpetual check in a book (連続王手の千日手): positions that a side holds because the other one loses if
//! it gives check forever.
//!
//! Along a *check loop* one side, the *checker*, gives check with every move, and the other, the
//! *evader*, is in check whenever it is to move. If the play never ends and the evader does not
//! check as well with every move of its own, the checker loses. So the evader wins a position, at a
//! value `v` or more, if it can forever
//!
//! - move to a position in which every move of the checker either gives check again, back into the
//!   same set, or is bad for the checker anyway: a leaf of value `−v` or less, or a position won
//!   with `v` or more,
//! - and make a move that gives no check again and again.
//!
//! The greatest such set is a fixed point. The algorithm removes positions that violate the first
//! condition, then keeps only those from which the evader can force a move without check (the
//! second condition), and repeats both steps until no position is removed. Both steps visit each
//! edge once.
//!
//! Sets that no edge connects do not influence each other. So the work is done per connected
//! component, and only after a move of the checker there has turned out to be bad.

use std::collections::{BTreeMap, BTreeSet};

use super::check_components::on_check_paths;
use super::graphical_game::Game;

/// The positions of a book that may be part of a perpetual check.
#[derive(Debug)]
pub(crate) struct CheckLoops {
    /// Per node, the component in which the checker is to move there, or [`NONE`].
    component_of_checker: Vec<u32>,
    components: Vec<Component>,
    /// Sizes of the values of leaves that are bad for the checker, each with its component; largest
    /// last.
    leaves: Vec<(i16, u32)>,
    /// Components in which a move of the checker has turned out to be bad since the last search.
    changed: Vec<u32>,
    /// Per node, whether the evader (or the checker) to move there still belongs to the candidate
    /// set.
    held_by_evader: Vec<bool>,
    held_by_checker: Vec<bool>,
    /// The value of a perpetual check that the checker cannot leave.
    largest: i16,
    /// True until the first search, which is at the value `largest`.
    is_new: bool,
}

/// Positions connected by evasions and checks.
#[derive(Debug, Default)]
struct Component {
    /// Positions in check, the evader to move.
    evader: Vec<u32>,
    /// Positions after evasions, the checker to move.
    checker: Vec<u32>,
    is_changed: bool,
}

/// The positions of one component that perpetual check decides at some value.
#[derive(Debug)]
pub(crate) struct HeldPositions {
    /// Positions that the evader wins.
    pub(crate) evader: Vec<u32>,
    /// Positions that the checker loses.
    pub(crate) checker: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl CheckLoops {
    /// Finds the positions in check on an endless path on which every second position is in check.
    pub(crate) fn find(graph: &impl Game) -> Self {
        let on_path = on_check_paths(graph);
        let evaders: Vec<u32> =
            (0..graph.len() as u32).filter(|&node| on_path[node as usize]).collect();
        // Most books have no check loop at all: then no list per node is allocated.
        let nodes = if evaders.is_empty() { 0 } else { graph.len() };
        let mut loops = Self {
            component_of_checker: vec![NONE; nodes],
            components: Vec::new(),
            leaves: Vec::new(),
            changed: Vec::new(),
            held_by_evader: vec![false; nodes],
            held_by_checker: vec![false; nodes],
            largest: graph.largest(),
            is_new: !evaders.is_empty(),
        };
        let mut groups = connect(graph, &evaders, &on_path, nodes);
        let mut component_of_group = BTreeMap::new();
        for &evader in &evaders {
            let group = groups.find(as_evader(evader));
            let component = *component_of_group.entry(group).or_insert_with(|| {
                loops.components.push(Component::default());
                loops.components.len() as u32 - 1
            });
            loops.components[component as usize].evader.push(evader);
            for checker in graph.successors(evader) {
                loops.add_checker(graph, checker, component);
            }
        }
        loops.leaves.sort_unstable();
        loops.leaves.dedup();
        loops
    }

    fn add_checker(&mut self, graph: &impl Game, checker: u32, component: u32) {
        if self.component_of_checker[checker as usize] != NONE {
            return;
        }
        self.component_of_checker[checker as usize] = component;
        self.components[component as usize].checker.push(checker);
        let leaf = graph.best_leaf(checker).filter(|leaf| leaf.score < 0);
        self.leaves.extend(leaf.map(|leaf| (-leaf.score, component)));
    }

    /// The largest value at which the next search may be needed, apart from searches that
    /// [`mark_bad_move`](Self::mark_bad_move) requests.
    pub(crate) fn next_size(&self) -> Option<i16> {
        if self.is_new {
            return Some(self.largest);
        }
        self.leaves.last().map(|&(size, _)| size)
    }

    /// Notes that a move of `node` has turned out to be bad for the side to move there.
    #[inline]
    pub(crate) fn mark_bad_move(&mut self, node: u32) {
        if let Some(&component) = self.component_of_checker.get(node as usize)
            && component != NONE
        {
            self.mark_changed(component);
        }
    }

    fn mark_changed(&mut self, component: u32) {
        if !std::mem::replace(&mut self.components[component as usize].is_changed, true) {
            self.changed.push(component);
        }
    }

    /// Searches the next changed component for positions that the evader holds at the value `size`;
    /// `None` when no component has changed.
    ///
    /// `score` returns the values settled so far. The caller settles the result before the next
    /// call, because the next component may depend on it.
    pub(crate) fn next_held(
        &mut self,
        game: &impl Game,
        score: impl Fn(u32) -> Option<i16>,
        size: i16,
    ) -> Option<HeldPositions> {
        if std::mem::take(&mut self.is_new) {
            (0..self.components.len() as u32).for_each(|component| self.mark_changed(component));
        }
        // From this value on, these leaves count as bad moves of the checker.
        while let Some(&(leaf, component)) = self.leaves.last()
            && leaf >= size
        {
            self.leaves.pop();
            self.mark_changed(component);
        }
        let at = self.changed.pop()? as usize;
        // Taken out, because the search changes other fields.
        let mut component = std::mem::take(&mut self.components[at]);
        debug_assert!(component.is_changed, "only changed components are listed");
        self.find_held(game, &score, size, &component);
        let held = HeldPositions {
            evader: filter(&component.evader, &self.held_by_evader),
            checker: filter(&component.checker, &self.held_by_checker),
        };
        component.is_changed = false;
        self.components[at] = component;
        Some(held)
    }

    /// Marks the positions of one component that are held.
    fn find_held(
        &mut self,
        game: &impl Game,
        score: &impl Fn(u32) -> Option<i16>,
        size: i16,
        component: &Component,
    ) {
        for &node in &component.evader {
            self.held_by_evader[node as usize] = score(node).is_none();
        }
        for &node in &component.checker {
            self.held_by_checker[node as usize] = score(node).is_none();
        }
        loop {
            self.remove_escapes(game, score, size, component);
            if !self.remove_mutual_checks(game, component) {
                return;
            }
        }
    }

    /// Removes positions from which the checker can leave the loop, until none is left (the first
    /// condition).
    fn remove_escapes(
        &mut self,
        game: &impl Game,
        score: &impl Fn(u32) -> Option<i16>,
        size: i16,
        component: &Component,
    ) {
        let mut pending: Vec<(u32, Turn)> = Vec::new();
        pending.extend(component.checker.iter().map(|&node| (node, Turn::Checker)));
        pending.extend(component.evader.iter().map(|&node| (node, Turn::Evader)));
        while let Some((node, turn)) = pending.pop() {
            let (held, stays) = match turn {
                Turn::Checker => {
                    // Every move of the checker must stay in the set or be bad for the checker.
                    let is_bad = |next: u32| {
                        self.held_by_evader[next as usize]
                            || score(next).is_some_and(|score| score >= size)
                    };
                    let stays = game.best_leaf(node).is_none_or(|leaf| leaf.score <= -size)
                        && game.successors(node).all(is_bad);
                    (&mut self.held_by_checker[node as usize], stays)
                }
                Turn::Evader => {
                    // One move of the evader into the set is enough.
                    let mut successors = game.successors(node);
                    let stays = successors.any(|next| self.held_by_checker[next as usize]);
                    (&mut self.held_by_evader[node as usize], stays)
                }
            };
            if *held && !stays {
                *held = false;
                // The removal may break the condition of its predecessors in the set.
                let before = match turn {
                    Turn::Checker => (Turn::Evader, &self.held_by_evader),
                    Turn::Evader => (Turn::Checker, &self.held_by_checker),
                };
                let affected = game.predecessors(node).filter(|&n| before.1[n as usize]);
                pending.extend(affected.map(|previous| (previous, before.0)));
            }
        }
    }

    /// Removes positions from which the evader cannot force a move without check (the second
    /// condition). Returns whether any were removed.
    ///
    /// If both sides give check with every move, no side loses: the play is an ordinary repetition.
    fn remove_mutual_checks(&mut self, game: &impl Game, component: &Component) -> bool {
        let by_checker = filter(&component.checker, &self.held_by_checker);
        // After most evasions the checker is not in check: then nothing has to be removed.
        if by_checker.iter().all(|&node| !game.in_check(node)) {
            return false;
        }
        let by_evader = filter(&component.evader, &self.held_by_evader);
        // Positions from which a move without check is forced, found backwards from those moves.
        let mut forced_checker = BTreeSet::new();
        let mut forced_evader = BTreeSet::new();
        let mut pending: Vec<(u32, Turn)> = Vec::new();
        for &node in &by_checker {
            let has_check = game.successors(node).any(|next| self.held_by_evader[next as usize]);
            if !game.in_check(node) || !has_check {
                forced_checker.insert(node);
                pending.push((node, Turn::Checker));
            }
        }
        while let Some((node, turn)) = pending.pop() {
            for previous in game.predecessors(node) {
                let is_new = match turn {
                    Turn::Checker => {
                        self.held_by_evader[previous as usize] && forced_evader.insert(previous)
                    }
                    Turn::Evader => {
                        self.held_by_checker[previous as usize]
                            && !forced_checker.contains(&previous)
                            && game
                                .successors(previous)
                                .filter(|&next| self.held_by_evader[next as usize])
                                .all(|next| forced_evader.contains(&next))
                            && forced_checker.insert(previous)
                    }
                };
                if is_new {
                    pending.push((previous, turn.other()));
                }
            }
        }
        for &node in &by_checker {
            self.held_by_checker[node as usize] = forced_checker.contains(&node);
        }
        for &node in &by_evader {
            self.held_by_evader[node as usize] = forced_evader.contains(&node);
        }
        forced_checker.len() < by_checker.len() || forced_evader.len() < by_evader.len()
    }
}

/// Connects each evader with its evasions, and these with the checks that follow.
fn connect(graph: &impl Game, evaders: &[u32], on_path: &[bool], nodes: usize) -> UnionFind {
    let mut groups = UnionFind::new(2 * nodes);
    for &evader in evaders {
        for checker in graph.successors(evader) {
            groups.union(as_evader(evader), as_checker(checker));
            for next in graph.successors(checker).filter(|&next| on_path[next as usize]) {
                groups.union(as_checker(checker), as_evader(next));
            }
        }
    }
    groups
}

/// The set member for a node at which the evader is to move. A node may have both roles, in
/// different components: if both sides give check.
fn as_evader(node: u32) -> u32 {
    2 * node
}

/// The set member for a node at which the checker is to move.
fn as_checker(node: u32) -> u32 {
    2 * node + 1
}

fn filter(nodes: &[u32], is_held: &[bool]) -> Vec<u32> {
    nodes.iter().copied().filter(|&node| is_held[node as usize]).collect()
}

/// The role of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    Evader,
    Checker,
}

impl Turn {
    fn other(self) -> Self {
        match self {
            Self::Evader => Self::Checker,
            Self::Checker => Self::Evader,
        }
    }
}

/// Disjoint sets of numbers from 0, merged by [`union`](Self::union).
///
/// Finding a set halves the path to its root (R. E. Tarjan and J. van Leeuwen, *Worst-case analysis
/// of set union algorithms*, J. ACM 31, 1984). The smaller number becomes the root, which keeps the
/// result independent of the order of calls.
#[derive(Debug)]
struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    /// Creates one set for each number below `len`.
    fn new(len: usize) -> Self {
        Self { parent: (0..len as u32).collect() }
    }

    /// The root of the set of a number.
    fn find(&mut self, mut member: u32) -> u32 {
        while self.parent[member as usize] != member {
            let grandparent = self.parent[self.parent[member as usize] as usize];
            self.parent[member as usize] = grandparent;
            member = grandparent;
        }
        member
    }

    /// Merges the sets of two numbers.
    fn union(&mut self, one: u32, other: u32) {
        let one = self.find(one);
        let other = self.find(other);
        self.parent[one.max(other) as usize] = one.min(other);
    }
}
