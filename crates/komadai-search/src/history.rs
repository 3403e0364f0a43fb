//! The history tables: statistics about moves and evaluations that the search collects while it
//! runs.
//!
//! | table | file | indexed by |
//! |---|---|---|
//! | butterfly history | `from_to.rs` | side, origin, destination |
//! | low-ply history | `from_to.rs` | distance from the root, origin, destination |
//! | pawn history | `piece_to.rs` | pawn structure, piece, destination |
//! | capture history | `piece_to.rs` | piece, destination, captured kind |
//! | continuation history | `piece_to.rs` | earlier piece and destination, piece and destination |
//! | counter moves | `piece_to.rs` | the opponent's piece and destination |
//! | correction history | `correction.rs` | parts of the board, last two moves |
//!
//! Numbers change by the gravity formula (`gravity.rs`), which keeps them in range and lets recent
//! results weigh most.
//!
//! Source of the method: J. Schaeffer, "The history heuristic and alpha-beta search enhancements in
//! practice", IEEE Transactions on Pattern Analysis and Machine Intelligence 11(11), 1989.
//! Continuation history goes back to the counter moves of J. Uiterwijk, "The countermove
//! heuristic", ICCA Journal 15(1), 1992.

pub(crate) mod correction;
pub(crate) mod from_to;
mod gravity;
pub(crate) mod piece_to;

use correction::CorrectionHistory;
use from_to::{ButterflyHistory, LowPlyHistory};
use piece_to::{CaptureHistory, ContinuationHistory, CounterMoves, PawnHistory};

/// All history tables of one search, shared by its threads.
///
/// A move that one thread has found to be good is ordered early and reduced little by the others,
/// so that the trees of the threads resemble each other and share transposition-table entries.
/// Every number is one atomic word, so no torn number is ever read. Two threads that update a
/// number at the same time may lose one of the updates, which is harmless.
#[derive(Debug)]
pub(crate) struct History {
    pub(crate) butterfly: ButterflyHistory,
    pub(crate) low_ply: LowPlyHistory,
    pub(crate) pawn: PawnHistory,
    pub(crate) capture: CaptureHistory,
    pub(crate) continuation: ContinuationHistory,
    pub(crate) counter_moves: CounterMoves,
    pub(crate) correction: CorrectionHistory,
}

impl History {
    pub(crate) fn new() -> Self {
        Self {
            butterfly: ButterflyHistory::new(),
            low_ply: LowPlyHistory::new(),
            pawn: PawnHistory::new(),
            capture: CaptureHistory::new(),
            continuation: ContinuationHistory::new(),
            counter_moves: CounterMoves::new(),
            correction: CorrectionHistory::new(),
        }
    }

    /// Asks for huge pages for the one large table, before its first use.
    pub(crate) fn prefer_huge_pages(&self) {
        self.continuation.prefer_huge_pages();
    }

    /// Gets the memory of the one large table from the system.
    pub(crate) fn populate(&self) {
        self.continuation.populate();
    }

    /// Resets all tables.
    pub(crate) fn clear(&self) {
        self.butterfly.clear();
        self.low_ply.clear();
        self.pawn.clear();
        self.capture.clear();
        self.continuation.clear();
        self.counter_moves.clear();
        self.correction.clear();
    }

    /// Prepares the tables for the next search of the same game.
    ///
    /// `kept` is the part of the butterfly history that stays, in percent.
    pub(crate) fn start_search(&self, kept: i32) {
        // The plies of the low-ply history count from another root now.
        self.low_ply.clear();
        self.butterfly.keep(kept);
    }
}
