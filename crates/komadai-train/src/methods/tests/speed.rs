//! The time of a position in the Bonanza method, beside that with all features of each leaf.

#![expect(clippy::print_stdout, reason = "ignored tests print what they measure")]

use std::sync::Arc;

use komadai_core::Color;
use komadai_movegen::MoveGen as _;
use komadai_nnue::linear::{
    ActiveFeatures, FeatureGroups, LinearEvaluator, LinearInputs, LinearModel,
};

use super::planted::{planted_data, planted_model};
use crate::methods::bonanza::{Rival, loss};
use crate::methods::comparison::CpuTimer;
use crate::methods::gradient::SparseGradient;
use crate::methods::leaf_search::LeafSearch;
use crate::methods::{Bonanza, BonanzaOptions, Method as _};
use crate::network::target::sigmoid;

/// The loss and its gradient by all features of all leaves, that of the desired move first.
fn naive_loss(
    model: &LinearModel,
    leaves: &[LinearInputs],
    temperature: f32,
    gradient: &mut SparseGradient,
) -> f64 {
    let mut active = ActiveFeatures::default();
    let mut values = leaves.iter().map(|leaf| {
        leaf.features(model.groups(), &mut active);
        model.value(leaf, &active)
    });
    let desired = values.next().expect("there is a desired move");
    let chances: Vec<f32> = values.map(|value| sigmoid((value - desired) / temperature)).collect();
    let slope = |chance: f32| chance * (1.0 - chance) / temperature;
    for (leaf, chance) in leaves[1..].iter().zip(&chances) {
        leaf.features(model.groups(), &mut active);
        gradient.add(&active, slope(*chance));
    }
    leaves[0].features(model.groups(), &mut active);
    gradient.add(&active, -chances.iter().map(|chance| slope(*chance)).sum::<f32>());
    chances.iter().map(|chance| f64::from(*chance)).sum()
}

#[test]
#[ignore = "it measures speed"]
fn positions_of_mmto_per_second() {
    let data = Arc::new(planted_data(&planted_model(), 8));
    for groups in ["p", "p+kss", "p+kp+pp"] {
        let groups: FeatureGroups = groups.parse().expect("the groups exist");
        let model = LinearModel::new(groups);
        let evaluator = LinearEvaluator::of(&model);
        let has_move = data.records.iter().filter(|record| record.best_move.is_some());
        let records: Vec<_> = has_move.step_by(3).collect();
        let timed = |work: &mut dyn FnMut()| {
            let timer = CpuTimer::start();
            work();
            1e3 * timer.elapsed().as_secs_f64() / records.len() as f64
        };
        let mut leaves: Vec<Vec<LinearInputs>> = Vec::new();
        let searched = timed(&mut || {
            for record in &records {
                let position = record.position();
                let desired = record.best_move.expect("it has a move");
                leaves.push(all_leaves(&evaluator, &position, desired, position.side()));
            }
        });
        let mut gradient = SparseGradient::new(groups.weights());
        let naive = timed(&mut || {
            for leaves in leaves.iter().filter(|leaves| leaves.len() > 1) {
                for _ in 0..2 {
                    naive_loss(&model, leaves, 60.0, &mut gradient);
                }
            }
        });
        let mut differences: Vec<Vec<Rival>> = Vec::new();
        let compared = timed(&mut || {
            for leaves in leaves.iter().filter(|leaves| leaves.len() > 1) {
                let rivals = leaves[1..].iter();
                differences.push(rivals.map(|leaf| Rival::new(leaf, &leaves[0], groups)).collect());
            }
        });
        let fitted = timed(&mut || {
            for rivals in &differences {
                for _ in 0..2 {
                    loss(&model, rivals, 60.0, Some(&mut gradient));
                }
            }
        });
        let mut method = Bonanza::new(groups, data.clone(), BonanzaOptions::default(), 1);
        let timer = CpuTimer::start();
        while method.positions() < 500 {
            method.step();
        }
        let rate = method.positions() as f64 / timer.elapsed().as_secs_f64();
        println!(
            "{groups}: search {searched:.2} ms a position; two fits by all features {naive:.2} ms, by \
             differences {fitted:.2} ms and {compared:.2} ms to find them; {rate:.0} positions per \
             second of CPU time in all"
        );
    }
}

/// Returns the leaves of the desired move and of all moves near it.
fn all_leaves(
    evaluator: &LinearEvaluator,
    position: &komadai_core::Position,
    desired: komadai_core::Move,
    side: Color,
) -> Vec<LinearInputs> {
    let mut search = LeafSearch::new(evaluator, position.clone(), 0);
    let best = search.value(desired, [-30_000, 30_000]);
    let mut leaves = vec![search.leaf().inputs(side)];
    for m in position.legal_moves().into_iter().filter(|m| *m != desired) {
        let value = search.value(m, [best - 400, best + 400]);
        if (value - best).abs() < 400 {
            leaves.push(search.leaf().inputs(side));
        }
    }
    leaves
}
