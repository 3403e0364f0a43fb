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
pub(crate) mod gravity;
pub(crate) mod piece_to;

use correction::CorrectionHistory;
use from_to::{ButterflyHistory, LowPlyHistory};
use piece_to::{CaptureHistory, ContinuationHistory, CounterMoves, PawnHistory};

/// All history tables of a searcher: those that its threads share, and those of each thread.
#[derive(Debug)]
pub(crate) struct History {
    pub(crate) shared: SharedHistory,
    /// There is at least one thread.
    pub(crate) threads: Vec<ThreadHistory>,
}

/// The tables that threads share.
///
/// They tell of situations that a thread meets seldom, so that it learns from the others as well.
/// Every number is one atomic word, so no torn number is ever read. Two threads that update a
/// number at the same time may lose one of the updates, which is harmless.
#[derive(Debug)]
pub(crate) struct SharedHistory {
    pub(crate) pawn: PawnHistory,
    pub(crate) continuation: ContinuationHistory,
    pub(crate) correction: CorrectionHistory,
}

/// The tables of one thread.
///
/// A thread fills them soon by itself, and an order of moves of its own leads it to other parts of
/// the tree.
#[derive(Debug)]
pub(crate) struct ThreadHistory {
    pub(crate) butterfly: ButterflyHistory,
    pub(crate) low_ply: LowPlyHistory,
    pub(crate) capture: CaptureHistory,
    pub(crate) counter_moves: CounterMoves,
}

/// The tables that one thread uses.
#[derive(Debug)]
pub(crate) struct Histories<'a> {
    pub(crate) shared: &'a SharedHistory,
    pub(crate) own: &'a mut ThreadHistory,
}

impl History {
    pub(crate) fn new() -> Self {
        let shared = SharedHistory {
            pawn: PawnHistory::new(),
            continuation: ContinuationHistory::new(),
            correction: CorrectionHistory::new(),
        };
        Self { shared, threads: vec![ThreadHistory::new()] }
    }

    /// Asks for huge pages for the one large table, before its first use.
    pub(crate) fn prefer_huge_pages(&self) {
        self.shared.continuation.prefer_huge_pages();
    }

    /// Gets the memory of the one large table from the system.
    pub(crate) fn populate(&self) {
        self.shared.continuation.populate();
    }

    /// Resets all tables.
    pub(crate) fn clear(&mut self) {
        self.shared.pawn.clear();
        self.shared.continuation.clear();
        self.shared.correction.clear();
        self.threads.iter_mut().for_each(ThreadHistory::clear);
    }

    /// Resets the tables that hold differences of values.
    pub(crate) fn clear_values(&self) {
        self.shared.correction.clear();
    }

    /// Prepares the tables for the next search of the same game by a number of threads.
    ///
    /// `kept` is the part of the butterfly history that stays, in percent.
    pub(crate) fn start_search(&mut self, threads: usize, kept: i32) {
        // Those of the first thread stay, if the number changes.
        self.threads.resize_with(threads.max(1), ThreadHistory::new);
        self.threads.iter_mut().for_each(|thread| thread.start_search(kept));
    }

    /// Returns the tables that the first thread uses.
    pub(crate) fn first(&mut self) -> Histories<'_> {
        let Self { shared, threads } = self;
        Histories { shared, own: &mut threads[0] }
    }
}

impl ThreadHistory {
    fn new() -> Self {
        Self {
            butterfly: ButterflyHistory::new(),
            low_ply: LowPlyHistory::new(),
            capture: CaptureHistory::new(),
            counter_moves: CounterMoves::new(),
        }
    }

    fn clear(&mut self) {
        self.butterfly.clear();
        self.low_ply.clear();
        self.capture.clear();
        self.counter_moves.clear();
    }

    /// Splits the histories of several threads into those of the first and those of the others.
    pub(crate) fn split(histories: &mut [Self]) -> (&mut Self, &mut [Self]) {
        histories.split_first_mut().expect("there is at least one thread")
    }

    fn start_search(&mut self, kept: i32) {
        // The plies of the low-ply history count from another root now.
        self.low_ply.clear();
        self.butterfly.keep(kept);
    }
}
