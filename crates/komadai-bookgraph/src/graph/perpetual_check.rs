//! Loops of checks in a book.
//!
//! Along a loop of checks one side, the *checker*, gives check with every move, and the other, the
//! *evader*, is in check whenever it is to move. If the play never ends and the evader does not check
//! as well with every move of its own, the checker has lost. So the evader wins a position, at a value
//! `v` or more, if it can forever
//!
//! - move to a position in which every move of the checker either gives check again, back into the
//!   same set, or is bad for it anyway: a leaf worth `−v` or less, or a position won with `v` or more,
//! - and time and again do so without giving check itself.
//!
//! The greatest such set is found by removing positions until all that is left has the property
//! (first condition), and by keeping of it those from which the evader can force a move that is no
//! check (second), over and over until nothing is removed. Both steps look at each edge once.
//!
//! Sets that no edge connects do not influence each other: the work is done per connected part, and
//! only when a move of the checker there has become bad.

use std::collections::HashMap;

use super::graphical_game::Game;
use super::solve::Solver;

/// The positions of a book that may be part of an endless series of checks.
#[derive(Debug)]
pub(crate) struct CheckLoops {
    /// Per node, the part in which it is the checker's turn, or [`NONE`].
    part_of_checker: Vec<u32>,
    parts: Vec<Part>,
    /// Values of leaves that are bad for the checker, with the part; largest size last.
    leaves: Vec<(i16, u32)>,
    /// Parts in which something has changed.
    changed: Vec<u32>,
    /// Per node, whether the evader, or the checker, is still thought to lose nothing there.
    held_by_evader: Vec<bool>,
    held_by_checker: Vec<bool>,
    /// The value of a perpetual check that the checker cannot leave.
    largest: i16,
    /// The first look, at that value, has still to be taken.
    is_new: bool,
}

/// Positions connected by evasions and checks.
#[derive(Debug, Default)]
struct Part {
    /// Positions in check, the evader to move.
    evader: Vec<u32>,
    /// Positions after evasions, the checker to move.
    checker: Vec<u32>,
    is_changed: bool,
}

const NONE: u32 = u32::MAX;

impl CheckLoops {
    /// Finds the positions in check on an endless path on which every second position is one.
    pub(crate) fn find(graph: &impl Game) -> Self {
        let on_path = endlessly_checked(graph);
        let evaders: Vec<u32> =
            (0..graph.len() as u32).filter(|&node| on_path[node as usize]).collect();
        let mut groups = Groups::new(if evaders.is_empty() { 0 } else { graph.len() });
        let mut loops = Self {
            part_of_checker: vec![NONE; if evaders.is_empty() { 0 } else { graph.len() }],
            parts: Vec::new(),
            leaves: Vec::new(),
            changed: Vec::new(),
            held_by_evader: vec![false; if evaders.is_empty() { 0 } else { graph.len() }],
            held_by_checker: vec![false; if evaders.is_empty() { 0 } else { graph.len() }],
            largest: graph.largest(),
            is_new: !evaders.is_empty(),
        };
        for &evader in &evaders {
            for checker in graph.successors(evader) {
                groups.join(Groups::evader(evader), Groups::checker(checker));
                for next in graph.successors(checker).filter(|&next| on_path[next as usize]) {
                    groups.join(Groups::checker(checker), Groups::evader(next));
                }
            }
        }
        let mut part_of_group = std::collections::BTreeMap::new();
        for &evader in &evaders {
            let group = groups.of(Groups::evader(evader));
            let part = *part_of_group.entry(group).or_insert_with(|| {
                loops.parts.push(Part::default());
                loops.parts.len() as u32 - 1
            });
            loops.parts[part as usize].evader.push(evader);
            for checker in graph.successors(evader) {
                if loops.part_of_checker[checker as usize] == NONE {
                    loops.part_of_checker[checker as usize] = part;
                    loops.parts[part as usize].checker.push(checker);
                    let leaf = graph.best_leaf(checker).filter(|leaf| leaf.score < 0);
                    loops.leaves.extend(leaf.map(|leaf| (-leaf.score, part)));
                }
            }
        }
        loops.leaves.sort_unstable();
        loops.leaves.dedup();
        loops
    }

    /// The largest value at which something may have to be looked at that no settled position tells.
    pub(crate) fn next_size(&self) -> Option<i16> {
        if self.is_new {
            return Some(self.largest);
        }
        self.leaves.last().map(|&(size, _)| size)
    }

    /// A move of `node` has turned out to be bad.
    #[inline]
    pub(crate) fn tell(&mut self, node: u32) {
        if let Some(&part) = self.part_of_checker.get(node as usize)
            && part != NONE
        {
            self.mark(part);
        }
    }

    fn mark(&mut self, part: u32) {
        if !std::mem::replace(&mut self.parts[part as usize].is_changed, true) {
            self.changed.push(part);
        }
    }

    /// Settles the positions that the evader holds at the value `size`; whether there were any.
    pub(crate) fn hold(&mut self, solver: &mut Solver<'_, impl Game>, size: i16) -> bool {
        if std::mem::take(&mut self.is_new) {
            (0..self.parts.len() as u32).for_each(|part| self.mark(part));
        }
        while let Some(&(leaf, part)) = self.leaves.last()
            && leaf >= size
        {
            self.leaves.pop();
            self.mark(part);
        }
        let mut found = false;
        while let Some(part) = self.changed.pop() {
            let Part { evader, checker, is_changed } =
                std::mem::take(&mut self.parts[part as usize]);
            debug_assert!(is_changed, "only changed parts are listed");
            self.find_held(solver, size, (&evader, &checker));
            let held = |nodes: &[u32], is_held: &[bool]| -> Vec<u32> {
                nodes.iter().copied().filter(|&node| is_held[node as usize]).collect()
            };
            let by_evader = held(&evader, &self.held_by_evader);
            let by_checker = held(&checker, &self.held_by_checker);
            self.parts[part as usize] = Part { evader, checker, is_changed: false };
            found |= !by_evader.is_empty();
            for (nodes, score) in [(by_evader, size), (by_checker, -size)] {
                for node in nodes {
                    if solver.score(node).is_none() {
                        solver.settle_held(node, score, self);
                    }
                }
            }
        }
        found
    }

    /// Marks the positions of one part that are held.
    fn find_held(
        &mut self,
        solver: &Solver<'_, impl Game>,
        size: i16,
        (evader, checker): (&[u32], &[u32]),
    ) {
        for &node in evader {
            self.held_by_evader[node as usize] = solver.score(node).is_none();
        }
        for &node in checker {
            self.held_by_checker[node as usize] = solver.score(node).is_none();
        }
        loop {
            self.remove_escapes(solver, size, (evader, checker));
            if !self.remove_mutual_checks(solver.game, (evader, checker)) {
                return;
            }
        }
    }

    /// Removes positions from which the checker gets out, until there are none.
    fn remove_escapes(
        &mut self,
        solver: &Solver<'_, impl Game>,
        size: i16,
        (evader, checker): (&[u32], &[u32]),
    ) {
        let graph = solver.game;
        let mut pending: Vec<(u32, Turn)> = Vec::new();
        pending.extend(checker.iter().map(|&node| (node, Turn::Checker)));
        pending.extend(evader.iter().map(|&node| (node, Turn::Evader)));
        while let Some((node, turn)) = pending.pop() {
            let (held, next) = match turn {
                Turn::Checker => {
                    let is_bad = |next: u32| {
                        self.held_by_evader[next as usize]
                            || solver.score(next).is_some_and(|score| score >= size)
                    };
                    let stays = graph.best_leaf(node).is_none_or(|leaf| leaf.score <= -size)
                        && graph.successors(node).all(is_bad);
                    (&mut self.held_by_checker[node as usize], stays)
                }
                Turn::Evader => {
                    let mut successors = graph.successors(node);
                    let stays = successors.any(|next| self.held_by_checker[next as usize]);
                    (&mut self.held_by_evader[node as usize], stays)
                }
            };
            if *held && !next {
                *held = false;
                let before = match turn {
                    Turn::Checker => (Turn::Evader, &self.held_by_evader),
                    Turn::Evader => (Turn::Checker, &self.held_by_checker),
                };
                let affected = graph.predecessors(node).filter(|&n| before.1[n as usize]);
                pending.extend(affected.map(|previous| (previous, before.0)));
            }
        }
    }

    /// Removes positions from which the evader cannot force a move that is no check: if both sides
    /// check for ever, no one loses. Whether any were removed.
    fn remove_mutual_checks(
        &mut self,
        graph: &impl Game,
        (evader, checker): (&[u32], &[u32]),
    ) -> bool {
        let held = |nodes: &[u32], is_held: &[bool]| -> Vec<u32> {
            nodes.iter().copied().filter(|&node| is_held[node as usize]).collect()
        };
        let by_checker = held(checker, &self.held_by_checker);
        // After most evasions no one is in check, and there is nothing to do.
        if by_checker.iter().all(|&node| !graph.in_check(node)) {
            return false;
        }
        let by_evader = held(evader, &self.held_by_evader);
        let mut forced_checker: std::collections::BTreeSet<u32> = std::collections::BTreeSet::new();
        let mut forced_evader: std::collections::BTreeSet<u32> = std::collections::BTreeSet::new();
        let mut pending: Vec<(u32, Turn)> = Vec::new();
        for &node in &by_checker {
            let has_check = graph.successors(node).any(|next| self.held_by_evader[next as usize]);
            if !graph.in_check(node) || !has_check {
                forced_checker.insert(node);
                pending.push((node, Turn::Checker));
            }
        }
        while let Some((node, turn)) = pending.pop() {
            for previous in graph.predecessors(node) {
                let is_new = match turn {
                    Turn::Checker => {
                        self.held_by_evader[previous as usize] && forced_evader.insert(previous)
                    }
                    Turn::Evader => {
                        self.held_by_checker[previous as usize]
                            && !forced_checker.contains(&previous)
                            && graph
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

/// The nodes that may be part of endless checks, in parts that no evasion or check connects.
///
/// Within a part, values may hold each other up without end: if one of its nodes is looked at anew, all
/// must be.
#[derive(Debug, Clone, Default)]
pub(crate) struct CheckParts {
    part_of: HashMap<u32, u32>,
    parts: Vec<Vec<u32>>,
}

impl CheckParts {
    /// Finds the parts of a game.
    pub(crate) fn find(game: &impl Game) -> Self {
        let on_path = endlessly_checked(game);
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

    /// The nodes of the part that a node belongs to.
    pub(crate) fn part_of(&self, node: u32) -> Option<&[u32]> {
        let part = *self.part_of.get(&node)?;
        Some(&self.parts[part as usize])
    }

    /// Takes out a node that is no longer in the game. Its part may fall apart by that; what is one part is
    /// only looked at more often than need be.
    pub(crate) fn remove(&mut self, node: u32) {
        if let Some(part) = self.part_of.remove(&node) {
            self.parts[part as usize].retain(|&other| other != node);
        }
    }

    /// All nodes of all parts.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = u32> {
        self.part_of.keys().copied()
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.part_or_new(one), self.part_or_new(other));
        if one == other {
            return;
        }
        // The smaller part moves, so that a node moves at most as often as sizes can double.
        let is_smaller = self.parts[one as usize].len() < self.parts[other as usize].len();
        let (small, large) = if is_smaller { (one, other) } else { (other, one) };
        let moved = std::mem::take(&mut self.parts[small as usize]);
        for &node in &moved {
            self.part_of.insert(node, large);
        }
        self.parts[large as usize].extend(moved);
    }

    fn part_or_new(&mut self, node: u32) -> u32 {
        *self.part_of.entry(node).or_insert_with(|| {
            self.parts.push(vec![node]);
            self.parts.len() as u32 - 1
        })
    }
}

/// Who is to move.
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

/// Per node, whether it is a position in check from which one can go on for ever to another such
/// position with every second move.
fn endlessly_checked(graph: &impl Game) -> Vec<bool> {
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

/// Sets of positions with a turn, joined by moves (union-find).
#[derive(Debug)]
struct Groups {
    parent: Vec<u32>,
}

impl Groups {
    /// No position is joined with another.
    fn new(nodes: usize) -> Self {
        Self { parent: (0..2 * nodes as u32).collect() }
    }

    fn evader(node: u32) -> u32 {
        2 * node
    }

    fn checker(node: u32) -> u32 {
        2 * node + 1
    }

    /// The representative of the set.
    fn of(&mut self, mut member: u32) -> u32 {
        while self.parent[member as usize] != member {
            let grandparent = self.parent[self.parent[member as usize] as usize];
            self.parent[member as usize] = grandparent;
            member = grandparent;
        }
        member
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.of(one), self.of(other));
        self.parent[one.max(other) as usize] = one.min(other);
    }
}
