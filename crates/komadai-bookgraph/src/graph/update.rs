//! Changing a graph, and looking only at what can change.
//!
//! # Why it is enough
//!
//! Some nodes are solved anew, with the values of all others taken for granted. If a value changes, what
//! leads there joins, and all of them are solved again, until no value at the rim changes any more. Then
//! every node of the graph has the value and the rank (the number of plies to the leaf) that follow from
//! those of its successors. Such an assignment is the solution:
//!
//! - No side can get more than its value, as no move leads to a better one, and play that never ends is
//!   worth 0.
//! - The side that is better gets it, because its best moves lead to ever smaller ranks, and so to a leaf.
//!   Without ranks, nodes of a cycle could grant each other a value that has long lost its ground.
//! - Draws are reached by falling ranks as well, or are endless.
//!
//! Perpetual checks are held by sets of nodes that support each other without any rank; so whoever touches
//! one of them looks at all of its [part](CheckParts), and a new edge that may close a loop of checks has
//! all parts found anew.
//!
//! Nodes join at least by half at a time from the fourth round on, so that the time is proportional to
//! that of one solution of what is looked at last. If that is a large part of the graph, all of it is
//! solved.

use std::collections::{BTreeSet, HashMap};

use komadai_core::Color;

use super::book_graph::BookGraph;
use super::builder::{Prepared, find_or_add_empty, take};
use super::changes::GraphChange;
use super::graphical_game::{Game, PartOfGame, WholeBook};
use super::links::{Edge, Valued, check_listed};
use super::listed_move::ListedMove;
use super::perpetual_check::CheckParts;
use super::positions::Presence;
use super::solve::solve;
use super::values::{MAX_RANK, NodeValue};
use komadai_bookfile::EntryError;
use komadai_bookfile::position_key::turn;

/// What a change has led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Updated {
    /// The number of nodes whose value, depth or basis is another one.
    pub changed: usize,
    /// The number of nodes that were looked at.
    pub visited: usize,
}

impl BookGraph {
    /// Changes the book and updates the values: they are the same as if the graph was built anew.
    ///
    /// Takes time proportional to what has to be looked at: mostly a few nodes.
    ///
    /// # Errors
    ///
    /// If a move to be added is illegal, or a position does not fit; nothing has been changed then. If
    /// the graph is full: changes before have been made.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_bookfile::{BookRecord, RecordMove};
    /// use komadai_bookgraph::{GraphBuilder, GraphChange};
    /// use komadai_core::{Position, Score};
    ///
    /// let record = |moves: &str, m: &str, cp| -> Result<BookRecord, Box<dyn std::error::Error>> {
    ///     let mut position = Position::hirate();
    ///     moves.split_whitespace().try_for_each(|m| m.parse().map(|m| position.do_move(m)))?;
    ///     let listed = RecordMove { score: Some(Score::cp(cp)), ..RecordMove::new(m.parse()?) };
    ///     Ok(BookRecord { moves: vec![listed], ..BookRecord::new(position) })
    /// };
    /// let mut builder = GraphBuilder::new();
    /// builder.add(&record("", "7g7f", 40)?)?;
    /// let mut graph = builder.finish()?;
    /// // The answer is better than was thought.
    /// graph.apply(&[GraphChange::Add(record("7g7f", "3c3d", 5)?)])?;
    /// assert_eq!(graph.value(&Position::hirate()).map(|value| value.score), Some(Score::cp(-5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply(&mut self, changes: &[GraphChange]) -> Result<Updated, EntryError> {
        let prepared = changes.iter().map(prepare).collect::<Result<Vec<_>, _>>()?;
        let (mut touched, mut barred) = (BTreeSet::new(), BTreeSet::new());
        let mut end = Ok(());
        for (change, prepared) in changes.iter().zip(prepared) {
            match self.change(change, prepared) {
                Ok(number) => {
                    touched.extend(number);
                    let bars = matches!(change, GraphChange::Bar { .. });
                    barred.extend(number.filter(|_| bars));
                }
                Err(error) => {
                    end = Err(error);
                    break;
                }
            }
        }
        let nodes = self.relink(&touched, &barred);
        let updated = self.update_values(nodes);
        end.map(|()| updated)
    }

    /// Changes what is listed, and returns where.
    fn change(
        &mut self,
        change: &GraphChange,
        prepared: Option<Prepared>,
    ) -> Result<Option<u32>, EntryError> {
        match change {
            GraphChange::Add(_) | GraphChange::Set(_) => {
                let Some(prepared) = prepared else { return Ok(None) };
                if matches!(change, GraphChange::Set(_))
                    && let Some(number) = self.positions.find_lookup_key(&prepared.lookup)
                {
                    self.moves.retain(number, |_| false);
                    if prepared.moves.is_empty() {
                        return Ok(Some(number));
                    }
                }
                let taken = take(&mut self.positions, &mut self.moves, prepared)?;
                Ok(taken.map(|taken| self.make_room(taken)))
            }
            GraphChange::Bar { position, moves } => {
                let found = find_or_add_empty(&mut self.positions, &mut self.moves, position)?;
                let number = self.make_room(found);
                let black_moves = moves.iter().map(|&m| turn(m, position.side()));
                Ok(Some(number).filter(|_| self.links.barred.set(number, black_moves)))
            }
            GraphChange::RemoveMove { position, m } => {
                let Some(number) = self.positions.find(position) else { return Ok(None) };
                let black_move = turn(*m, position.side());
                let removed = self.moves.retain(number, |listed| listed.m != black_move);
                Ok(Some(number).filter(|_| removed))
            }
            GraphChange::RemovePosition(position) => {
                let Some(number) = self.positions.find(position) else { return Ok(None) };
                Ok(Some(number).filter(|_| self.moves.retain(number, |_| false)))
            }
        }
    }

    /// Makes room for what follows from a position that may be new.
    fn make_room(&mut self, (number, presence): (u32, Presence)) -> u32 {
        if presence == Presence::New {
            self.links.add_position();
            self.draw.nodes_of(number).for_each(|_| self.values.push(NodeValue::NONE));
        }
        number
    }

    /// Brings edges and leaves up to date after lists have changed, or the moves that are `barred`, and
    /// returns the nodes that have others now.
    fn relink(&mut self, touched: &BTreeSet<u32>, barred: &BTreeSet<u32>) -> BTreeSet<u32> {
        let mut dirty = touched.clone();
        for &number in touched {
            let not_made = self.links.barred.of(number);
            self.moves.retain(number, |listed| !not_made.contains(&listed.m));
        }
        let (mut new, mut gone) = (BTreeSet::new(), Vec::new());
        for &number in touched {
            let is_valued = self.moves.get(number).iter().any(ListedMove::is_valued);
            match (self.links.is_valued(number), is_valued) {
                (false, true) => drop(new.insert(number)),
                (true, false) => gone.push(number),
                _ => {}
            }
        }
        for number in gone {
            self.links.mark_valued(number, Valued::No);
            dirty.extend(self.links.disconnect(number));
            for node in self.draw.nodes_of(number) {
                self.values.set(node, NodeValue::NONE);
                self.parts.remove(node);
            }
        }
        new.iter().for_each(|&number| self.links.mark_valued(number, Valued::Yes));
        let mut edges = Vec::new();
        for &number in &new {
            let ends = self.links.connect_forwards(&self.positions, number);
            edges.extend(ends.into_iter().map(|to| (number, to)));
            for before in self.positions.before(number) {
                let is_other = self.links.is_valued(before.from) && !new.contains(&before.from);
                if is_other && !self.links.barred.holds(before.from, before.m) {
                    self.links.add_edge(before.from, Edge { to: number, m: before.m });
                    edges.push((before.from, number));
                    dirty.insert(before.from);
                }
            }
        }
        for &number in barred.difference(&new) {
            if !self.links.is_valued(number) {
                continue;
            }
            let ends = self.links.reconnect_forwards(&self.positions, number);
            edges.extend(ends.into_iter().map(|to| (number, to)));
        }
        dirty.iter().for_each(|&number| self.links.update_best_leaf(&self.moves, number));
        dirty.retain(|&number| self.links.is_valued(number));
        let mut nodes: BTreeSet<u32> =
            dirty.iter().flat_map(|&number| self.draw.nodes_of(number)).collect();
        nodes.extend(self.new_check_parts(&edges));
        nodes
    }

    /// Finds the parts of endless checks anew if one of these new edges may be in one, and returns the
    /// nodes of parts that have others now.
    fn new_check_parts(&mut self, edges: &[(u32, u32)]) -> Vec<u32> {
        let game = WholeBook { links: &self.links, draw: self.draw };
        let mut evaders = BTreeSet::new();
        for &(from, to) in edges {
            for node in self.draw.nodes_of(from) {
                if game.in_check(node) {
                    evaders.insert(node);
                }
                if self.links.in_check(to) {
                    evaders.extend(game.predecessors(node).filter(|&before| game.in_check(before)));
                }
            }
        }
        if !may_check_endlessly(&game, &self.parts, &evaders) {
            return Vec::new();
        }
        let old = std::mem::replace(&mut self.parts, CheckParts::find(&game));
        let is_new = |node: &u32| {
            let size = |parts: &CheckParts| parts.part_of(*node).map(<[u32]>::len);
            size(&old) != size(&self.parts)
        };
        self.parts.nodes().filter(is_new).collect()
    }

    /// Solves anew what can have changed if these nodes have other moves.
    fn update_values(&mut self, nodes: BTreeSet<u32>) -> Updated {
        let game = WholeBook { links: &self.links, draw: self.draw };
        let mut region = Region::default();
        nodes.into_iter().for_each(|node| region.join(node, &self.parts));
        let mut round = 0;
        loop {
            if region.nodes.len() * 3 > self.values.len() + 100 {
                return self.update_everything();
            }
            let part = PartOfGame::new(
                &game,
                &region.nodes,
                |node| region.numbers.get(&node).copied(),
                |node| self.values.get(node).worth,
            );
            let solved = solve(&part);
            if solved.ranks.contains(&MAX_RANK) {
                return self.update_everything();
            }
            let is_changed =
                |number: usize| solved.get(number as u32) != self.values.get(region.nodes[number]);
            let changed: Vec<u32> = (0..region.nodes.len())
                .filter(|&number| is_changed(number))
                .map(|number| region.nodes[number])
                .collect();
            let before = region.nodes.len();
            region.join_predecessors(&game, &changed, &self.parts);
            if region.nodes.len() == before {
                for (number, &node) in region.nodes.iter().enumerate() {
                    self.values.set(node, solved.get(number as u32));
                }
                return Updated { changed: changed.len(), visited: before };
            }
            let mut rim = before;
            while round >= 3 && region.nodes.len() * 2 < before * 3 {
                let layer = region.nodes[rim..].to_vec();
                rim = region.nodes.len();
                region.join_predecessors(&game, &layer, &self.parts);
                if rim == region.nodes.len() {
                    break;
                }
            }
            round += 1;
        }
    }

    fn update_everything(&mut self) -> Updated {
        let old = std::mem::take(&mut self.values);
        self.propagate_all();
        let differs = |node: &u32| old.get(*node) != self.values.get(*node);
        let changed = (0..self.values.len() as u32).filter(differs).count();
        Updated { changed, visited: self.values.len() }
    }
}

/// The nodes that are looked at, numbered.
#[derive(Debug, Default)]
struct Region {
    nodes: Vec<u32>,
    numbers: HashMap<u32, u32>,
}

impl Region {
    fn add(&mut self, node: u32) {
        let number = self.nodes.len() as u32;
        if let std::collections::hash_map::Entry::Vacant(place) = self.numbers.entry(node) {
            place.insert(number);
            self.nodes.push(node);
        }
    }

    /// Adds a node, with the whole part of endless checks that it may belong to.
    fn join(&mut self, node: u32, parts: &CheckParts) {
        match parts.part_of(node) {
            Some(part) if !self.numbers.contains_key(&node) => {
                part.iter().for_each(|&node| self.add(node));
            }
            _ => self.add(node),
        }
    }

    fn join_predecessors(&mut self, game: &impl Game, nodes: &[u32], parts: &CheckParts) {
        for &node in nodes {
            game.predecessors(node).for_each(|before| self.join(before, parts));
        }
    }
}

/// Checks a change, and prepares what it adds.
fn prepare(change: &GraphChange) -> Result<Option<Prepared>, EntryError> {
    let (GraphChange::Add(record) | GraphChange::Set(record)) = change else { return Ok(None) };
    let prepared = Prepared::new(record)?;
    let key = prepared.lookup.key;
    let black_to_move = key.position(Color::Black, 1).expect("the key is that of a position");
    check_listed(&black_to_move, &prepared.moves)?;
    Ok(Some(prepared))
}

/// Whether checks may go on for ever after one of these positions in check, in a way that `parts` does
/// not know.
fn may_check_endlessly(game: &impl Game, parts: &CheckParts, evaders: &BTreeSet<u32>) -> bool {
    /// More evaders than that are not looked at one by one.
    const MANY: usize = 10_000;
    let mut found = Region::default();
    evaders.iter().for_each(|&evader| found.add(evader));
    let mut next_evaders: Vec<Vec<u32>> = Vec::new();
    while let Some(&evader) = found.nodes.get(next_evaders.len()) {
        if parts.part_of(evader).is_some() || found.nodes.len() > MANY {
            return true;
        }
        let next: Vec<u32> = game
            .successors(evader)
            .flat_map(|checker| game.successors(checker))
            .filter(|&next| game.in_check(next))
            .collect();
        next.iter().for_each(|&next| found.add(next));
        next_evaders.push(next);
    }
    // Whoever cannot go on is taken away, until all that are left can.
    let mut goes_on = vec![true; found.nodes.len()];
    loop {
        let can = |next: &u32| goes_on[found.numbers[next] as usize];
        let stuck: Vec<usize> = (0..goes_on.len())
            .filter(|&at| goes_on[at] && !next_evaders[at].iter().any(can))
            .collect();
        if stuck.is_empty() {
            return goes_on.contains(&true);
        }
        stuck.into_iter().for_each(|at| goes_on[at] = false);
    }
}

#[cfg(test)]
mod tests;
