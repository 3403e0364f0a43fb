//! What the search learns about moves and evaluations while it runs.
//!
//! Each table says how well a move did elsewhere in the tree, seen from another angle: the move
//! alone, the move near the root, the move with this pawn structure, the move as an answer to an
//! earlier one, the capture. Every number pulls back towards zero the harder the further it is from
//! it, so that none leaves its range and recent results weigh most.
//!
//! Source of the method: J. Schaeffer, "The history heuristic and alpha-beta search enhancements in
//! practice", IEEE Transactions on Pattern Analysis and Machine Intelligence 11(11), 1989. Answers to
//! earlier moves go back to the counter moves of J. Uiterwijk, "The countermove heuristic", ICCA
//! Journal 15(1), 1992.

mod butterfly;
mod continuation;
mod correction;
mod counter_moves;
mod gravity;

pub(crate) use butterfly::{Butterfly, Captures, LowPly, Pawns};
pub(crate) use continuation::{Answers, Continuation, Follower};
pub(crate) use correction::{Corrections, Structure};
pub(crate) use counter_moves::Counters;
pub(crate) use gravity::Gravity;

/// All that has been learned, by all threads together: what one has found to be good, the others try
/// early and reduce little, so that their trees resemble each other and the transposition table
/// serves them all. No number is ever read or written in halves; that one thread overwrites what
/// another has just learned does no harm.
#[derive(Debug)]
pub(crate) struct History {
    pub(crate) butterfly: Butterfly,
    pub(crate) low_ply: LowPly,
    pub(crate) pawns: Pawns,
    pub(crate) captures: Captures,
    pub(crate) continuation: Continuation,
    pub(crate) counters: Counters,
    pub(crate) corrections: Corrections,
}

impl History {
    pub(crate) fn new() -> Self {
        Self {
            butterfly: Butterfly::new(),
            low_ply: LowPly::new(),
            pawns: Pawns::new(),
            captures: Captures::new(),
            continuation: Continuation::new(),
            counters: Counters::new(),
            corrections: Corrections::new(),
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        *self = Self::new();
    }

    /// Gets ready for the next search: what was learned near the root is about another root.
    pub(crate) fn next_search(&self) {
        self.low_ply.clear();
        self.butterfly.fade();
    }
}
