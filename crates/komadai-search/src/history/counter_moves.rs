//! Counter moves: the quiet move that refuted a move most recently.

use core::sync::atomic::{AtomicU16, Ordering};

use komadai_core::Move;

use super::piece_to::PieceTo;
use komadai_base::memory::zeroed;

/// `[piece][to]`: the bits of the quiet move that most recently refuted the move of this piece to
/// this square, 0 for none.
#[derive(Debug)]
pub(crate) struct CounterMoves(Box<[AtomicU16; PieceTo::COUNT]>);

impl CounterMoves {
    pub(crate) fn new() -> Self {
        Self(zeroed())
    }

    /// Removes all moves.
    pub(crate) fn clear(&self) {
        self.0.iter().for_each(|bits| bits.store(0, Ordering::Relaxed));
    }

    #[inline]
    pub(crate) fn get(&self, refuted: Option<PieceTo>) -> Option<Move> {
        Move::from_bits(self.0[refuted?.index()].load(Ordering::Relaxed))
    }

    #[inline]
    pub(crate) fn set(&self, refuted: Option<PieceTo>, counter_move: Move) {
        if let Some(refuted) = refuted {
            self.0[refuted.index()].store(counter_move.to_bits(), Ordering::Relaxed);
        }
    }
}
