//! The compact graph of a book's positions, on which values are propagated.

use std::thread;

use komadai_core::{Color, Move, Score};
use komadai_movegen::{MoveList, generate_legal};

use crate::book::{Book, StoredPosition};
use crate::orientation::{pack, unpack};

/// No node.
const NONE: u32 = u32::MAX;

/// Which position each move of a book leads to.
///
/// A move whose successor is a position of the book is an edge, whether or not the book lists it:
/// transpositions are found by trying all legal moves. Its own evaluations do not matter then. A
/// listed move that leaves the book is a leaf, worth its current value. One without a value is
/// unknown and not in the graph; a position that is left without moves, or was [left
/// out](Found::leave_out), is not either, and moves leading there are leaves.
///
/// Everything is in the orientation with Black to move.
#[derive(Debug)]
pub(crate) struct Graph<'b> {
    pub(crate) book: &'b Book,
    /// Per node, where its position is kept in the book.
    places: Vec<u32>,
    /// Per position of the book, its node, or [`NONE`].
    nodes: Vec<u32>,
    /// Per node, where its moves begin; one more for the end.
    offsets: Vec<u32>,
    moves: Vec<GraphMove>,
    /// Per node, whether the side to move is in check.
    in_check: Vec<bool>,
    unlisted_edges: usize,
}

/// A move of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GraphMove {
    pub(crate) m: Move,
    pub(crate) target: Target,
}

/// Where a move leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    /// To this node.
    Node(u32),
    /// Out of the book, with this value for the side that makes the move.
    Leaf(i32),
}

const _: () = assert!(size_of::<GraphMove>() == 12);

/// A move as it is found, before it is known which positions are left without moves.
#[derive(Debug, Clone, Copy)]
struct FoundMove {
    m: Move,
    /// Where the successor is kept in the book, or [`NONE`].
    successor: u32,
    /// The move's own value, if it is listed and has one.
    score: Option<i32>,
}

/// What is found about a book's positions, or one range of them.
#[derive(Debug, Default)]
pub(crate) struct Found {
    moves: Vec<FoundMove>,
    /// Per position, the end of its moves.
    ends: Vec<u32>,
    in_check: Vec<bool>,
    /// Per position, whether one of its listed moves has been evaluated.
    is_judged: Vec<bool>,
    /// Per position, whether it stays out of the graph even if it has moves.
    is_left_out: Vec<bool>,
    unlisted_edges: usize,
}

impl<'b> Graph<'b> {
    /// The graph of what was found about this book.
    pub(crate) fn new(book: &'b Book, found: &Found) -> Self {
        let dropped = positions_without_moves(found);
        let mut graph = Self {
            book,
            places: Vec::with_capacity(book.len()),
            nodes: vec![NONE; book.len()],
            offsets: Vec::with_capacity(book.len() + 1),
            moves: Vec::with_capacity(found.moves.len()),
            in_check: Vec::with_capacity(book.len()),
            unlisted_edges: found.unlisted_edges,
        };
        for place in (0..book.len()).filter(|&place| !dropped[place]) {
            graph.nodes[place] = graph.places.len() as u32;
            graph.places.push(place as u32);
            graph.in_check.push(found.in_check[place]);
        }
        graph.offsets.push(0);
        for &place in &graph.places {
            for found in found.moves_of(place as usize) {
                let node = graph.nodes.get(found.successor as usize).copied();
                let target = match (node.filter(|&node| node != NONE), found.score) {
                    (Some(node), _) => Target::Node(node),
                    (None, Some(score)) => Target::Leaf(score),
                    (None, None) => continue,
                };
                graph.moves.push(GraphMove { m: found.m, target });
            }
            graph.offsets.push(graph.moves.len() as u32);
        }
        graph
    }

    /// A graph of these moves, for tests: positions have no meaning.
    #[cfg(test)]
    pub(crate) fn from_moves(book: &'b Book, moves: &[Vec<GraphMove>], in_check: &[bool]) -> Self {
        let ends = moves.iter().scan(0, |end, moves| {
            *end += moves.len() as u32;
            Some(*end)
        });
        Self {
            book,
            places: (0..moves.len() as u32).collect(),
            nodes: (0..moves.len() as u32).collect(),
            offsets: std::iter::once(0).chain(ends).collect(),
            moves: moves.concat(),
            in_check: in_check.to_vec(),
            unlisted_edges: 0,
        }
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// The number of moves that lead to another node.
    pub(crate) fn edges(&self) -> usize {
        self.moves.iter().filter(|known| matches!(known.target, Target::Node(_))).count()
    }

    /// The number of those that the book does not list.
    pub(crate) fn unlisted_edges(&self) -> usize {
        self.unlisted_edges
    }

    /// The moves of a node.
    #[inline]
    pub(crate) fn moves(&self, node: u32) -> &[GraphMove] {
        let at = node as usize;
        &self.moves[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }

    /// The nodes to which a node's moves lead.
    #[inline]
    pub(crate) fn successors(&self, node: u32) -> impl Iterator<Item = u32> {
        self.moves(node).iter().filter_map(|known| match known.target {
            Target::Node(successor) => Some(successor),
            Target::Leaf(_) => None,
        })
    }

    /// Whether the side to move is in check.
    #[inline]
    pub(crate) fn in_check(&self, node: u32) -> bool {
        self.in_check[node as usize]
    }

    /// The node of the position kept at `place` in the book.
    pub(crate) fn node_at(&self, place: usize) -> Option<u32> {
        Some(self.nodes[place]).filter(|&node| node != NONE)
    }

    /// Where the position of a node is kept in the book.
    pub(crate) fn place(&self, node: u32) -> usize {
        self.places[node as usize] as usize
    }

    /// The stored position of a node.
    pub(crate) fn stored(&self, node: u32) -> &'b StoredPosition {
        &self.book.positions[self.place(node)]
    }

    /// The nodes from which a move leads to each node.
    pub(crate) fn predecessors(&self) -> Predecessors {
        let mut offsets = vec![0_u32; self.len() + 1];
        let edges = || (0..self.len() as u32).flat_map(|node| self.successors(node));
        edges().for_each(|successor| offsets[successor as usize + 1] += 1);
        for at in 1..offsets.len() {
            offsets[at] += offsets[at - 1];
        }
        let mut next = offsets.clone();
        let mut nodes = vec![0; *offsets.last().expect("there is one more than nodes") as usize];
        for node in 0..self.len() as u32 {
            for successor in self.successors(node) {
                let slot = &mut next[successor as usize];
                nodes[*slot as usize] = node;
                *slot += 1;
            }
        }
        Predecessors { offsets, nodes }
    }
}

/// The edges of a graph, backwards.
#[derive(Debug)]
pub(crate) struct Predecessors {
    offsets: Vec<u32>,
    nodes: Vec<u32>,
}

impl Predecessors {
    /// The nodes from which a move leads to `node`; one with two such moves is there twice.
    #[inline]
    pub(crate) fn of(&self, node: u32) -> &[u32] {
        let at = node as usize;
        &self.nodes[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }
}

impl Found {
    /// Looks at all positions of a book, on all cores. The result does not depend on their number.
    pub(crate) fn of(book: &Book) -> Self {
        find_moves_on_all_cores(book)
    }

    /// Whether a move of the position kept at `place` has been evaluated: if not, nobody has looked
    /// for a better one.
    pub(crate) fn is_judged(&self, place: usize) -> bool {
        self.is_judged[place]
    }

    /// Keeps a position out of graphs that are made from now on.
    pub(crate) fn leave_out(&mut self, place: usize) {
        self.is_left_out[place] = true;
    }

    fn moves_of(&self, place: usize) -> &[FoundMove] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.moves[start as usize..self.ends[place] as usize]
    }

    fn append(&mut self, other: Self) {
        let moves = self.moves.len() as u32;
        self.moves.extend(other.moves);
        self.ends.extend(other.ends.into_iter().map(|end| end + moves));
        self.in_check.extend(other.in_check);
        self.is_judged.extend(other.is_judged);
        self.is_left_out.extend(other.is_left_out);
        self.unlisted_edges += other.unlisted_edges;
    }
}

fn find_moves_on_all_cores(book: &Book) -> Found {
    /// Below this, starting threads takes longer than the work.
    const LEAST_PER_THREAD: usize = 2_000;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let share = book.len().div_ceil(cores).max(LEAST_PER_THREAD);
    let mut found = Found::default();
    thread::scope(|scope| {
        let parts: Vec<_> = book
            .positions
            .chunks(share)
            .map(|positions| scope.spawn(move || find_moves(book, positions)))
            .collect();
        for part in parts {
            found.append(part.join().expect("finding moves does not panic"));
        }
    });
    found
}

/// The moves of some positions that lead to other positions of the book or have a value.
fn find_moves(book: &Book, positions: &[StoredPosition]) -> Found {
    let mut found = Found::default();
    let mut legal = MoveList::new();
    for stored in positions {
        let mut position = unpack(&stored.packed, Color::Black, 1);
        let first = found.moves.len();
        legal.clear();
        generate_legal(&position, &mut legal);
        for m in &legal {
            position.do_move(m);
            let is_successor = |packed: &_| pack(&position).is_ok_and(|own| own == *packed);
            let successor = book.find_by_key(position.key(), is_successor);
            position.undo_move();
            if let Some(successor) = successor {
                let score = stored.moves.iter().find(|listed| listed.m == m);
                found.unlisted_edges += usize::from(score.is_none());
                let score = score.and_then(|listed| current_value(book, listed));
                found.moves.push(FoundMove { m, successor: successor as u32, score });
            }
        }
        let edges = first..found.moves.len();
        for listed in &stored.moves {
            let is_edge = found.moves[edges.clone()].iter().any(|edge| edge.m == listed.m);
            if let Some(score) = current_value(book, listed).filter(|_| !is_edge) {
                let score = Some(score);
                found.moves.push(FoundMove { m: listed.m, successor: NONE, score });
            }
        }
        found.ends.push(found.moves.len() as u32);
        found.in_check.push(position.in_check());
        found.is_judged.push(stored.moves.iter().any(|listed| !listed.log.is_empty()));
        found.is_left_out.push(false);
    }
    found
}

/// A move's value within the range that propagation works on.
fn current_value(book: &Book, listed: &crate::book::StoredMove) -> Option<i32> {
    let limit = Score::MATE.raw();
    Some(book.policy().choose(&listed.log)?.score.raw().clamp(-limit, limit))
}

/// Per position, whether it was left out, or has no move that has a value or leads to a position that
/// has one of these, and so on.
fn positions_without_moves(found: &Found) -> Vec<bool> {
    let len = found.ends.len();
    let mut dropped = vec![false; len];
    let mut pending: Vec<u32> = Vec::new();
    let mut edges_backwards: Vec<(u32, u32)> = Vec::new();
    // The number of moves that keep a position in the graph.
    let mut keeping: Vec<u32> = (0..len).map(|place| found.moves_of(place).len() as u32).collect();
    for (place, &moves) in keeping.iter().enumerate() {
        if moves == 0 || found.is_left_out[place] {
            pending.push(place as u32);
        }
        for edge in found.moves_of(place) {
            if edge.successor != NONE && edge.score.is_none() {
                edges_backwards.push((edge.successor, place as u32));
            }
        }
    }
    if !pending.is_empty() {
        edges_backwards.sort_unstable();
    }
    while let Some(place) = pending.pop() {
        dropped[place as usize] = true;
        let first = edges_backwards.partition_point(|&(successor, _)| successor < place);
        for &(_, from) in
            edges_backwards[first..].iter().take_while(|&&(successor, _)| successor == place)
        {
            keeping[from as usize] -= 1;
            if keeping[from as usize] == 0 && !found.is_left_out[from as usize] {
                pending.push(from);
            }
        }
    }
    dropped
}
