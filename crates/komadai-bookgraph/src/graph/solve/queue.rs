//! The priority queue of the solution: values to be settled, the largest first.

use std::collections::BinaryHeap;

use rayon::slice::ParallelSliceMut as _;

/// A possible value of a node. It is settled unless the node has a larger one.
///
/// One number, so that a comparison is one instruction. From the highest bits: the size (16 bits),
/// 65,535 − rank (16 bits), the inverted node (31 bits), and 1 if the node is won. So larger sizes
/// come first, then smaller ranks, then smaller nodes; the order never depends on that of
/// insertions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate(u64);

impl Candidate {
    pub(super) fn new(node: u32, size: i16, rank: u16, sign: Sign) -> Self {
        let sign = u64::from(sign == Sign::Won);
        Self(
            // Sizes are positive, so the sign bit is free and unsigned order is numeric order.
            (size as u64) << 48
                | u64::from(!rank) << 32
                | u64::from(!node) << 1 & 0xffff_fffe
                | sign,
        )
    }

    pub(super) fn size(self) -> i16 {
        (self.0 >> 48) as i16
    }

    pub(super) fn rank(self) -> u16 {
        !((self.0 >> 32) as u16)
    }

    pub(super) fn node(self) -> u32 {
        !(self.0 as u32 >> 1) & 0x7fff_ffff
    }

    pub(super) fn sign(self) -> Sign {
        if self.0 & 1 == 1 { Sign::Won } else { Sign::Lost }
    }
}

/// The result for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sign {
    Won,
    Lost,
}

/// A priority queue of candidates, the largest first.
///
/// Most candidates are leaves, which are known at the start. Sorting them once, on all cores, takes
/// a fraction of the time of a heap that holds them all. A small heap holds the later ones.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// Candidates known at the start, the largest last.
    sorted: Vec<Candidate>,
    /// Candidates added later.
    heap: BinaryHeap<Candidate>,
    has_started: bool,
}

impl Queue {
    #[inline]
    pub(super) fn push(&mut self, candidate: Candidate) {
        if self.has_started {
            self.heap.push(candidate);
        } else {
            self.sorted.push(candidate);
        }
    }

    /// Sorts the candidates added so far. Call it once, before the first `peek`.
    pub(super) fn start(&mut self) {
        self.sorted.par_sort_unstable();
        self.has_started = true;
    }

    /// The largest candidate.
    #[inline]
    pub(super) fn peek(&self) -> Option<Candidate> {
        self.sorted.last().max(self.heap.peek()).copied()
    }

    /// Removes the largest candidate.
    #[inline]
    pub(super) fn pop(&mut self) {
        if self.sorted.last() >= self.heap.peek() {
            self.sorted.pop();
        } else {
            self.heap.pop();
        }
    }
}
