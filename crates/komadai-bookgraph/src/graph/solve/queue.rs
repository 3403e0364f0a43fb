//! What waits to be settled, the largest first.

use std::collections::BinaryHeap;

use rayon::slice::ParallelSliceMut as _;

/// A value of a node that will be settled unless a larger one is first; largest first, then nearest.
/// One number: size, 65,535 − rank, the node, whether it is won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate(u64);

impl Candidate {
    pub(super) fn new(node: u32, size: i16, rank: u16, sign: Sign) -> Self {
        let sign = u64::from(sign == Sign::Won);
        Self(
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sign {
    Won,
    Lost,
}

/// Candidates, the largest first.
///
/// Most of them are leaves, known at the start: sorting those once, on all cores, takes a fraction of the
/// time of a heap that holds them all.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// Those known at the start, the largest last.
    sorted: Vec<Candidate>,
    /// Those that came later.
    heap: BinaryHeap<Candidate>,
    has_started: bool,
}

impl Queue {
    #[inline]
    pub(super) fn push(&mut self, candidate: Candidate) {
        match self.has_started {
            false => self.sorted.push(candidate),
            true => self.heap.push(candidate),
        }
    }

    /// From now on candidates are asked for.
    pub(super) fn start(&mut self) {
        self.sorted.par_sort_unstable();
        self.has_started = true;
    }

    /// The largest.
    #[inline]
    pub(super) fn peek(&self) -> Option<Candidate> {
        self.sorted.last().max(self.heap.peek()).copied()
    }

    /// Takes the largest away.
    #[inline]
    pub(super) fn pop(&mut self) {
        match self.sorted.last() >= self.heap.peek() {
            true => drop(self.sorted.pop()),
            false => drop(self.heap.pop()),
        }
    }
}
