use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use komadai_core::{Analysis, Budget, Color, Score};
use komadai_eval::{Classical, Material};
use komadai_testdata::positions;

use super::super::{
    Judge, Leaf, MonteCarlo, MonteCarloOptions, MoveWeights, Playout, PlayoutLearning, PlayoutMoves,
};
use super::*;
use crate::searcher::Searcher;

/// A model that finds one move of each side better than the others, and all positions equal.
#[derive(Debug, Default)]
struct Fond {
    batch_size: usize,
    moves: [Option<Move>; 2],
    calls: AtomicUsize,
    positions: AtomicUsize,
    widest: AtomicUsize,
    /// The number of calls before a failure.
    fails_after: Option<usize>,
    /// The value of every position.
    value: f32,
}

impl Fond {
    fn new(batch_size: usize) -> Self {
        Self { batch_size, value: 0.5, ..Self::default() }
    }
}

impl PolicyValue for Fond {
    fn batch_size(&self) -> usize {
        self.batch_size
    }

    fn evaluate(&self, requests: &mut [PolicyRequest]) -> Result<(), PolicyValueError> {
        let calls = self.calls.fetch_add(1, Ordering::Relaxed);
        self.positions.fetch_add(requests.len(), Ordering::Relaxed);
        self.widest.fetch_max(requests.len(), Ordering::Relaxed);
        if self.fails_after.is_some_and(|most| calls >= most) {
            let positions = requests.len();
            return Err(PolicyValueError::Failed { positions, source: "no power".into() });
        }
        for request in requests {
            request.set_value(self.value);
            let favourite = self.moves[usize::from(request.position().side() == Color::White)];
            let logit = |m| if Some(m) == favourite { 3.0 } else { 0.0 };
            let logits: Vec<f32> = request.moves().iter().map(|&m| logit(m)).collect();
            request.logits_mut().copy_from_slice(&logits);
        }
        Ok(())
    }
}

fn searcher(
    model: impl PolicyValue + 'static,
    playouts: u64,
    threads: usize,
) -> MonteCarlo<Material> {
    let mut options = MonteCarloOptions::modern();
    options.playouts = Some(playouts);
    options.temperature = 1.0;
    options.search.hash_mib = 32;
    options.search.threads = threads;
    let mut searcher = MonteCarlo::new(Material, options);
    searcher.set_policy_value(Some(Arc::new(model)));
    searcher
}

fn search(searcher: &mut MonteCarlo<Material>, sfen: &str) -> Analysis {
    let position = Position::from_sfen(sfen).unwrap();
    searcher.search(&position, &Budget::unlimited(), &mut |_| {})
}

#[test]
fn the_move_that_the_model_prefers_gets_most_visits() {
    for (batch_size, threads) in [(1, 1), (8, 1), (8, 2)] {
        let favourite: Move = "9g9f".parse().unwrap();
        let model = Fond { moves: [Some(favourite), None], ..Fond::new(batch_size) };
        let mut searcher = searcher(model, 400, threads);
        let analysis = search(&mut searcher, positions::STARTPOS);
        let best = searcher.root_moves()[0];
        assert_eq!((analysis.best_move(), best.m), (Some(favourite), favourite));
        // e³ against 29 times 1.
        assert!((best.prior - 20.1 / 49.1).abs() < 1e-2, "{}", best.prior);
        let visits: u32 = searcher.root_moves().iter().map(|m| m.visits).sum();
        assert!(best.visits > visits / 4 && visits >= 400, "{best:?} of {visits}");
        assert!(searcher.policy_value_error().is_none() && analysis.completed);
    }
}

/// A model of moves that does not depend on the moves before: a node gets its priors on its first
/// visit with a model of policy and value, on its second one without, maybe by another line.
#[derive(Debug)]
struct ByNumber;

impl MoveProbability for ByNumber {
    fn scores(&self, _: &Position, moves: &[Move]) -> Vec<f32> {
        moves.iter().map(|m| f32::from(m.to_bits() % 7)).collect()
    }
}

#[test]
fn a_batch_of_one_is_a_tree_with_static_values_at_its_leaves() {
    for bench in positions::bench() {
        let position = Position::from_sfen(bench.sfen).unwrap();
        let mut options = MonteCarloOptions::modern();
        options.search.hash_mib = 32;
        options.playouts = Some(600);
        options.advantages = None;
        options.leaf = Leaf::Playout(Playout {
            moves: PlayoutMoves::Uniform,
            plies: Some(0),
            judge: Judge::Rate,
            learning: PlayoutLearning::Both,
        });
        let run = |model: Option<Arc<dyn PolicyValue>>| {
            let mut searcher = MonteCarlo::new(Classical::default(), options.clone());
            searcher.set_move_probability(Arc::new(ByNumber));
            searcher.set_policy_value(model);
            searcher.search(&position, &Budget::unlimited(), &mut |_| {});
            searcher.root_moves().to_vec()
        };
        let model = EvaluatorPolicy::new(Classical::default(), ByNumber);
        assert_eq!(run(Some(Arc::new(model))), run(None), "{}", bench.name);
    }
}

#[test]
fn a_batch_is_filled_with_different_leaves() {
    let mut searcher = searcher(Fond::new(8), 800, 1);
    let model = Arc::new(Fond::new(8));
    searcher.set_policy_value(Some(model.clone()));
    search(&mut searcher, positions::STARTPOS);
    let calls = model.calls.load(Ordering::Relaxed);
    let evaluated = model.positions.load(Ordering::Relaxed);
    assert_eq!(model.widest.load(Ordering::Relaxed), 8);
    // The root is evaluated alone and is no result.
    assert!(evaluated > 6 * calls, "{evaluated} positions in {calls} calls");
    assert!(evaluated as u64 <= searcher.playouts() + 1);
    assert_eq!(searcher.playouts(), 800);
    let visits: u32 = searcher.root_moves().iter().map(|m| m.visits).sum();
    assert_eq!(visits, 800, "no virtual loss is left");
}

#[test]
fn one_thread_gives_the_same_result_each_time() {
    let run = |_| {
        let mut model = EvaluatorPolicy::new(Classical::default(), MoveWeights);
        model.batch_size = 8;
        let mut searcher = searcher(model, 500, 1);
        search(&mut searcher, positions::MATSURI);
        searcher.root_moves().to_vec()
    };
    let [first, second] = [0, 1].map(run);
    assert_eq!(first, second);
}

#[test]
fn a_batch_of_eight_proves_a_mate_in_three() {
    let sfen = "4B4/7k1/5+R3/6p2/4R+B+pgs/5G3/9/9/9 b G 1";
    for threads in [1, 2] {
        let mut searcher = searcher(Fond::new(8), 20_000, threads);
        let analysis = search(&mut searcher, sfen);
        assert_eq!(analysis.score(), Some(Score::mate_in(3)), "{analysis:?}");
        assert!(searcher.playouts() < 20_000);
    }
}

#[test]
fn a_failing_model_ends_the_search_with_the_moves_found_so_far() {
    for threads in [1, 2] {
        let model = Fond { fails_after: Some(20), ..Fond::new(8) };
        let mut searcher = searcher(model, 10_000, threads);
        let analysis = search(&mut searcher, positions::STARTPOS);
        assert!(analysis.best_move().is_some() && !analysis.completed);
        let error = searcher.policy_value_error().expect("the model fails").to_string();
        assert!(error.starts_with("the model failed on a batch of "), "{error}");
        assert!(searcher.playouts() > 0 && searcher.playouts() < 10_000);
        let visits: u32 = searcher.root_moves().iter().map(|m| m.visits).sum();
        assert_eq!(u64::from(visits), searcher.playouts(), "no virtual loss is left");
        // Without the model the same tree memory works again.
        searcher.set_policy_value(None);
        assert!(search(&mut searcher, positions::STARTPOS).completed);
        assert!(searcher.policy_value_error().is_none());
    }
}

#[test]
fn a_model_that_fails_at_the_root_leaves_the_moves_of_the_other_model() {
    let mut searcher = searcher(Fond { fails_after: Some(0), ..Fond::new(4) }, 100, 1);
    let analysis = search(&mut searcher, positions::STARTPOS);
    assert!(analysis.best_move().is_some() && searcher.policy_value_error().is_some());
    assert_eq!((searcher.playouts(), searcher.root_moves().len()), (0, 30));
}

#[test]
fn numbers_that_are_none_are_errors() {
    let mut searcher = searcher(Fond { value: 1.5, ..Fond::new(1) }, 100, 1);
    search(&mut searcher, positions::STARTPOS);
    let error = searcher.policy_value_error();
    assert!(matches!(error, Some(PolicyValueError::BadValue { value: 1.5, .. })), "{error:?}");

    #[derive(Debug)]
    struct Lazy;
    impl PolicyValue for Lazy {
        fn batch_size(&self) -> usize {
            0
        }
        fn evaluate(&self, requests: &mut [PolicyRequest]) -> Result<(), PolicyValueError> {
            requests.iter_mut().for_each(|request| request.set_value(0.5));
            Ok(())
        }
    }
    searcher.set_policy_value(Some(Arc::new(Lazy)));
    search(&mut searcher, positions::STARTPOS);
    let error = searcher.policy_value_error();
    assert!(matches!(error, Some(PolicyValueError::BadLogit { .. })), "{error:?}");
}

#[test]
fn lines_of_limited_depth_are_evaluated_at_their_end() {
    let mut searcher = searcher(Fond::new(8), 500, 1);
    let mut options = MonteCarloOptions::modern();
    options.tree_plies = Some(1);
    options.playouts = Some(500);
    searcher.options = options;
    searcher.new_game();
    let analysis = search(&mut searcher, positions::STARTPOS);
    assert_eq!(analysis.lines[0].pv.len(), 1);
    assert_eq!(searcher.playouts(), 500);
}

#[test]
fn a_small_memory_is_recycled() {
    let mut searcher = searcher(Fond::new(32), 60_000, 1);
    searcher.options.search.hash_mib = 2;
    searcher.new_game();
    search(&mut searcher, positions::STARTPOS);
    assert_eq!(searcher.playouts(), 60_000);
    assert!(searcher.policy_value_error().is_none());
}
