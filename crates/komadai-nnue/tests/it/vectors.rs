//! Values of other programs, bit for bit.

use komadai_core::Position;
use komadai_eval::Evaluator;
use komadai_nnue::{Architecture, FeatureSet, Kernels, Network, Nnue};
use komadai_testdata::networks::{NetworkValues, SEED, networks};

/// Parses a name such as `halfkp_256x2-32-32`.
fn architecture(name: &str) -> Option<Architecture> {
    let features = FeatureSet::ALL.into_iter().find(|set| {
        name.strip_prefix(&set.to_string()).is_some_and(|rest| {
            rest.strip_prefix('_').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    })?;
    let widths = name.strip_prefix(&format!("{features}_"))?;
    let (width, hidden) = widths.split_once("x2-")?;
    let (first, second) = hidden.split_once('-')?;
    let number = |text: &str| text.parse().ok();
    Architecture::new(features, number(width)?, number(first)?, number(second)?)
}

fn check(NetworkValues { architecture: name, values }: NetworkValues) {
    let architecture = architecture(name).unwrap_or_else(|| panic!("{name} is supported"));
    let network = Network::random(architecture, SEED);
    assert!(values.len() >= 100, "{name}: {} values", values.len());
    for kernels in Kernels::available() {
        let nnue = Nnue::new(network.clone().with_kernels(kernels));
        assert_eq!(nnue.network().kernels(), kernels);
        for (sfen, expected) in &values {
            let position = Position::from_sfen(sfen).unwrap();
            let found = nnue.value(&position, &mut nnue.refresh(&position));
            assert_eq!(found, *expected, "{name}, {kernels}: {sfen}");
        }
    }
}

#[test]
fn the_classical_network_gives_the_values_of_yaneuraou() {
    check(networks().next().unwrap());
}

#[test]
fn small_first_layers_give_the_values_of_yaneuraou() {
    let is_small = |values: &NetworkValues| values.architecture.starts_with("k-p");
    networks().filter(is_small).for_each(check);
}

#[test]
#[ignore = "takes minutes and 600 MB: cargo test --release -p komadai-nnue -- --ignored architecture"]
fn every_architecture_gives_the_values_of_yaneuraou() {
    let is_classical = |values: &NetworkValues| !values.architecture.starts_with("sfnn");
    networks().filter(is_classical).for_each(check);
}
