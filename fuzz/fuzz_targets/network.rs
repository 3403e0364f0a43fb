//! A network file with changed bytes is a network or an error; a network is written and read back,
//! and evaluates positions.
//!
//! The first byte selects a small network. Then each five bytes replace a byte of its file; the
//! rest is put in place of its end.

#![no_main]

use std::sync::LazyLock;

use komadai_core::Position;
use komadai_eval::Evaluator;
use komadai_nnue::{Architecture, Network, Nnue};
use libfuzzer_sys::fuzz_target;

/// The files of small networks of both kinds.
static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let names = [
        "kp_32x2-8-8",
        "sfnn_kp_64_7_8_k3k3",
        "sfnn_ka2_64_8_8_hand4_progress2",
        "layerstack_kp_16_8_8_x9_kingrank9_psqt",
    ];
    let file = |name: &str| {
        let architecture: Architecture = name.parse().expect("the name of a network");
        let mut file = Vec::new();
        Network::random(architecture, 1).write(&mut file).expect("memory takes everything");
        file
    };
    names.into_iter().map(file).collect()
});

fuzz_target!(|data: &[u8]| {
    let _ = Network::from_bytes(data);
    let Some((&choice, changes)) = data.split_first() else { return };
    let mut file = FILES[usize::from(choice) % FILES.len()].clone();
    let (changes, rest) = changes.as_chunks::<5>();
    for [a, b, c, d, byte] in changes {
        let at = u32::from_le_bytes([*a, *b, *c, *d]) as usize % file.len();
        file[at] = *byte;
    }
    file.truncate(file.len() - rest.len());
    if choice & 0x80 != 0 {
        file.extend(rest);
    }
    let Ok(network) = Network::from_bytes(&file) else { return };
    let mut again = Vec::new();
    network.write(&mut again).expect("memory takes everything");
    let again = Network::from_bytes(&again).expect("as written");
    let position = Position::hirate();
    let (first, second) = (Nnue::new(network), Nnue::new(again));
    assert_eq!(first.evaluate_position(&position), second.evaluate_position(&position));
});
