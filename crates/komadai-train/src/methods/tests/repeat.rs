//! The same method twice, and weights without use.

use std::sync::Arc;

use komadai_nnue::linear::{FeatureGroups, LinearEvaluator};

use super::planted::{planted_data, planted_model};
use crate::methods::{Bonanza, BonanzaOptions, Method, MethodKind, Regression, RegressionOptions};

fn bytes(method: &dyn Method) -> Vec<u8> {
    let mut bytes = Vec::new();
    LinearEvaluator::of(method.model()).write(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_seed_repeats_every_bit() {
    let data = Arc::new(planted_data(&planted_model(), 4));
    for kind in MethodKind::ALL {
        let steps = |seed| {
            let mut method = kind.start(FeatureGroups::P | FeatureGroups::KP, &data, seed);
            // A round of MMTO, or a game of TD-Leaf, and some searches of the others.
            let steps = match kind {
                MethodKind::Mmto => 300,
                MethodKind::TdLeaf => 400,
                _ => 20,
            };
            (0..steps).for_each(|_| method.step());
            method
        };
        let (one, again) = (steps(1), steps(1));
        assert!(one.positions() > 0, "{kind}");
        assert!(one.model() == again.model(), "{kind}");
        assert!(bytes(&*one) == bytes(&*again), "{kind}");
        // A root with the value that its material has teaches nothing, whatever the game.
        if kind != MethodKind::RootStrap {
            assert!(one.model() != steps(2).model(), "{kind}");
        }
    }
}

#[test]
fn a_pull_makes_exact_zeros() {
    let data = Arc::new(planted_data(&planted_model(), 12));
    let groups = FeatureGroups::P | FeatureGroups::KP;
    let zeros = |method: &mut dyn Method, weights: &mut Vec<bool>| {
        while method.positions() < 5_000 {
            method.step();
        }
        weights.resize(groups.weights(), false);
        let found = method.model().weights().iter().zip(&mut *weights);
        // The weights that were used at least once with no pull.
        found.fold((0, 0), |(zeros, used), (weight, was_used)| {
            let is_zero = *weight == 0.0;
            *was_used |= !is_zero;
            (zeros + usize::from(*was_used && is_zero), used + usize::from(*was_used))
        })
    };
    let regression = |l1| {
        let options = RegressionOptions { l1, ..RegressionOptions::default() };
        Regression::new(groups, data.clone(), options, 1)
    };
    let bonanza = |l1| {
        let options = BonanzaOptions { l1, ..BonanzaOptions::default() };
        Bonanza::new(groups, data.clone(), options, 1)
    };
    let check = |free: &mut dyn Method, pulled: &mut dyn Method| {
        let mut used = Vec::new();
        assert_eq!(zeros(free, &mut used).0, 0);
        let (zeros, used) = zeros(pulled, &mut used);
        assert!(4 * zeros > used, "{zeros} of {used}");
    };
    check(&mut regression(0.0), &mut regression(1.0));
    check(&mut bonanza(0.0), &mut bonanza(1.0));
}
