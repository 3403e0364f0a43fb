//! Several threads on one position (Lazy SMP).
//!
//! Every thread searches the whole tree for itself; they help each other through the transposition
//! table and put off what another is searching already (`busy.rs`). The first thread obeys the
//! budget; whoever reaches the depth that was asked for tells the others to stop. Then they vote on
//! the move.
//!
//! Source of the method: common practice of chess programs since about 2012, described under this name
//! in the chess programming wiki; the vote follows Stockfish's.

use komadai_core::{Analysis, Budget, Move, Position};
use komadai_eval::Evaluator;

use crate::history::History;
use crate::iterative_deepening::Deepening;
use crate::meter::Meter;
use crate::root::root_moves;
use crate::shared_state::Together;
use crate::worker::Worker;
use crate::{SearchOptions, Statistics, TesujiTable, TranspositionTable};

/// What a search is about, the same for all threads.
#[derive(Debug)]
pub(crate) struct Task<'a, E> {
    pub(crate) evaluator: &'a E,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) options: &'a SearchOptions,
    pub(crate) history: &'a History,
    /// In place of the bundled table.
    pub(crate) tesuji: Option<&'a TesujiTable>,
    pub(crate) position: &'a Position,
    pub(crate) only: Option<&'a [Move]>,
    pub(crate) budget: &'a Budget,
}

impl<E: Evaluator> Task<'_, E> {
    /// Searches on as many threads as the options say, the caller's included.
    pub(crate) fn run(&self, progress: &mut dyn FnMut(&Analysis)) -> (Analysis, Statistics) {
        let helpers = self.options.threads.saturating_sub(1);
        if helpers == 0 {
            return self.deepening(Meter::new(self.budget), progress).run();
        }
        let together = Together::new();
        // Helpers look at the nodes themselves: the first thread may be asleep.
        let mut shared = Budget::unlimited();
        shared.nodes = self.budget.nodes;
        std::thread::scope(|scope| {
            let (shared, together) = (&shared, &together);
            let helpers: Vec<_> = (0..helpers)
                .map(|_| {
                    scope.spawn(move || {
                        let meter = Meter::shared(shared, together);
                        let quiet = &mut |_: &Analysis| {};
                        let analysis = self.deepening(meter, quiet).run().0;
                        if analysis.completed {
                            together.finish();
                        }
                        analysis
                    })
                })
                .collect();
            let meter = Meter::shared(self.budget, together);
            let (analysis, statistics) = self.deepening(meter, progress).run();
            together.finish();
            let mut analyses = vec![analysis];
            // A helper that panicked is missed, no more.
            analyses.extend(helpers.into_iter().filter_map(|helper| helper.join().ok()));
            let (own, time) = (analyses[0].nodes, analyses[0].time);
            let completed = analyses.iter().any(|analysis| analysis.completed);
            if completed {
                // Whoever asks for a depth gets no less.
                analyses.retain(|analysis| analysis.completed);
            }
            let total = together.nodes().max(own);
            let chosen = if self.options.multi_pv > 1 { 0 } else { elected(&analyses) };
            let chosen = analyses.swap_remove(chosen);
            (Analysis { nodes: total, time, completed, ..chosen }, statistics)
        })
    }

    fn deepening<'b>(
        &'b self,
        meter: Meter<'b>,
        progress: &'b mut dyn FnMut(&Analysis),
    ) -> Deepening<'b, 'b, E> {
        let mut worker = Worker::new(
            self.evaluator,
            self.table,
            self.options,
            self.history,
            meter,
            self.position,
        );
        if let Some(tesuji) = self.tesuji {
            worker.tesuji = tesuji;
        }
        let moves = root_moves(self.position, self.only);
        Deepening::new(worker, moves, self.budget.depth, progress)
    }
}

/// Which analysis to believe: each votes for its move with its depth and its lead over the worst; a
/// proven mate needs no votes.
fn elected(analyses: &[Analysis]) -> usize {
    let score = |analysis: &Analysis| analysis.score().map_or(i32::MIN / 2, |score| score.raw());
    let worst = analyses.iter().map(score).min().unwrap_or(0);
    let weight =
        |analysis: &Analysis| i64::from(score(analysis) - worst + 14) * i64::from(analysis.depth);
    let votes = |m: Option<Move>| -> i64 {
        analyses.iter().filter(|analysis| analysis.best_move() == m).map(weight).sum()
    };
    let is_mate = |analysis: &Analysis| {
        analysis.score().is_some_and(|score| score.is_mate() && score.raw() > 0)
    };
    let mut best = 0;
    for (index, analysis) in analyses.iter().enumerate().skip(1) {
        if analysis.best_move().is_none() {
            continue;
        }
        let leader = &analyses[best];
        let better = match (is_mate(analysis), is_mate(leader)) {
            (true, _) | (_, true) => score(analysis) > score(leader),
            (false, false) => {
                let (own, other) = (votes(analysis.best_move()), votes(leader.best_move()));
                own > other || (own == other && weight(analysis) > weight(leader))
            }
        };
        if better {
            best = index;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use komadai_core::{Bound, Line, Pv, Score};

    use super::*;

    fn analysis(m: &str, score: Score, depth: u32) -> Analysis {
        let pv = Pv::from_parts(m.parse().unwrap(), &[]);
        let lines = vec![Line { score, bound: Bound::Exact, pv }];
        Analysis { depth, lines, ..Analysis::default() }
    }

    #[test]
    fn the_majority_wins_unless_one_knows_much_more() {
        let a = || analysis("7g7f", Score::cp(20), 10);
        let b = || analysis("2g2f", Score::cp(25), 10);
        assert_eq!(elected(&[a()]), 0);
        assert_ne!(elected(&[b(), a(), a()]), 0, "two against one");
        assert_eq!(elected(&[a(), b(), b()]), 1);
        let deep = analysis("2g2f", Score::cp(60), 14);
        assert_eq!(elected(&[a(), deep, a()]), 1);
    }

    #[test]
    fn a_mate_is_believed_and_the_shortest_preferred() {
        let many = analysis("7g7f", Score::cp(900), 20);
        let mate = |plies| analysis("2g2f", Score::mate_in(plies), 5);
        assert_eq!(elected(&[many.clone(), mate(7), many.clone()]), 1);
        assert_eq!(elected(&[mate(9), mate(7), many.clone()]), 1);
        let mated = analysis("2g2f", Score::mated_in(7), 30);
        assert_eq!(elected(&[mated, many.clone(), many]), 1);
        assert_eq!(elected(&[Analysis::default(), Analysis::default()]), 0);
    }
}
