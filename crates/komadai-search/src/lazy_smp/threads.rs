//! The threads of a search, whatever they search by, and their vote on the move.

use core::sync::atomic::AtomicBool;

use komadai_core::{Analysis, Budget, Move};

use crate::history::ThreadHistory;
use crate::lazy_smp::shared_state::SharedState;
use crate::meter::Meter;
use crate::node::solver_use::SolverUse;
use crate::scaled::Units;

/// Offset of an analysis's lead in its vote, in centipawns of the search, so that the worst one has
/// a vote as well.
///
/// Source: the vote of Stockfish, where the lead in internal units plus 14 is multiplied by the
/// depth.
const VOTE_OFFSET: i32 = 14;

/// The limits of a search by several threads, and the terms of their vote.
pub(crate) struct Threads<'a> {
    /// The first thread obeys all of it. The limits of nodes are for all threads together.
    pub(crate) budget: &'a Budget,
    /// Set by a search beside this one to end it.
    pub(crate) halt: Option<&'a AtomicBool>,
    /// Number of lines to report. With more than one, the first thread decides alone.
    pub(crate) lines: usize,
    /// The evaluator's centipawns, in which the analyses are.
    pub(crate) units: Units,
}

/// The part of one thread in a search.
pub(crate) struct ThreadPart<'a> {
    pub(crate) history: &'a mut ThreadHistory,
    pub(crate) meter: Meter<'a>,
    /// The first thread alone has a solver; the others find its mates in the transposition table.
    pub(crate) solver: Option<SolverUse<'a>>,
    pub(crate) progress: &'a mut dyn FnMut(&Analysis),
}

impl<'a> Threads<'a> {
    /// Calls `search` on the caller's thread, and at the same time on a thread of its own for each
    /// of the histories but the first. Returns the analysis that wins the vote, and the first
    /// thread's counters.
    pub(crate) fn run<T>(
        &self,
        histories: &mut [ThreadHistory],
        solver: Option<SolverUse<'_>>,
        progress: &mut dyn FnMut(&Analysis),
        search: &(impl Fn(ThreadPart<'_>) -> (Analysis, T) + Sync),
    ) -> (Analysis, T) {
        let (own_history, others) = ThreadHistory::split(histories);
        if others.is_empty() {
            return search(self.alone(own_history, solver, progress));
        }
        let state = SharedState::new();
        // Helpers check the nodes themselves, because the first thread may be asleep.
        let own_budget = self.budget;
        let mut shared = Budget::unlimited();
        (shared.nodes, shared.soft_nodes) = (own_budget.nodes, own_budget.soft_nodes);
        std::thread::scope(|scope| {
            let budget = &shared;
            let state = &state;
            let helpers: Vec<_> = others
                .iter_mut()
                .map(|history| {
                    scope.spawn(move || {
                        let meter = Meter::with_shared_state(budget, state).with_halt(self.halt);
                        let progress = &mut |_: &Analysis| {};
                        let analysis =
                            search(ThreadPart { history, meter, solver: None, progress }).0;
                        if analysis.completed {
                            state.stop();
                        }
                        analysis
                    })
                })
                .collect();
            let meter = Meter::with_shared_state(own_budget, state).with_halt(self.halt);
            let (analysis, counters) =
                search(ThreadPart { history: own_history, meter, solver, progress });
            state.stop();
            let mut analyses = vec![analysis];
            // A helper that panicked loses its vote; the search does not fail.
            analyses.extend(helpers.into_iter().filter_map(|helper| helper.join().ok()));
            (self.choose(analyses, state.nodes()), counters)
        })
    }

    /// Returns the part of a thread that searches alone.
    pub(crate) fn alone<'b>(
        &'b self,
        history: &'b mut ThreadHistory,
        solver: Option<SolverUse<'b>>,
        progress: &'b mut dyn FnMut(&Analysis),
    ) -> ThreadPart<'b> {
        let meter = Meter::new(self.budget).with_halt(self.halt);
        ThreadPart { history, meter, solver, progress }
    }

    /// Chooses among the analyses, those of the first thread first, after this many nodes of all.
    fn choose(&self, mut analyses: Vec<Analysis>, nodes: u64) -> Analysis {
        let own = analyses[0].nodes;
        let time = analyses[0].time;
        let completed = analyses.iter().any(|analysis| analysis.completed);
        if completed {
            // A caller that requests a depth gets no shallower result.
            analyses.retain(|analysis| analysis.completed);
        }
        if self.budget.soft_nodes.is_some() && analyses.iter().any(has_exact_value) {
            // The others were interrupted in the middle of an iteration.
            analyses.retain(has_exact_value);
        }
        let chosen = if self.lines > 1 { 0 } else { vote(&analyses, self.units) };
        let chosen = analyses.swap_remove(chosen);
        Analysis { nodes: nodes.max(own), time, completed, ..chosen }
    }
}

fn has_exact_value(analysis: &Analysis) -> bool {
    analysis.exact_score().is_some()
}

/// Returns the index of the analysis that wins the vote.
///
/// Each analysis votes for its move with its depth times its lead over the worst one. A proven mate
/// needs no votes.
fn vote(analyses: &[Analysis], units: Units) -> usize {
    let offset = units.score(VOTE_OFFSET).raw().max(1);
    let score = |analysis: &Analysis| analysis.score().map_or(i32::MIN / 2, |score| score.raw());
    let worst = analyses.iter().map(score).min().unwrap_or(0);
    let weight = |analysis: &Analysis| {
        i64::from(score(analysis) - worst + offset) * i64::from(analysis.depth)
    };
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
                let own = votes(analysis.best_move());
                let other = votes(leader.best_move());
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
    use komadai_core::{Line, Pv, Score};

    use super::*;

    fn analysis(m: &str, score: Score, depth: u32) -> Analysis {
        let pv = Pv::from_parts(m.parse().unwrap(), &[]);
        let lines = vec![Line::exact(score, pv)];
        Analysis { depth, lines, ..Analysis::default() }
    }

    #[test]
    fn the_majority_wins_unless_one_is_much_deeper_and_better() {
        let a = || analysis("7g7f", Score::cp(20), 10);
        let b = || analysis("2g2f", Score::cp(25), 10);
        assert_eq!(vote(&[a()], Units::EQUAL), 0);
        assert_ne!(vote(&[b(), a(), a()], Units::EQUAL), 0, "two against one");
        assert_eq!(vote(&[a(), b(), b()], Units::EQUAL), 1);
        let deep = analysis("2g2f", Score::cp(60), 14);
        assert_eq!(vote(&[a(), deep, a()], Units::EQUAL), 1);
    }

    #[test]
    fn a_mate_beats_every_majority_and_the_shortest_wins() {
        let many = analysis("7g7f", Score::cp(900), 20);
        let mate = |plies| analysis("2g2f", Score::mate_in(plies), 5);
        assert_eq!(vote(&[many.clone(), mate(7), many.clone()], Units::EQUAL), 1);
        assert_eq!(vote(&[mate(9), mate(7), many.clone()], Units::EQUAL), 1);
        let mated = analysis("2g2f", Score::mated_in(7), 30);
        assert_eq!(vote(&[mated, many.clone(), many], Units::EQUAL), 1);
        assert_eq!(vote(&[Analysis::default(), Analysis::default()], Units::EQUAL), 0);
    }
}
