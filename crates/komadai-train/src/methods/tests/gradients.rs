//! Gradients of all losses beside finite differences.

use komadai_core::Position;
use komadai_movegen::MoveGen as _;
use komadai_nnue::linear::{ActiveFeatures, FeatureGroups, LinearInputs, LinearModel};
use komadai_testdata::positions;

use crate::methods::bonanza::{self, Rival, seen_by};
use crate::methods::gradient::SparseGradient;
use crate::methods::regression;
use crate::methods::tree_strap::slope;
use crate::network::target::{excess, sigmoid};

/// Positions with their features, and a model with weights of some size.
fn setting() -> (LinearModel, Vec<Position>) {
    let mut model = LinearModel::new(FeatureGroups::P | FeatureGroups::KP);
    for (index, weight) in model.weights_mut().iter_mut().enumerate() {
        *weight = (index % 37) as f32 - 18.0;
    }
    let sfens = positions::bench().map(|position| position.sfen);
    (model, sfens.iter().map(|sfen| Position::from_sfen(sfen).unwrap()).collect())
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-4 * expected.abs().max(found.abs()) + 1e-12
}

/// The derivative of a function by central differences of fourth order.
fn derivative(at: f64, step: f64, f: impl Fn(f64) -> f64) -> f64 {
    let odd = |h: f64| (f(at + h) - f(at - h)) / (2.0 * h);
    (4.0 * odd(step) - odd(2.0 * step)) / 3.0
}

#[test]
fn regression_follows_the_cross_entropy() {
    for (value, score) in [(0.0, 0.0), (300.0, -100.0), (-900.0, 50.0), (40.0, 2_000.0)] {
        let aim = sigmoid(score / 600.0);
        // The loss by the logit; the function of the library has doubles inside.
        let loss = |logit: f64| {
            let x = logit;
            x.max(0.0) + (-x.abs()).exp().ln_1p() - f64::from(aim) * x
        };
        let expected = derivative(f64::from(value) / 600.0, 1e-3, loss);
        let found = f64::from(regression::error(value, score, 600.0));
        assert!(close(found, expected) || (found - expected).abs() < 1e-7, "{value} {score}");
        assert!(excess(value / 600.0, aim) >= -1e-9);
    }
}

#[test]
fn slopes_are_those_of_the_expected_result() {
    for value in [-1_500.0_f32, -200.0, 0.0, 35.0, 700.0] {
        let result = |logit: f64| 4.0 / (1.0 + (-logit).exp());
        let expected = derivative(f64::from(value) / 600.0, 1e-3, result);
        assert!(close(slope(value, 600.0).into(), expected), "{value}");
    }
}

#[test]
fn a_value_changes_with_its_features() {
    let (model, positions) = setting();
    let mut gradient = SparseGradient::new(model.weights().len());
    let mut active = ActiveFeatures::default();
    for position in &positions {
        let inputs = LinearInputs::of(position);
        inputs.features(model.groups(), &mut active);
        gradient.add(&active, 1.0);
        let value = model.value(&inputs, &active);
        for index in active.plus.iter().chain(&active.minus).take(20) {
            let mut other = model.clone();
            other.weights_mut()[*index as usize] += 1.0;
            let change = other.value(&inputs, &active) - value;
            assert_eq!(change, gradient.sum(*index as usize));
        }
        gradient.drain(|_, _| {});
    }
}

#[test]
fn the_loss_of_moves_follows_its_gradient() {
    let (model, positions) = setting();
    let temperature = 90.0;
    for position in &positions {
        let moves = position.legal_moves();
        let mut leaves =
            moves.iter().take(9).map(|m| seen_by(position.side(), &position.after(*m)));
        let base = leaves.next().expect("there are moves");
        let rivals: Vec<Rival> =
            leaves.map(|leaf| Rival::new(&leaf, &base, model.groups())).collect();
        // The same sum by whole values.
        let value = |inputs: &LinearInputs| {
            let mut active = ActiveFeatures::default();
            inputs.features(model.groups(), &mut active);
            model.value(inputs, &active)
        };
        let whole = moves[1..].iter().take(8).map(|m| {
            let leaf = seen_by(position.side(), &position.after(*m));
            f64::from(sigmoid((value(&leaf) - value(&base)) / temperature))
        });
        let whole: f64 = whole.sum();
        assert!(close(bonanza::loss(&model, &rivals, temperature, None), whole));
        let mut gradient = SparseGradient::new(model.weights().len());
        bonanza::loss(&model, &rivals, temperature, Some(&mut gradient));
        let mut sums = Vec::new();
        gradient.clone().drain(|index, sum| sums.push((index, f64::from(sum))));
        sums.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        for (index, found) in sums.into_iter().take(12).filter(|(_, sum)| sum.abs() > 1e-4) {
            let loss = |weight: f64| {
                let mut other = model.clone();
                other.weights_mut()[index] = weight as f32;
                bonanza::loss(&other, &rivals, temperature, None)
            };
            // Weights are whole numbers, so that all sums of numbers with 32 bits are exact.
            let expected = derivative(model.weights()[index].into(), 4.0, loss);
            assert!(close(found, expected), "{index}: {found} {expected}");
        }
    }
}
