//! Moves with their scores, and the buffer that holds those of the current line.

use core::cell::Cell;
use core::ops::{Deref, DerefMut};

use komadai_core::Move;

/// A move and its ordering score, higher first.
///
/// The score stands above the move's sixteen bits, so that one comparison of integers orders moves
/// and no two are equal: the order does not depend on the sorting algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ScoredMove(i64);

impl ScoredMove {
    /// The drop bit of a move. It is inverted, so that among equals board moves come before drops.
    const DROP: u16 = 1 << 14;

    #[inline]
    pub(crate) fn new(m: Move, score: i32) -> Self {
        Self::from_bits(m.to_bits(), score)
    }

    /// Returns the move with these bits, which are those of a move, and its score.
    #[inline]
    pub(super) fn from_bits(bits: u16, score: i32) -> Self {
        Self(i64::from(score) << 16 | i64::from(bits ^ Self::DROP))
    }

    #[inline]
    pub(crate) fn m(self) -> Move {
        Move::from_bits(self.0 as u16 ^ Self::DROP).expect("made from a move")
    }

    /// Returns whether this is the move `m`; cheaper than to compare [`m`](Self::m), which is
    /// checked.
    #[inline]
    pub(super) fn is(self, m: Option<Move>) -> bool {
        m.is_some_and(|m| self.0 as u16 ^ Self::DROP == m.to_bits())
    }

    #[inline]
    pub(super) fn score(self) -> i32 {
        (self.0 >> 16) as i32
    }
}

/// The moves of all nodes of the current line, one node after another: no allocation and little
/// stack per node.
#[derive(Debug)]
pub(crate) struct MoveBuffer {
    /// The moves, and room for more.
    moves: Vec<ScoredMove>,
    len: usize,
}

/// The room that [`MoveBuffer::make_room`] makes: more than the moves of any position.
const ROOM: usize = 1_024;

const _: () = assert!(ROOM >= Move::MAX_LEGAL);

impl MoveBuffer {
    /// Returns an empty buffer with room for this number of moves.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self { moves: vec![ScoredMove(0); capacity], len: 0 }
    }

    /// Makes room for the moves of one more position.
    #[inline]
    pub(super) fn make_room(&mut self) {
        if self.moves.len() < self.len + ROOM {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.moves.resize(2 * self.moves.len() + ROOM, ScoredMove(0));
    }

    /// Appends a move for which there is [room](Self::make_room).
    #[inline(always)]
    pub(super) fn write(&mut self, m: ScoredMove) {
        if let Some(place) = self.moves.get_mut(self.len) {
            *place = m;
            self.len += 1;
        }
    }

    /// Appends a move.
    pub(crate) fn push(&mut self, m: ScoredMove) {
        self.make_room();
        self.write(m);
    }

    /// Removes all moves from this index on.
    #[inline]
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}

impl Deref for MoveBuffer {
    type Target = [ScoredMove];

    #[inline(always)]
    fn deref(&self) -> &[ScoredMove] {
        &self.moves[..self.len]
    }
}

impl DerefMut for MoveBuffer {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [ScoredMove] {
        &mut self.moves[..self.len]
    }
}

/// Length of a list that is searched for its best move without parting it first.
const SHORT: usize = 36;

/// Moves the best moves to the front, and returns their number: at least one, if there is a move.
#[inline]
pub(super) fn part(moves: &mut [ScoredMove]) -> usize {
    if moves.len() <= SHORT { moves.len() } else { part_long(moves) }
}

#[inline(never)]
fn part_long(moves: &mut [ScoredMove]) -> usize {
    let moves = Cell::from_mut(moves).as_slice_of_cells();
    let mut length = moves.len();
    while length > SHORT {
        let sum: i64 = moves[..length].iter().map(|m| m.get().0).sum();
        let mean = ScoredMove(sum / length as i64);
        let mut front = 0;
        for place in &moves[..length] {
            // Without a branch, which would be foreseen badly.
            let m = place.get();
            place.set(moves[front].get());
            moves[front].set(m);
            front += usize::from(m >= mean);
        }
        if front == length {
            break;
        }
        length = front;
    }
    length
}
