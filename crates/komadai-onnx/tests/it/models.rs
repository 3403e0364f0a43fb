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

use crate::random_network::{Network, Numbers, random_network};

/// A small residual network of 20,000 weights.
pub(crate) const SMALL: Network =
    Network { channels: 4, blocks: 1, batch: None, planes2: 57, numbers: Numbers::Single };

/// The same with planes of entering kings.
const ENTERING: Network = Network { planes2: 119, ..SMALL };

fn model(network: Network) -> DlshogiModel {
    DlshogiModel::read(&random_network(network)[..]).unwrap()
}

fn evaluated(network: Network, requests: &[PolicyRequest]) -> Vec<PolicyRequest> {
    let mut requests = requests.to_vec();
    model(network).evaluate(&mut requests).unwrap();
    requests
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

/// Compares results with a table: for each position the value, the logits of the first moves by USI
/// text, and the mean of all.
fn compare(requests: &[PolicyRequest], table: &str, tolerance: f32) {
    let mut lines = table.lines();
    let moves = lines.next().unwrap().split('\t').count() - 2;
    assert_eq!(lines.clone().count(), requests.len());
    for (request, line) in requests.iter().zip(lines) {
        let mut logits: Vec<(String, f32)> = request
            .moves()
            .iter()
            .map(ToString::to_string)
            .zip(request.logits().iter().copied())
            .collect();
        logits.sort_by(|a, b| a.0.cmp(&b.0));
        let mut found = vec![request.value()];
        found.extend(logits.iter().take(moves).map(|(_, logit)| logit));
        found.push(logits.iter().map(|(_, logit)| logit).sum::<f32>() / logits.len() as f32);
        // A position with fewer moves has empty cells.
        let cells = line.split('\t').filter(|cell| !cell.is_empty());
        let expected: Vec<f32> = cells.map(|cell| cell.parse().unwrap()).collect();
        assert_eq!(found.len(), expected.len(), "{line}");
        let is_near = found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < tolerance);
        assert!(is_near, "{found:?} {expected:?}: {:?}", request.position());
    }
}

/// The tables were computed by ONNX Runtime 1.32.0 from the files that `write_the_networks` writes,
/// with planes and labels by cshogi 1.1.0.
#[test]
fn results_equal_those_of_another_runtime() {
    let found = evaluated(SMALL, &requests());
    compare(&found, include_str!("small_network.tsv"), 1e-4);
    let rows = planes::entering_king_rows();
    let entering: Vec<PolicyRequest> =
        rows.map(|row| PolicyRequest::new(Position::from_sfen(row.sfen).unwrap())).collect();
    let found = evaluated(ENTERING, &entering);
    compare(&found, include_str!("entering_network.tsv"), 1e-4);
    // Half precision has three digits; the other runtime's results of its file are as near.
    let found = evaluated(Network { numbers: Numbers::Half, ..ENTERING }, &entering);
    compare(&found, include_str!("entering_network.tsv"), 5e-3);
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

#[test]
fn half_precision_changes_results_no_more_than_its_weights() {
    let requests = requests();
    for (planes2, batch) in [(57, None), (119, None), (119, Some(16))] {
        let network = Network { planes2, batch, ..SMALL };
        let half = evaluated(Network { numbers: Numbers::Half, ..network }, &requests);
        let rounded = evaluated(Network { numbers: Numbers::Rounded, ..network }, &requests);
        let apart = difference(&half, &rounded);
        assert!(apart < 1e-5, "{planes2} {batch:?}: {apart}");
        // The numbers were rounded indeed, and to three digits.
        let apart = difference(&half, &evaluated(network, &requests));
        assert!((1e-5..1e-1).contains(&apart), "{planes2} {batch:?}: {apart}");
    }
}

fn searcher(network: Network, threads: usize) -> MonteCarlo<Material> {
    let mut options = MonteCarloOptions::modern();
    options.temperature = 1.0;
    options.playouts = Some(100);
    options.search.hash_mib = 32;
    options.search.threads = threads;
    let mut searcher = MonteCarlo::new(Material, options);
    searcher.set_policy_value(Some(Arc::new(model(network).with_batch_size(8))));
    searcher
}

#[test]
fn the_tree_search_uses_a_model() {
    let search = |network, threads, sfen: &str| {
        let mut searcher = searcher(network, threads);
        let position = Position::from_sfen(sfen).unwrap();
        let analysis = searcher.search(&position, &Budget::unlimited(), &mut |_| {});
        assert!(searcher.policy_value_error().is_none(), "{:?}", searcher.policy_value_error());
        (analysis, searcher.root_moves().to_vec())
    };
    let startpos = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let (analysis, moves) = search(SMALL, 1, startpos);
    assert!(analysis.completed);
    assert_eq!(moves.iter().map(|m| m.visits).sum::<u32>(), 100);
    assert_eq!(moves, search(SMALL, 1, startpos).1);
    // The priors are those of the model.
    let mut request = [PolicyRequest::new(Position::hirate())];
    model(SMALL).evaluate(&mut request).unwrap();
    let weights: Vec<f32> = request[0].logits().iter().map(|logit| logit.exp()).collect();
    let prior = |m: &RootMove| {
        let index = request[0].moves().iter().position(|found| *found == m.m).unwrap();
        weights[index] / weights.iter().sum::<f32>()
    };
    assert!(moves.iter().all(|m| (m.prior - prior(m)).abs() < 1e-3), "{moves:?}");
    let (analysis, moves) = search(SMALL, 2, startpos);
    assert!(analysis.completed && moves.len() == 30);
    let (analysis, _) = search(SMALL, 2, "4B4/7k1/5+R3/6p2/4R+B+pgs/5G3/9/9/9 b G 1");
    assert_eq!(analysis.score(), Some(Score::mate_in(3)));
    // Eleven pieces in the camp: further inputs, in half precision.
    let entered = "K+P+P+P+P+P+P+P+B/+R+R+B6/9/9/9/9/9/9/4k4 w - 1";
    let half = Network { numbers: Numbers::Half, ..ENTERING };
    let (analysis, moves) = search(half, 1, entered);
    assert!(analysis.completed && analysis.best_move().is_some());
    assert_eq!(moves.iter().map(|m| m.visits).sum::<u32>(), 100);
}

/// Writes the networks of the tests into the folder that the variable names.
#[test]
#[ignore = "writes files for other runtimes"]
fn write_the_networks() {
    let folder = std::env::var_os("KOMADAI_NETWORKS").expect("KOMADAI_NETWORKS names a folder");
    let folder = std::path::Path::new(&folder);
    let half = Network { numbers: Numbers::Half, ..ENTERING };
    for (name, network) in [("small", SMALL), ("entering", ENTERING), ("half", half)] {
        std::fs::write(folder.join(format!("{name}.onnx")), random_network(network)).unwrap();
    }
}
