//! A panic of one thread of a search: the search of the others ends and has a result.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, ThreadId};

use komadai_core::{Budget, Position, Score};
use komadai_eval::{Evaluator, Material};
use komadai_search::monte_carlo::{MonteCarlo, MonteCarloOptions};
use komadai_search::selective::{RealizationOptions, Selective};
use komadai_search::{AlphaBeta, SearchOptions, Searcher};

/// Panics after some positions on the thread that made it, or on all others.
struct Faulty {
    first: ThreadId,
    on_first: bool,
    calls: AtomicU32,
    panics: AtomicU32,
}

impl Faulty {
    fn new(on_first: bool) -> Self {
        let first = thread::current().id();
        Self { first, on_first, calls: AtomicU32::new(0), panics: AtomicU32::new(0) }
    }
}

impl Evaluator for Faulty {
    type State = ();

    fn refresh(&self, _: &Position) {}

    fn evaluate(&self, position: &Position, (): &mut ()) -> Score {
        let is_first = thread::current().id() == self.first;
        if is_first == self.on_first && self.calls.fetch_add(1, Ordering::Relaxed) > 500 {
            self.panics.fetch_add(1, Ordering::Relaxed);
            panic!("a fault of the evaluator, which this test needs");
        }
        Material.evaluate_position(position)
    }
}

fn tree(evaluator: &Faulty) -> MonteCarlo<&Faulty> {
    let mut options = MonteCarloOptions::modern();
    // With less memory the tree becomes full, and the helpers start again.
    options.search = SearchOptions { threads: 3, hash_mib: 128, ..SearchOptions::default() };
    MonteCarlo::new(evaluator, options)
}

#[test]
fn a_search_loses_the_helpers_that_panic_and_nothing_else() {
    let (position, budget) = (Position::hirate(), Budget::nodes(100_000));
    let faulty = Faulty::new(false);
    let analysis = tree(&faulty).search(&position, &budget, &mut |_| {});
    assert!(analysis.best_move().is_some() && analysis.nodes >= 100_000);
    assert_eq!(faulty.panics.load(Ordering::Relaxed), 2);

    let faulty = Faulty::new(false);
    let options = SearchOptions { threads: 3, ..SearchOptions::default() };
    let analysis = AlphaBeta::new(&faulty, options.clone()).search(&position, &budget, &mut |_| {});
    assert!(analysis.best_move().is_some());
    assert_eq!(faulty.panics.load(Ordering::Relaxed), 2);

    let faulty = Faulty::new(false);
    let options = RealizationOptions { search: options, ..RealizationOptions::default() };
    let mut selective = Selective::realization_probability(&faulty, options);
    let analysis = selective.search(&position, &budget, &mut |_| {});
    assert!(analysis.best_move().is_some());
    assert_eq!(faulty.panics.load(Ordering::Relaxed), 2);
}

#[test]
fn a_panic_of_the_first_thread_ends_the_others() {
    let faulty = Faulty::new(true);
    let mut searcher = tree(&faulty);
    let search = || searcher.search(&Position::hirate(), &Budget::unlimited(), &mut |_| {});
    assert!(catch_unwind(AssertUnwindSafe(search)).is_err());
}
