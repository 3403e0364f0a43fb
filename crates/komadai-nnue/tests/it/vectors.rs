//! Values of other programs, bit for bit.

use komadai_core::Position;
use komadai_eval::Evaluator;
use komadai_nnue::{Architecture, Kernels, Network, Nnue};
use komadai_testdata::networks::{NetworkValues, SEED, networks};

fn check(NetworkValues { architecture: name, values }: NetworkValues) {
    let architecture: Architecture = name.parse().unwrap();
    let network = Network::random(architecture, SEED);
    assert!(values.len() >= 100, "{name}: {} values", values.len());
    for kernels in Kernels::available() {
        let nnue = Nnue::new(network.clone().with_kernels(kernels)).with_fv_scale(16);
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
fn small_networks_give_the_values_of_other_programs() {
    let is_small = |values: &NetworkValues| {
        let name = values.architecture;
        // Of the kinds of stacks, one with classes of hands, kings and progress.
        name.starts_with("kp_")
            || name.ends_with("_hand4_k9k9z_progress3")
            || name.ends_with("_128_16_32")
            || name.starts_with("sfnn_kp_32")
            || name.starts_with("layerstack_halfkp_64")
    };
    assert_eq!(networks().filter(is_small).map(check).count(), 5);
}

#[test]
#[ignore = "takes minutes and 600 MB: cargo test --release -p komadai-nnue -- --ignored architecture"]
fn every_architecture_gives_the_values_of_other_programs() {
    networks().for_each(check);
}
