//! Moves with their scores, and the buffer that holds those of the current line.

use core::ops::{Deref, DerefMut};

use komadai_core::Move;

/// A move and its ordering score, higher first.
///
/// The score stands above the move's sixteen bits, so that one comparison of integers orders moves
/// and no two are equal: the order does not depend on the sorting algorithm. The lowest sixteen bits
/// are the place in a list of [blocks](MoveBuffer::part_into_blocks), and zero elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ScoredMove(i64);

impl ScoredMove {
    /// The drop bit of a move. It is inverted, so that among equals board moves come before drops.
    const DROP: u16 = 1 << 14;

    /// Less than every move.
    const NONE: Self = Self(i64::MIN);

    /// The least score of a move.
    pub(super) const LEAST_SCORE: i32 = i32::MIN + 1;

    #[inline]
    pub(crate) fn new(m: Move, score: i32) -> Self {
        Self::from_bits(m.to_bits(), score)
    }

    /// Returns the move with these bits, which are those of a move, and its score.
    #[inline]
    pub(super) fn from_bits(bits: u16, score: i32) -> Self {
        Self(i64::from(score) << 32 | i64::from(bits ^ Self::DROP) << 16)
    }

    #[inline]
    pub(crate) fn m(self) -> Move {
        Move::from_bits(self.bits()).expect("made from a move")
    }

    #[inline]
    fn bits(self) -> u16 {
        (self.0 >> 16) as u16 ^ Self::DROP
    }

    /// Returns whether this is the move `m`; cheaper than to compare [`m`](Self::m), which is
    /// checked.
    #[inline]
    pub(super) fn is(self, m: Option<Move>) -> bool {
        m.is_some_and(|m| self.bits() == m.to_bits())
    }

    #[inline]
    pub(super) fn score(self) -> i32 {
        (self.0 >> 32) as i32
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

/// Number of moves of a block.
const BLOCK: usize = 8;

impl MoveBuffer {
    /// Ends a list of moves, which begins at `first`, for [`take_best`](Self::take_best), and
    /// returns the place of the best moves of its blocks.
    ///
    /// The moves of a long list are taken one by one, and seldom all. Each time it suffices to look
    /// through the best move of each block, and through the block of the move that is taken.
    /// Nothing is moved, and the comparisons are no branches, which would be foreseen badly.
    #[inline(never)]
    pub(super) fn part_into_blocks(&mut self, first: usize) -> usize {
        self.make_room();
        self.fill_block(first);
        let maxima = self.len;
        let (list, rest) = self.moves[first..].split_at_mut(maxima - first);
        let (blocks, _) = list.as_chunks_mut::<BLOCK>();
        let mut place = 0;
        for (block, maximum) in blocks.iter_mut().zip(rest) {
            for m in &mut *block {
                m.0 |= place;
                place += 1;
            }
            *maximum = best_of(block);
        }
        self.len = maxima + (maxima - first) / BLOCK;
        self.fill_block(maxima);
        maxima
    }

    /// Appends entries that are no moves, until the number of entries from `first` on is that of
    /// whole blocks.
    #[inline]
    fn fill_block(&mut self, first: usize) {
        while !(self.len - first).is_multiple_of(BLOCK) {
            self.write(ScoredMove::NONE);
        }
    }

    /// Removes the best move of the list at `first` with the best of its blocks at `maxima`, if its
    /// score is at least `least`, which is not below [`LEAST_SCORE`](ScoredMove::LEAST_SCORE).
    #[inline]
    pub(super) fn take_best(
        &mut self,
        first: usize,
        maxima: usize,
        least: i32,
    ) -> Option<ScoredMove> {
        let (list, maxima) = self.get_mut(first..)?.split_at_mut_checked(maxima - first)?;
        let (groups, _) = maxima.as_chunks::<BLOCK>();
        let best = groups.iter().map(best_of).max()?;
        if best.score() < least {
            return None;
        }
        let place = usize::from(best.0 as u16);
        let (blocks, _) = list.as_chunks_mut::<BLOCK>();
        let block = blocks.get_mut(place / BLOCK)?;
        block[place % BLOCK] = ScoredMove::NONE;
        *maxima.get_mut(place / BLOCK)? = best_of(block);
        Some(best)
    }

    /// Moves the best of the moves from `first` on to the front of these and returns it.
    #[inline]
    pub(super) fn bring_best(&mut self, first: usize) -> Option<ScoredMove> {
        let moves = self.get_mut(first..)?;
        let &mut [mut best, ref rest @ ..] = moves else { return None };
        let mut place = 0;
        for (index, &scored) in rest.iter().enumerate() {
            place = if scored > best { index + 1 } else { place };
            best = if scored > best { scored } else { best };
        }
        moves.swap(0, place);
        Some(best)
    }
}

/// Returns the best of these moves.
#[inline(always)]
fn best_of(moves: &[ScoredMove; BLOCK]) -> ScoredMove {
    moves.iter().fold(ScoredMove::NONE, |best, &m| best.max(m))
}
