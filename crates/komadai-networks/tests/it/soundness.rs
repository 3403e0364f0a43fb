//! Checks of networks with known faults.

use komadai_core::Position;
use komadai_eval::scale::sample;
use komadai_networks::check;
use komadai_nnue::{ClassicalWeights, DenseWeights, FeatureSet, Network, Nnue};

/// A network with one output unit of each layer that hears the unit before it: the first unit of the
/// first layer has this bias and this weight for every feature.
fn chain(bias: i16, weight: i16) -> Nnue {
    let mut weights = vec![0; 32 * FeatureSet::KP.inputs()];
    weights.iter_mut().step_by(32).for_each(|number| *number = weight);
    let mut biases = vec![0; 32];
    biases[0] = bias;
    let layers = [(64, 8), (8, 8), (8, 1)].map(|(inputs, outputs): (usize, usize)| {
        let mut weights = vec![0; inputs * outputs];
        weights[0] = 64;
        DenseWeights { biases: vec![0; outputs], weights }
    });
    let architecture = "kp_32x2-8-8".parse().unwrap();
    let weights = ClassicalWeights { architecture, origin: String::new(), biases, weights, layers };
    Nnue::new(Network::try_from(weights).unwrap())
}

fn positions() -> Vec<Position> {
    sample().iter().filter(|position| !position.in_check()).step_by(10).cloned().collect()
}

#[test]
fn dead_and_saturated_units_are_counted() {
    let positions = positions();
    let mut steps = Vec::new();
    // 40 features of 1: the sum is always 50, and no unit but the first ones is alive.
    let found = check(&chain(10, 1), &positions, &mut |done| steps.push(done));
    assert_eq!(steps, [positions.len()]);
    let counts: Vec<_> =
        found.layers.iter().map(|layer| (layer.units, layer.dead, layer.saturated)).collect();
    assert_eq!(counts, [(32, 31, 0), (8, 7, 0), (8, 7, 0)]);
    assert_eq!((found.sums.min, found.sums.max), (0, 50));
    assert_eq!(found.layers[0].at_zero, 31.0 / 32.0);
    // 10 + 40 · 10 is beyond 127, everywhere and in all layers.
    let found = check(&chain(10, 10), &positions, &mut |_| ());
    assert!(found.layers.iter().all(|layer| layer.saturated == 1), "{:?}", found.layers);
    assert_eq!((found.sums.overflows, found.symmetry.turned_differ), (0, 0));
    assert_eq!((found.symmetry.mirrored_max, found.at_limit), (0, 0.0));
    // Such a network knows neither castles nor entered kings.
    assert!(found.castles.iter().all(|castle| !castle.is_right()));
    assert!(found.entered_kings.made_right.unwrap().high < 0.7);
}

#[test]
fn sums_beyond_16_bits_are_found() {
    let positions = positions();
    // 30,000 + 40 · 100 wraps to a number below 0 in 16 bits.
    let found = check(&chain(30_000, 100), &positions, &mut |_| ());
    let all = positions.len() as u64;
    assert_eq!((found.sums.max, found.sums.overflows, found.sums.changed), (34_000, all, all));
    let found = check(&chain(0, 1_000), &positions, &mut |_| ());
    assert_eq!((found.sums.max, found.sums.overflows), (40_000, all));
}

#[test]
fn our_network_is_sound() {
    let nnue = Nnue::new(Network::bundled());
    let found = check(&nnue, &positions(), &mut |_| ());
    assert_eq!((found.sums.overflows, found.symmetry.turned_differ), (0, 0));
    assert!(found.symmetry.mirrored_mean > 1.0);
    assert!(found.castles.iter().all(|castle| castle.is_right()), "{:?}", found.castles);
    assert_eq!(found.entered_kings.made, 200);
}
