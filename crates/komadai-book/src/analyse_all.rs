//! Many positions, several analysts.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use komadai_core::{Analysis, Budget, Position};

use crate::analyst::{Analyst, AnalystError};

/// How a batch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BatchEnd {
    /// Every position was analysed, or its analyst failed.
    Done,
    /// The budget's flag was set; the remaining positions were not analysed.
    Stopped,
}

/// Analyses positions on as many threads as there are analysts, each position once and with the whole
/// budget, and hands the results to `on_result`, with the index of the position, on the calling thread.
///
/// Results come in the order of the positions, as soon as that allows. Analysts
/// [forget](Analyst::forget) before each position, so that it does not matter who gets which: with a
/// budget of nodes, everything is the same whatever the number of analysts. An analyst that the
/// budget's flag has interrupted gives no result; what others had finished by then is handed over.
///
/// # Panics
///
/// Panics if an analyst does.
///
/// # Examples
///
/// ```
/// use komadai_book::{Analyst, AnalystError, AnalystId, BatchEnd, analyse_all};
/// use komadai_core::{Analysis, Budget, Position};
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
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while !budget.is_stopped() {
                    // Relaxed: the counter orders nothing but itself.
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(position) = positions.get(index) else { return };
                    analyst.forget();
                    let result = analyst.analyse(position, budget);
                    // What an interrupted search has found depends on the moment.
                    if budget.is_stopped() || sender.send((index, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        // Results that wait for one before them.
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
    use crate::analyst::AnalystId;

    /// Says how many positions it has seen since it last forgot.
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
                return Err(AnalystError::Silent { engine, waited_ms: 1 });
            }
            Ok(Analysis { nodes: self.seen, depth: ply, ..Analysis::default() })
        }

        fn forget(&mut self) {
            self.seen = 0;
        }
    }

    /// Per result its position, nodes and depth.
    type Results = Vec<(usize, Option<(u64, u32)>)>;

    fn run(analysts: usize, stop_at: u64) -> (BatchEnd, Results) {
        let stop = Arc::new(AtomicBool::new(false));
        let budget = Budget::unlimited().with_stop(Arc::clone(&stop));
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
    fn results_come_in_order_whatever_the_number_of_analysts() {
        let expected: Vec<_> = (0..100)
            .map(|index| (index as usize, (index % 10 != 8).then_some((1, index + 1))))
            .collect();
        for analysts in [1, 2, 5] {
            assert_eq!(run(analysts, 0), (BatchEnd::Done, expected.clone()));
        }
    }

    #[test]
    fn a_set_flag_ends_the_batch_and_keeps_what_was_finished() {
        let (end, results) = run(1, 50);
        assert_eq!((end, results.len()), (BatchEnd::Stopped, 49));
    }
}
