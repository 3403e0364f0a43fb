//! The analysis of many positions by several analysts in parallel.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use komadai_core::{Analysis, Analyst, AnalystError, Budget, Position};

/// The end of a batch of analyses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum BatchEnd {
    /// All positions were analysed, or their analysts failed.
    Done,
    /// The stop flag of the budget was set; the remaining positions were not analysed.
    Stopped,
}

/// Analyses each position once with the whole budget, on one thread per analyst. Calls `on_result`
/// on the calling thread with the index of a position and its result.
///
/// Results are passed on in the order of the positions, each as early as this order allows.
/// Analysts [forget](Analyst::forget) before each position, so a result does not depend on the
/// analyst that computed it: with a node budget all results are the same for any number of
/// analysts. An analysis that the stop flag of the budget interrupts gives no result; finished
/// analyses are still passed on.
///
/// # Panics
///
/// Panics if an analyst does.
///
/// # Examples
///
/// ```
/// use komadai_book::{BatchEnd, analyse_all};
/// use komadai_core::{Analysis, Analyst, AnalystError, AnalystId, Budget, Position};
///
/// struct Counter;
///
/// impl Analyst for Counter {
///     fn identity(&self) -> AnalystId {
///         AnalystId::new("counter", "1")
///     }
///
///     fn analyse(&mut self, position: &Position, _: &Budget) -> Result<Analysis, AnalystError> {
///         let nodes = komadai_movegen::count_legal(position);
///         Ok(Analysis { nodes, ..Analysis::default() })
///     }
/// }
///
/// let positions = [Position::hirate(), Position::hirate().flipped()];
/// let mut nodes = 0;
/// let end = analyse_all(&mut [Counter, Counter], &positions, &Budget::unlimited(), |_, result| {
///     nodes += result.map_or(0, |analysis| analysis.nodes);
/// });
/// assert_eq!((end, nodes), (BatchEnd::Done, 60));
/// ```
pub fn analyse_all<A: Analyst>(
    analysts: &mut [A],
    positions: &[Position],
    budget: &Budget,
    mut on_result: impl FnMut(usize, Result<Analysis, AnalystError>),
) -> BatchEnd {
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for analyst in analysts {
            let sender = sender.clone();
            let next = &next;
            scope.spawn(move || {
                while !budget.is_stopped() {
                    // Relaxed: the counter orders nothing but itself.
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(position) = positions.get(index) else { return };
                    analyst.forget();
                    let result = analyst.analyse(position, budget);
                    // The result of an interrupted search depends on the moment of the
                    // interruption.
                    if budget.is_stopped() || sender.send((index, result)).is_err() {
                        return;
                    }
                }
            });
        }
        // The results end when the last thread drops its sender.
        drop(sender);
        // Results that arrived before a result of smaller index.
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (index, result) in results {
            early.insert(index, result);
            while let Some(result) = early.remove(&due) {
                on_result(due, result);
                due += 1;
            }
        }
        early.into_iter().for_each(|(index, result)| on_result(index, result));
    });
    if budget.is_stopped() { BatchEnd::Stopped } else { BatchEnd::Done }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use komadai_core::AnalystId;

    /// Reports, as nodes, the number of positions that it has analysed since it last forgot.
    struct Learner {
        seen: u64,
        stop: Arc<AtomicBool>,
        stop_at: u64,
    }

    impl Analyst for Learner {
        fn identity(&self) -> AnalystId {
            AnalystId::new("learner", "")
        }

        fn analyse(&mut self, position: &Position, _: &Budget) -> Result<Analysis, AnalystError> {
            self.seen += 1;
            let ply = position.ply();
            if u64::from(ply) == self.stop_at {
                self.stop.store(true, Ordering::Relaxed);
            }
            if ply % 10 == 9 {
                let engine = "learner".to_owned();
                return Err(AnalystError::Silent { engine, waited_ms: 1, stderr: String::new() });
            }
            Ok(Analysis { nodes: self.seen, depth: ply, ..Analysis::default() })
        }

        fn forget(&mut self) {
            self.seen = 0;
        }
    }

    /// For each result the index of its position, its nodes and its depth.
    type Results = Vec<(usize, Option<(u64, u32)>)>;

    fn run(analysts: usize, stop_at: u64) -> (BatchEnd, Results) {
        let stop = Arc::new(AtomicBool::new(false));
        let budget = Budget { stop: Some(Arc::clone(&stop)), ..Budget::unlimited() };
        let mut analysts: Vec<_> =
            (0..analysts).map(|_| Learner { seen: 0, stop: Arc::clone(&stop), stop_at }).collect();
        let positions: Vec<_> = (1..=100)
            .map(|ply| {
                let mut setup = komadai_core::Setup::hirate();
                setup.ply = ply;
                Position::from_setup(&setup).unwrap()
            })
            .collect();
        let mut results = Vec::new();
        let end = analyse_all(&mut analysts, &positions, &budget, |index, result| {
            results.push((index, result.ok().map(|analysis| (analysis.nodes, analysis.depth))));
        });
        (end, results)
    }

    #[test]
    fn results_come_in_order_for_any_number_of_analysts() {
        let expected: Vec<_> = (0..100)
            .map(|index| (index as usize, (index % 10 != 8).then_some((1, index + 1))))
            .collect();
        for analysts in [1, 2, 5] {
            assert_eq!(run(analysts, 0), (BatchEnd::Done, expected.clone()));
        }
    }

    #[test]
    fn a_set_flag_ends_the_batch_and_keeps_finished_results() {
        let (end, results) = run(1, 50);
        assert_eq!((end, results.len()), (BatchEnd::Stopped, 49));
    }
}
