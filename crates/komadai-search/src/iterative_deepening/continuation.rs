//! The continuation of an earlier search of the same position: iterations whose result is in the
//! transposition table are skipped.
//!
//! A search that begins again has the table as well, but its first iterations search the nodes of
//! the principal variation, which no entry cuts off, and meet windows, reductions and prunings of
//! their own, whose nodes are not in the table.

use komadai_core::Pv;
use komadai_eval::Evaluator;

use super::IterativeDeepening;
use super::aspiration::Trend;
use crate::root_move::RootMove;
use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::transposition_table::entry::Entry;
use crate::value::is_decided;

impl<E: Evaluator, S: Settings> IterativeDeepening<'_, '_, E, S> {
    /// Skips the iterations before the first depth of the request that are no deeper than the exact
    /// value of the root in the table, and reports the result of the last one.
    ///
    /// Does nothing for some moves, whose best one may be another, for several lines, as the table
    /// has one, and for decided games, which no iteration may be skipped to prove.
    pub(super) fn continue_earlier_search(&mut self) {
        if self.first_depth <= 1 || !self.are_all || self.lines > 1 {
            return;
        }
        let Some(entry) = self.exact_entry() else { return };
        let (depth, value) = (i32::from(entry.depth).min(self.first_depth - 1), entry.score.raw());
        let index = self.moves.iter().position(|root_move| Some(root_move.m) == entry.best);
        let Some(index) = index.filter(|_| depth > 0 && !is_decided(value)) else { return };
        let (m, bound) = (self.moves[index].m, entry.bound);
        let line = self.worker.table.pv_from(&self.worker.position);
        let pv = if line.first() == Some(&m) { line } else { Pv::from_parts(m, &[]) };
        self.worker.longest = pv.len();
        self.moves[index] = RootMove { m, value, bound, pv, iteration: depth };
        self.moves.sort_by_key(RootMove::rank);
        self.trends[0] = Trend::with(None, value);
        self.finished = depth;
        self.worker.meter.start_iteration(depth + 1);
        let analysis = self.analysis();
        (self.progress)(&analysis);
        // There is a move.
        self.worker.meter.enforce();
    }

    /// Returns the entry of the root, if it is exact and the table is used.
    fn exact_entry(&self) -> Option<Entry> {
        let is_used = self.worker.uses(Techniques::TABLE);
        let entry = is_used.then(|| self.worker.table.probe(self.worker.position.key()))?;
        entry.filter(|entry| entry.bound.is_exact())
    }
}
