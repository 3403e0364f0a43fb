//! The edges between the positions of a book.

use std::collections::HashMap;

use komadai_bookfile::position_key::PositionKey;
use komadai_bookfile::{EntryError, check_move};
use komadai_core::{Move, Position};
use komadai_movegen::{MoveList, generate_legal};
use rayon::prelude::*;
use smallvec::SmallVec;

use super::bloom_filter::BloomFilter;
use super::listed_move::{ListedMove, UNKNOWN};
use super::positions::Positions;
use super::short_lists::ShortLists;

/// The edges between valued positions, and the best move out of the book from each of them.
///
/// A position is *valued* if a listed move of it has a value: then an engine has searched it, which
/// covers all of its moves. Other positions are in the book, but no value follows from them.
///
/// A legal move from a valued position to a valued position is an edge, whether or not the book
/// lists it, unless it is barred. The listed value of an edge does not count. A listed move that
/// has a value and is not an edge is a leaf.
#[derive(Debug, Clone, Default)]
pub(crate) struct Links {
    pub(crate) edges: ShortLists<Edge>,
    /// Per position, the positions with an edge to it. A position with two such edges appears
    /// twice.
    pub(crate) predecessors: ShortLists<u32>,
    /// Per position, the value of the best leaf, or [`UNKNOWN`].
    pub(crate) best_leaf: Vec<i16>,
    pub(crate) barred: BarredMoves,
    /// Per position, the flags [`VALUED`] and [`IN_CHECK`].
    marks: Vec<u8>,
}

/// A move from one position to another, in the orientation with Black to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) to: u32,
    pub(crate) m: Move,
}

const VALUED: u8 = 1;
const IN_CHECK: u8 = 2;

impl Links {
    /// Finds the edges of all positions, on all cores. The result does not depend on the number of
    /// cores.
    ///
    /// # Errors
    ///
    /// Returns the first illegal listed move of the first position that has one.
    pub(crate) fn of(
        positions: &Positions,
        moves: &ShortLists<ListedMove>,
        barred: BarredMoves,
    ) -> Result<Self, EntryError> {
        /// Positions per task: enough to make the cost of a task negligible.
        const BLOCK: usize = 1_024;
        let numbers: Vec<u32> = (0..positions.len() as u32).collect();
        let is_valued = |number: u32| moves.get(number).iter().any(ListedMove::is_valued);
        let mut links = Self { marks: vec![0; positions.len()], barred, ..Self::default() };
        links.marks.par_iter_mut().zip(&numbers).for_each(|(mark, &number)| {
            *mark = u8::from(is_valued(number)) * VALUED;
        });
        let mut filter = BloomFilter::with_room(positions.len());
        positions.for_each_zobrist_key(|key| filter.insert(key));
        let blocks: Vec<Block> = numbers
            .par_chunks(BLOCK)
            .map(|numbers| links.block(positions, moves, &filter, numbers))
            .collect::<Result<_, _>>()?;
        // Blocks are joined in the order of positions, so edges do not depend on the threads.
        for block in blocks {
            let mut edges = &block.edges[..];
            for (&count, &in_check) in block.counts.iter().zip(&block.in_check) {
                let (own, others) = edges.split_at(count.into());
                links.marks[links.edges.len()] |= u8::from(in_check) * IN_CHECK;
                links.edges.push_list(own.iter().copied());
                edges = others;
            }
        }
        let best_leaf = |&number: &u32| links.best_leaf_of(moves, number);
        (links.predecessors, links.best_leaf) =
            rayon::join(|| links.reversed_edges(), || numbers.par_iter().map(best_leaf).collect());
        Ok(links)
    }

    fn block(
        &self,
        positions: &Positions,
        moves: &ShortLists<ListedMove>,
        filter: &BloomFilter,
        numbers: &[u32],
    ) -> Result<Block, EntryError> {
        let mut block = Block::default();
        let mut legal = MoveList::new();
        for &number in numbers {
            let mut position = positions.black_to_move(number);
            // An illegal listed move would become a leaf with a value.
            check_listed(&position, moves.get(number))?;
            let before = block.edges.len();
            if self.is_valued(number) {
                legal.clear();
                generate_legal(&position, &mut legal);
                for m in &legal {
                    let key = position.key_after(m);
                    // The filter fits into the cache and answers for nine in ten moves.
                    if filter.may_contain(key)
                        && !self.barred.contains(number, m)
                        && let Some(to) = self.successor(positions, &mut position, m, key)
                    {
                        block.edges.push(Edge { to, m });
                    }
                }
            }
            block.counts.push((block.edges.len() - before) as u16);
            block.in_check.push(position.in_check());
        }
        Ok(block)
    }

    /// The valued position to which a legal move leads.
    ///
    /// `position` has Black to move; `zobrist_key` is the key of the position after the move, which
    /// has White to move.
    pub(crate) fn successor(
        &self,
        positions: &Positions,
        position: &mut Position,
        m: Move,
        zobrist_key: u64,
    ) -> Option<u32> {
        let found = positions.find_by_zobrist_key(zobrist_key, |key| {
            position.do_move(m);
            let is_it = PositionKey::try_of(position).is_ok_and(|own| own == *key);
            position.undo_move();
            is_it
        });
        found.filter(|&to| self.is_valued(to))
    }

    /// Per position, the positions that its incoming edges start from.
    fn reversed_edges(&self) -> ShortLists<u32> {
        let len = self.edges.len();
        // Counting first gives each list exactly its room, so no list has to move.
        let mut counts = vec![0_u16; len];
        for number in 0..len as u32 {
            self.edges.get(number).iter().for_each(|edge| counts[edge.to as usize] += 1);
        }
        let mut predecessors = ShortLists::with_room(counts.into_iter().map(usize::from), 0);
        for number in 0..len as u32 {
            for edge in self.edges.get(number) {
                predecessors.push(edge.to, number);
            }
        }
        predecessors
    }

    /// Returns whether a listed move of the position has a value.
    #[inline]
    pub(crate) fn is_valued(&self, number: u32) -> bool {
        self.marks[number as usize] & VALUED != 0
    }

    /// Returns whether the side to move is in check.
    #[inline]
    pub(crate) fn in_check(&self, number: u32) -> bool {
        self.marks[number as usize] & IN_CHECK != 0
    }

    /// The number of valued positions.
    pub(crate) fn valued_positions(&self) -> usize {
        self.marks.iter().filter(|&&mark| mark & VALUED != 0).count()
    }

    /// Makes room for a position that was added. It is not valued yet.
    pub(crate) fn add_position(&mut self) {
        self.edges.push_list(std::iter::empty());
        self.predecessors.push_list(std::iter::empty());
        self.best_leaf.push(UNKNOWN);
        self.marks.push(0);
    }

    /// Marks a position as valued or not. The edges do not change yet.
    pub(crate) fn mark_valued(&mut self, number: u32, valued: Valued) {
        match valued {
            Valued::Yes => self.marks[number as usize] |= VALUED,
            Valued::No => self.marks[number as usize] &= !VALUED,
        }
    }

    pub(crate) fn add_edge(&mut self, from: u32, edge: Edge) {
        self.edges.push(from, edge);
        self.predecessors.push(edge.to, from);
    }

    /// Finds the edges from a position that has been marked as valued, or whose barred moves have
    /// changed. Returns the ends of the new edges.
    pub(crate) fn connect_forwards(&mut self, positions: &Positions, number: u32) -> Vec<u32> {
        let mut position = positions.black_to_move(number);
        let mut legal = MoveList::new();
        generate_legal(&position, &mut legal);
        let mut edges = Vec::new();
        for &m in legal.iter().filter(|&&m| !self.barred.contains(number, m)) {
            let key = position.key_after(m);
            let to = self.successor(positions, &mut position, m, key);
            edges.extend(to.map(|to| Edge { to, m }));
        }
        self.marks[number as usize] |= u8::from(position.in_check()) * IN_CHECK;
        let before = self.edges.get(number).to_vec();
        let new: Vec<Edge> = edges.iter().copied().filter(|edge| !before.contains(edge)).collect();
        for gone in before.iter().filter(|edge| !edges.contains(edge)) {
            self.edges.retain(number, |edge| edge != gone);
            // Another edge from here may lead to the same position: only one entry goes.
            let mut is_found = false;
            self.predecessors
                .retain(gone.to, |&from| from != number || std::mem::replace(&mut is_found, true));
        }
        new.iter().for_each(|&edge| self.add_edge(number, edge));
        new.into_iter().map(|edge| edge.to).collect()
    }

    /// Removes all edges from and to a position. Returns the positions that had an edge to it.
    pub(crate) fn disconnect(&mut self, number: u32) -> Vec<u32> {
        for edge in self.edges.get(number).to_vec() {
            self.predecessors.retain(edge.to, |&from| from != number);
        }
        self.edges.retain(number, |_| false);
        let mut before = self.predecessors.get(number).to_vec();
        before.sort_unstable();
        before.dedup();
        for &from in &before {
            self.edges.retain(from, |edge| edge.to != number);
        }
        self.predecessors.retain(number, |_| false);
        before
    }

    /// Updates the best leaf of a position.
    pub(crate) fn update_best_leaf(&mut self, moves: &ShortLists<ListedMove>, number: u32) {
        self.best_leaf[number as usize] = self.best_leaf_of(moves, number);
    }

    fn best_leaf_of(&self, moves: &ShortLists<ListedMove>, number: u32) -> i16 {
        let edges = self.edges.get(number);
        let leaves = moves
            .get(number)
            .iter()
            .filter(|listed| listed.is_valued() && edges.iter().all(|edge| edge.m != listed.m));
        let best = leaves.map(|leaf| leaf.score).max();
        best.filter(|_| self.is_valued(number)).unwrap_or(UNKNOWN)
    }
}

/// A mark of a position: a listed move of it has a value, or none has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Valued {
    Yes,
    No,
}

#[derive(Default)]
struct Block {
    edges: Vec<Edge>,
    /// Per position the number of edges.
    counts: Vec<u16>,
    in_check: Vec<bool>,
}

/// Checks that all listed moves are legal.
pub(crate) fn check_listed(position: &Position, moves: &[ListedMove]) -> Result<(), EntryError> {
    moves.iter().try_for_each(|listed| check_move(position, listed.m))
}

/// The barred moves of positions, in the orientation with Black to move. Few positions have any.
#[derive(Debug, Clone, Default)]
pub(crate) struct BarredMoves(HashMap<u32, SmallVec<[Move; 4]>>);

impl BarredMoves {
    /// Returns whether a move is barred.
    #[inline]
    pub(crate) fn contains(&self, number: u32, m: Move) -> bool {
        !self.0.is_empty() && self.of(number).contains(&m)
    }

    /// The barred moves of a position, sorted.
    pub(crate) fn of(&self, number: u32) -> &[Move] {
        self.0.get(&number).map_or(&[], SmallVec::as_slice)
    }

    /// Removes barred moves from lists.
    pub(crate) fn remove_from(&self, moves: &mut ShortLists<ListedMove>) {
        for (&number, barred) in &self.0 {
            moves.retain(number, |listed| !barred.contains(&listed.m));
        }
    }

    /// Bars exactly these moves of a position. Returns whether other moves were barred before.
    pub(crate) fn set(&mut self, number: u32, moves: impl IntoIterator<Item = Move>) -> bool {
        let mut moves: SmallVec<[Move; 4]> = moves.into_iter().collect();
        moves.sort_unstable_by_key(|m| m.to_bits());
        moves.dedup();
        let is_changed = self.of(number) != moves.as_slice();
        if moves.is_empty() {
            self.0.remove(&number);
        } else if is_changed {
            self.0.insert(number, moves);
        }
        is_changed
    }
}
