//! Changes of a graph, after which only affected values are computed.
//!
//! # Algorithm
//!
//! A *region* of nodes is solved again, with the values of all other nodes taken as known. If a
//! value in the region changes, the predecessors of its node join the region, and the region is
//! solved once more. This ends when no value changes that a node outside the region depends on.
//!
//! # Why it is enough
//!
//! At the end every node of the graph has the value and the rank (the number of plies to the leaf)
//! that follow from those of its successors. Such an assignment is the solution:
//!
//! - No side can get more than its value: no move leads to a better one, and endless play has the
//!   value 0.
//! - The side that is better gets its value, because its best moves lead to ever smaller ranks, and
//!   so to a leaf. Without ranks, the nodes of a cycle could support a value in a circle after its
//!   leaf is gone.
//! - Draws are reached by falling ranks as well, or are endless.
//!
//! Perpetual checks are held by sets of nodes that support each other without ranks. So a node
//! joins the region together with its whole [component](CheckComponents), and a new edge that may
//! close a check loop makes all components be computed again.
//!
//! From the fourth round on, the region grows by at least half each round. So the total time is
//! proportional to that of the last solution. A region that becomes a large part of the graph is
//! replaced by a solution of the whole graph.

use std::collections::{BTreeSet, HashMap};

use komadai_bookfile::position_key::turn;
use komadai_bookfile::{BookRecord, EntryError};
use komadai_core::{Color, Move, Position};

use super::book_graph::BookGraph;
use super::builder::{PreparedRecord, find_or_add_empty, insert};
use super::check_components::CheckComponents;
use super::graphical_game::{Game, Subgame, WholeBook};
use super::links::{Edge, Valued, check_listed};
use super::listed_move::ListedMove;
use super::positions::Presence;
use super::solve::solve;
use super::unmoves::Predecessor;
use super::values::{MAX_RANK, NodeValue};

/// A change of a [`BookGraph`](crate::graph::BookGraph).
///
/// # Examples
///
/// ```
/// use komadai_bookfile::{BookRecord, RecordMove};
/// use komadai_bookgraph::{BookGraph, GraphChange};
/// use komadai_core::{Position, Score};
///
/// let start = Position::hirate();
/// let mut listed = RecordMove::new("7g7f".parse()?);
/// listed.score = Some(Score::cp(35));
/// let mut record = BookRecord::new(start.clone());
/// record.moves.push(listed);
///
/// let mut book = BookGraph::from_records([])?;
/// book.apply(&[GraphChange::Add(record.clone())])?;
/// assert_eq!(book.value(&start).map(|value| value.score), Some(Score::cp(35)));
/// record.moves.clear();
/// book.apply(&[GraphChange::Set(record)])?; // a record without moves removes the position
/// assert!(!book.contains(&start));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphChange {
    /// Adds a position, or updates a present one: values replace older ones, and numbers of games
    /// are added. A record without moves changes nothing.
    Add(BookRecord),
    /// Replaces the list of a position. A record without moves removes the position.
    Set(BookRecord),
    /// Removes a move from the list of a position.
    RemoveMove {
        /// The position before the move.
        position: Position,
        /// The move.
        m: Move,
    },
    /// Bars exactly these moves of a position. The graph ignores them: neither their listed values,
    /// present or later, nor the positions that they lead to count. The list entry of a barred move
    /// is lost, and does not return when the move is no longer barred.
    Bar {
        /// The position, in the book or not.
        position: Position,
        /// The moves.
        moves: Vec<Move>,
    },
    /// Removes a position with all of its moves. Its barred moves stay barred.
    RemovePosition(Position),
}

/// The extent of an update.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::{BookRecord, RecordMove};
/// use komadai_bookgraph::{BookGraph, GraphChange};
/// use komadai_core::{Position, Score};
///
/// let mut listed = RecordMove::new("7g7f".parse()?);
/// listed.score = Some(Score::cp(35));
/// let mut record = BookRecord::new(Position::hirate());
/// record.moves.push(listed);
///
/// let mut book = BookGraph::from_records([])?;
/// let change = [GraphChange::Add(record)];
/// assert_eq!(book.apply(&change)?.changed, 1); // the start position has a value now
/// assert_eq!(book.apply(&change)?.changed, 0); // the same again changes nothing
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Updated {
    /// The number of nodes whose value, depth or basis has changed.
    pub changed: usize,
    /// The number of nodes that were solved again.
    pub visited: usize,
}

impl BookGraph {
    /// Changes the book and updates the values. They are the same as those of a graph built from
    /// the changed book.
    ///
    /// Takes time proportional to the nodes that have to be visited, mostly a few.
    ///
    /// # Errors
    ///
    /// Returns an error if a move to be added is illegal or a position does not fit into a book;
    /// then nothing has been changed. Also returns an error if the graph is full; then the changes
    /// before that one have been made.
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
    /// // The reply is better than the listed value of the first move suggested.
    /// graph.apply(&[GraphChange::Add(record("7g7f", "3c3d", 5)?)])?;
    /// assert_eq!(graph.value(&Position::hirate()).map(|value| value.score), Some(Score::cp(-5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply(&mut self, changes: &[GraphChange]) -> Result<Updated, EntryError> {
        let prepared = changes.iter().map(prepare).collect::<Result<Vec<_>, _>>()?;
        let mut touched = BTreeSet::new();
        let mut barred = BTreeSet::new();
        let mut end = Ok(());
        // All changes are made before the values are updated, so a batch costs one update.
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

    /// Changes the list of a position, and returns the number of the position if its edges or
    /// leaves may have changed.
    fn change(
        &mut self,
        change: &GraphChange,
        prepared: Option<PreparedRecord>,
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
                let inserted = insert(&mut self.positions, &mut self.moves, prepared)?;
                Ok(inserted.map(|inserted| self.make_room(inserted)))
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

    /// Makes room for the edges and values of a position that may be new.
    fn make_room(&mut self, (number, presence): (u32, Presence)) -> u32 {
        if presence == Presence::New {
            self.links.add_position();
            self.draw.nodes_of(number).for_each(|_| self.values.push(NodeValue::NONE));
        }
        number
    }

    /// Updates edges and leaves after the lists of `touched` positions, or the barred moves of
    /// `barred` positions, have changed. Returns the nodes whose edges or leaves are different now.
    fn relink(&mut self, touched: &BTreeSet<u32>, barred: &BTreeSet<u32>) -> BTreeSet<u32> {
        let mut dirty = touched.clone();
        for &number in touched {
            let not_made = self.links.barred.of(number);
            self.moves.retain(number, |listed| !not_made.contains(&listed.m));
        }
        // Only valued positions have edges: those that became valued get them, the others lose
        // them.
        let (mut new, mut gone) = (BTreeSet::new(), Vec::new());
        for &number in touched {
            let is_valued = self.moves.get(number).iter().any(ListedMove::is_valued);
            match (self.links.is_valued(number), is_valued) {
                (false, true) => drop(new.insert(number)),
                (true, false) => gone.push(number),
                _ => {}
            }
        }
        // First the removals: later steps must not find edges to positions without a value.
        for number in gone {
            self.links.mark_valued(number, Valued::No);
            dirty.extend(self.links.disconnect(number));
            for node in self.draw.nodes_of(number) {
                self.values.set(node, NodeValue::NONE);
                self.check_components.remove(node);
            }
        }
        new.iter().for_each(|&number| self.links.mark_valued(number, Valued::Yes));
        let mut edges = Vec::new();
        for &number in &new {
            let ends = self.links.connect_forwards(&self.positions, number);
            edges.extend(ends.into_iter().map(|to| (number, to)));
            // Edges into a new position exist although no list has changed there. Edges from other
            // new positions are found by `connect_forwards` of those.
            for Predecessor { from, m } in self.positions.predecessors(number) {
                let is_other = self.links.is_valued(from) && !new.contains(&from);
                if is_other && !self.links.barred.contains(from, m) {
                    self.links.add_edge(from, Edge { to: number, m });
                    edges.push((from, number));
                    dirty.insert(from);
                }
            }
        }
        // New positions have their edges already, without barred moves.
        for &number in barred.difference(&new) {
            if !self.links.is_valued(number) {
                continue;
            }
            let ends = self.links.connect_forwards(&self.positions, number);
            edges.extend(ends.into_iter().map(|to| (number, to)));
        }
        dirty.iter().for_each(|&number| self.links.update_best_leaf(&self.moves, number));
        dirty.retain(|&number| self.links.is_valued(number));
        let mut nodes: BTreeSet<u32> =
            dirty.iter().flat_map(|&number| self.draw.nodes_of(number)).collect();
        nodes.extend(self.update_check_components(&edges));
        nodes
    }

    /// Computes the components of perpetual checks again if one of these new edges may belong to
    /// one. Returns the nodes whose component has changed.
    fn update_check_components(&mut self, edges: &[(u32, u32)]) -> Vec<u32> {
        let game = WholeBook { links: &self.links, draw: self.draw };
        let mut evaders = BTreeSet::new();
        for &(from, to) in edges {
            for node in self.draw.nodes_of(from) {
                // The new edge is an evasion,
                if game.in_check(node) {
                    evaders.insert(node);
                }
                // or a check that may follow the evasions before it.
                if self.links.in_check(to) {
                    evaders.extend(game.predecessors(node).filter(|&before| game.in_check(before)));
                }
            }
        }
        if !may_close_check_loop(&game, &self.check_components, &evaders) {
            return Vec::new();
        }
        let old = std::mem::replace(&mut self.check_components, CheckComponents::find(&game));
        // New edges add nodes to components and merge them, which changes their sizes.
        let is_new = |node: &u32| {
            let size = |of: &CheckComponents| of.component_of(*node).map(<[u32]>::len);
            size(&old) != size(&self.check_components)
        };
        self.check_components.nodes().filter(is_new).collect()
    }

    /// Solves again all nodes that may have changed after a change of the moves of these nodes.
    fn update_values(&mut self, nodes: BTreeSet<u32>) -> Updated {
        let game = WholeBook { links: &self.links, draw: self.draw };
        let mut region = Region::default();
        nodes.into_iter().for_each(|node| region.join(node, &self.check_components));
        let mut round = 0;
        loop {
            // A region costs more per node than the whole graph, because of its hash map, and it is
            // likely to grow further. So from a third of the graph on, the whole graph is solved.
            // The constant makes small graphs, such as those of tests, use regions too.
            if region.nodes.len() * 3 > self.values.len() + 100 {
                return self.update_everything();
            }
            let subgame = Subgame::new(
                &game,
                &region.nodes,
                |node| region.numbers.get(&node).copied(),
                |node| self.values.get(node).ranked_score,
            );
            let solved = solve(&subgame);
            // Ranks are cut at MAX_RANK. Beyond it they no longer fall along the best play, and the
            // proof above does not hold.
            if solved.ranks.contains(&MAX_RANK) {
                return self.update_everything();
            }
            let is_changed =
                |number: usize| solved.get(number as u32) != self.values.get(region.nodes[number]);
            let changed: Vec<u32> = (0..region.nodes.len())
                .filter(|&number| is_changed(number))
                .map(|number| region.nodes[number])
                .collect();
            // Every value that depends on a changed one must be solved together with it.
            let before = region.nodes.len();
            region.join_predecessors(&game, &changed, &self.check_components);
            if region.nodes.len() == before {
                for (number, &node) in region.nodes.iter().enumerate() {
                    self.values.set(node, solved.get(number as u32));
                }
                return Updated { changed: changed.len(), visited: before };
            }
            // A change that climbs a long line would need one solution a ply, quadratic time in
            // all. So from the fourth round on, further predecessors join until the region is half
            // as large again: sizes form a geometric series, and their sum is proportional to the
            // last one. The first three rounds stay minimal, because most changes end there.
            let mut rim = before;
            while round >= 3 && region.nodes.len() * 2 < before * 3 {
                let layer = region.nodes[rim..].to_vec();
                rim = region.nodes.len();
                region.join_predecessors(&game, &layer, &self.check_components);
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

/// The nodes that are solved again, numbered in the order in which they joined.
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

    /// Adds a node, with the whole component of perpetual checks that it may belong to.
    fn join(&mut self, node: u32, components: &CheckComponents) {
        match components.component_of(node) {
            Some(component) if !self.numbers.contains_key(&node) => {
                component.iter().for_each(|&node| self.add(node));
            }
            _ => self.add(node),
        }
    }

    fn join_predecessors(&mut self, game: &impl Game, nodes: &[u32], components: &CheckComponents) {
        for &node in nodes {
            game.predecessors(node).for_each(|before| self.join(before, components));
        }
    }
}

/// Checks a change, and prepares the record that it adds.
fn prepare(change: &GraphChange) -> Result<Option<PreparedRecord>, EntryError> {
    let (GraphChange::Add(record) | GraphChange::Set(record)) = change else { return Ok(None) };
    let prepared = PreparedRecord::new(record)?;
    let key = prepared.lookup.key;
    let black_to_move = key.position(Color::Black, 1).expect("the key is that of a position");
    check_listed(&black_to_move, &prepared.moves)?;
    Ok(Some(prepared))
}

/// Returns whether an endless path of checks may start at one of these positions in check that
/// `components` does not contain. It may be true although there is none, which costs time but
/// changes no value.
fn may_close_check_loop(
    game: &impl Game,
    components: &CheckComponents,
    evaders: &BTreeSet<u32>,
) -> bool {
    /// The most positions that are searched. Beyond it all components are computed.
    const MANY: usize = 10_000;
    let mut found = Region::default();
    evaders.iter().for_each(|&evader| found.add(evader));
    let mut next_evaders: Vec<Vec<u32>> = Vec::new();
    while let Some(&evader) = found.nodes.get(next_evaders.len()) {
        if components.component_of(evader).is_some() || found.nodes.len() > MANY {
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
    // Positions without a next check are removed until all remaining ones have one, or none
    // remains.
    let mut continues = vec![true; found.nodes.len()];
    loop {
        let can = |next: &u32| continues[found.numbers[next] as usize];
        let stuck: Vec<usize> = (0..continues.len())
            .filter(|&at| continues[at] && !next_evaders[at].iter().any(can))
            .collect();
        if stuck.is_empty() {
            return continues.contains(&true);
        }
        stuck.into_iter().for_each(|at| continues[at] = false);
    }
}

#[cfg(test)]
mod tests;
