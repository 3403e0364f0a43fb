//! Counter moves: the quiet move that last refuted a move.

use core::sync::atomic::{AtomicU16, Ordering};

use komadai_core::Move;

use super::Follower;

/// `[piece][to]`: the bits of the quiet move that last refuted the move of this piece to this square,
/// 0 for none.
#[derive(Debug)]
pub(crate) struct Counters(Box<[AtomicU16]>);

impl Counters {
    pub(crate) fn new() -> Self {
        Self((0..Follower::COUNT).map(|_| AtomicU16::new(0)).collect())
    }

    #[inline]
    pub(crate) fn get(&self, earlier: Option<Follower>) -> Option<Move> {
        Move::from_bits(self.0[earlier?.index()].load(Ordering::Relaxed))
    }

    #[inline]
    pub(crate) fn set(&self, earlier: Option<Follower>, m: Move) {
        if let Some(earlier) = earlier {
            self.0[earlier.index()].store(m.to_bits(), Ordering::Relaxed);
        }
    }
}
