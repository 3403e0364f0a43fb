//! Models that are read and run.

use std::sync::Arc;

use komadai_core::{Budget, Position, Score};
use komadai_eval::Material;
use komadai_onnx::DlshogiModel;
use komadai_search::Searcher;
use komadai_search::monte_carlo::{
    MonteCarlo, MonteCarloOptions, PolicyRequest, PolicyValue, RootMove,
};
use komadai_testdata::planes;

use crate::random_network::{Network, random_network};

/// A small residual network of 20,000 weights.
pub(crate) const SMALL: Network = Network { channels: 4, blocks: 1, batch: None };

fn model(network: Network) -> DlshogiModel {
    DlshogiModel::read(&random_network(network)[..]).unwrap()
}

fn requests() -> Vec<PolicyRequest> {
    let positions = planes::rows().map(|row| Position::from_sfen(row.sfen).unwrap());
    positions.map(PolicyRequest::new).collect()
}

/// Returns the largest difference between the numbers of two runs.
fn difference(a: &[PolicyRequest], b: &[PolicyRequest]) -> f32 {
    let numbers = |request: &PolicyRequest| [request.logits(), &[request.value()]].concat();
    let pairs = a.iter().zip(b).flat_map(|(a, b)| numbers(a).into_iter().zip(numbers(b)));
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// The table has, for each position of the planes' table, the value, the logits of the first five
/// moves by USI text, and the mean of all. ONNX Runtime 1.32.0 computed it from the file that
/// `write_the_small_network` writes, with planes and labels by cshogi 1.1.0.
#[test]
fn results_equal_those_of_another_runtime() {
    let mut requests = requests();
    model(SMALL).evaluate(&mut requests).unwrap();
    let expected = include_str!("small_network.tsv").lines().skip(1);
    let mut count = 0;
    for (request, line) in requests.iter().zip(expected) {
        let mut numbers = line.split('\t').map(|cell| cell.parse::<f32>().unwrap());
        let mut near = |found: f32| {
            let expected = numbers.next().unwrap();
            assert!(
                (found - expected).abs() < 1e-4,
                "{found} {expected}: {:?}",
                request.position()
            );
        };
        near(request.value());
        let mut moves: Vec<(String, f32)> = request
            .moves()
            .iter()
            .map(ToString::to_string)
            .zip(request.logits().iter().copied())
            .collect();
        moves.sort_by(|a, b| a.0.cmp(&b.0));
        moves.iter().take(5).for_each(|(_, logit)| near(*logit));
        near(moves.iter().map(|(_, logit)| logit).sum::<f32>() / moves.len() as f32);
        count += 1;
    }
    assert_eq!(count, requests.len());
}

#[test]
fn the_size_of_batches_does_not_change_results() {
    let mut expected = requests();
    expected.truncate(20);
    model(SMALL).with_batch_size(1).evaluate(&mut expected).unwrap();
    for (batch, preferred) in [(None, 8), (None, 1_000), (Some(1), 8), (Some(16), 3)] {
        let model = model(Network { batch, ..SMALL }).with_batch_size(preferred);
        assert_eq!(model.batch_size() as u64, batch.unwrap_or(preferred as u64));
        let mut found = requests();
        found.truncate(20);
        model.evaluate(&mut found).unwrap();
        let difference = difference(&expected, &found);
        assert!(difference < 1e-5, "{batch:?}: {difference}");
    }
}

#[test]
fn threads_share_a_model() {
    let model = Arc::new(model(SMALL));
    let mut expected = requests();
    expected.truncate(20);
    model.evaluate(&mut expected).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let mut found = requests();
                found.truncate(20);
                model.evaluate(&mut found).unwrap();
                assert!(difference(&expected, &found) < 1e-6);
            });
        }
    });
}

fn searcher(threads: usize) -> MonteCarlo<Material> {
    let mut options = MonteCarloOptions::modern();
    options.temperature = 1.0;
    options.playouts = Some(100);
    options.search.hash_mib = 32;
    options.search.threads = threads;
    let mut searcher = MonteCarlo::new(Material, options);
    searcher.set_policy_value(Some(Arc::new(model(SMALL).with_batch_size(8))));
    searcher
}

#[test]
fn the_tree_search_uses_a_model() {
    let search = |threads, sfen: &str| {
        let mut searcher = searcher(threads);
        let position = Position::from_sfen(sfen).unwrap();
        let analysis = searcher.search(&position, &Budget::unlimited(), &mut |_| {});
        assert!(searcher.policy_value_error().is_none(), "{:?}", searcher.policy_value_error());
        (analysis, searcher.root_moves().to_vec())
    };
    let startpos = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let (analysis, moves) = search(1, startpos);
    assert!(analysis.completed);
    assert_eq!(moves.iter().map(|m| m.visits).sum::<u32>(), 100);
    assert_eq!(moves, search(1, startpos).1);
    // The priors are those of the model.
    let mut request = [PolicyRequest::new(Position::hirate())];
    model(SMALL).evaluate(&mut request).unwrap();
    let weights: Vec<f32> = request[0].logits().iter().map(|logit| logit.exp()).collect();
    let prior = |m: &RootMove| {
        let index = request[0].moves().iter().position(|found| *found == m.m).unwrap();
        weights[index] / weights.iter().sum::<f32>()
    };
    assert!(moves.iter().all(|m| (m.prior - prior(m)).abs() < 1e-3), "{moves:?}");
    let (analysis, moves) = search(2, startpos);
    assert!(analysis.completed && moves.len() == 30);
    let (analysis, _) = search(2, "4B4/7k1/5+R3/6p2/4R+B+pgs/5G3/9/9/9 b G 1");
    assert_eq!(analysis.score(), Some(Score::mate_in(3)));
}

/// Writes the network of the tests to the file that the variable names.
#[test]
#[ignore = "writes a file for other runtimes"]
fn write_the_small_network() {
    let path = std::env::var_os("KOMADAI_NETWORK").expect("KOMADAI_NETWORK names a file");
    std::fs::write(path, random_network(SMALL)).unwrap();
}
