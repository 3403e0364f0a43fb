//! The workers of an analysis, one thread an analyst.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use komadai_core::{Analyst, Budget, Move, Position};

use super::analysed_position::AnalysedPosition;
use super::mate_finder::MateFinder;

/// Number of positions that a worker analyses one after the other, last to first. Fewer leave the
/// table of the searcher unused, more leave workers without work at the end of a game.
const BLOCK: usize = 8;

/// The positions to analyse: those after `first` to `last` moves.
pub(super) struct Positions<'g> {
    pub(super) start: &'g Position,
    pub(super) moves: &'g [Move],
    pub(super) first: usize,
    pub(super) last: usize,
}

/// The work on each position.
pub(super) struct Work {
    pub(super) budget: Budget,
    /// Time for each position; its deadline is set when its analysis begins.
    pub(super) time: Option<Duration>,
    pub(super) mate_nodes: u64,
    pub(super) two_move_nodes: u64,
}

impl Work {
    /// Returns the budget of an analysis that begins now.
    pub(super) fn budget_now(&self) -> Budget {
        let mut budget = self.budget.clone();
        if let Some(time) = self.time {
            budget.deadline = Budget::time(time).deadline;
        }
        budget
    }
}

impl Positions<'_> {
    /// Returns the numbers of moves before the positions of a block; `None` after the last block.
    fn block(&self, number: usize) -> Option<Range<usize>> {
        let first = number.checked_mul(BLOCK)?.checked_add(self.first)?;
        (first <= self.last).then(|| first..self.last.min(first + BLOCK - 1) + 1)
    }

    /// Returns the position after this number of moves.
    fn position(&self, moves: usize) -> Position {
        let mut position = self.start.clone();
        for &m in &self.moves[..moves] {
            position.do_move(m);
        }
        position
    }

    /// Analyses all positions and calls `on_result` on the calling thread with the number of moves
    /// before each, in the order in which they are finished. An analysis that the stop flag
    /// interrupts gives no result.
    ///
    /// # Panics
    ///
    /// Panics if an analyst does.
    pub(super) fn analyse(
        &self,
        analysts: &mut [Box<dyn Analyst>],
        work: &Work,
        mut on_result: impl FnMut(usize, AnalysedPosition),
    ) {
        let next = AtomicUsize::new(0);
        let (sender, results) = mpsc::channel();
        thread::scope(|scope| {
            for analyst in analysts {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    let mut mates = MateFinder::new(work.mate_nodes, work.two_move_nodes);
                    // Relaxed: the counter orders nothing but itself.
                    while let Some(block) = self.block(next.fetch_add(1, Ordering::Relaxed)) {
                        if !self.analyse_block(analyst, &mut mates, work, block, &sender) {
                            return;
                        }
                    }
                });
            }
            // The results end when the last thread drops its sender.
            drop(sender);
            results.into_iter().for_each(|(moves, found)| on_result(moves, found));
        });
    }

    /// Analyses a block from its last position to its first. Returns false after a stop.
    fn analyse_block(
        &self,
        analyst: &mut dyn Analyst,
        mates: &mut MateFinder,
        work: &Work,
        block: Range<usize>,
        sender: &Sender<(usize, AnalysedPosition)>,
    ) -> bool {
        if work.budget.is_stopped() {
            return false;
        }
        analyst.forget();
        let mut position = self.position(block.end - 1);
        for moves in block.rev() {
            let budget = work.budget_now();
            let played = self.moves.get(moves).copied();
            let found = AnalysedPosition::new(analyst, mates, &position, played, &budget);
            if budget.is_stopped() || sender.send((moves, found)).is_err() {
                return false;
            }
            if moves > 0 {
                position.undo_move();
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_contain_every_position_once() {
        let start = Position::hirate();
        for (first, last) in [(0, 0), (0, 7), (0, 8), (3, 30), (5, 12)] {
            let positions = Positions { start: &start, moves: &[], first, last };
            let blocks = (0..).map_while(|number| positions.block(number));
            assert!(blocks.flatten().eq(first..=last), "{first} to {last}");
        }
    }
}
