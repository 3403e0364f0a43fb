//! Files as other programs write them: which architecture, which scale, which values.

use std::fs;
use std::path::PathBuf;

use komadai_core::Position;
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;
use komadai_nnue::{
    BlockFault, Doubt, Kernels, Network, NetworkError, Nnue, ReadOptions, ScaleSource, StackRule,
};
use komadai_testdata::positions;
use tempfile::tempdir;

use crate::plain::{Form, Plain, SFNN, Set};

/// The description that thirty branches of one trainer write, whatever they train.
const FALSE_TEXT: &str = "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-256](\
                          ClippedReLU[256](AffineTransform[256<-256](ClippedReLU[256](\
                          AffineTransform[256<-512](InputSlice[512(0:512)])))))";

/// Positions with all pieces, and those after some moves.
fn full_positions() -> Vec<Position> {
    let mut positions = Vec::new();
    for start in positions::bench() {
        let mut position = Position::from_sfen(start.sfen).unwrap();
        for step in 0..8 {
            let kings = komadai_core::Color::ALL.map(|side| position.king_square(side));
            let hands: usize = komadai_core::Color::ALL
                .map(|side| position.hand(side).len() as usize)
                .iter()
                .sum();
            let on_board = position.occupied().into_iter().count();
            if kings.iter().all(Option::is_some) && on_board + hands == 40 {
                positions.push(position.clone());
            }
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.do_move(moves[(7 + 11 * step) % moves.len()]);
        }
    }
    assert!(positions.len() >= 20, "{}", positions.len());
    positions
}

/// Compares the values of a network with those of the plain evaluation.
fn check(network: Network, plain: &Plain) {
    let positions = full_positions();
    let expected: Vec<i32> = positions.iter().map(|position| plain.raw(position)).collect();
    let spread = expected.iter().max().unwrap() - expected.iter().min().unwrap();
    assert!(spread > 500, "the values say something: {expected:?}");
    for kernels in Kernels::available() {
        let nnue = Nnue::new(network.clone().with_kernels(kernels));
        for (position, expected) in positions.iter().zip(&expected) {
            let mut state = nnue.refresh(position);
            assert_eq!(nnue.raw(position, &mut state), *expected, "{kernels}: {plain:?}");
            let mut position = position.clone();
            let Some(m) = position.legal_moves().first().copied() else { continue };
            nnue.do_move(&mut position, m, &mut state);
            assert_eq!(nnue.raw(&position, &mut state), plain.raw(&position), "{plain:?}");
        }
    }
    let mut file = Vec::new();
    network.write(&mut file).unwrap();
    let options = ReadOptions {
        stack_rule: network.architecture().stack_rule(),
        progress: network.progress_file(),
    };
    let again = Network::from_bytes_with(&file, &options).unwrap();
    assert_eq!(again.architecture(), network.architecture());
    let (again, position) = (Nnue::new(again), Position::hirate());
    assert_eq!(again.raw(&position, &mut again.refresh(&position)), plain.raw(&position));
}

fn said(network: &Network) -> Vec<String> {
    network.facts().doubts.iter().map(Doubt::to_string).collect()
}

#[test]
fn a_classical_file_with_a_false_description_is_what_its_bytes_are() {
    let plain =
        Plain { set: Set::HalfKp, width: 32, outputs: [16, 64], form: Form::Classical, seed: 1 };
    let network = Network::from_bytes(&plain.file(FALSE_TEXT, 0x5D69_D5B8 ^ 64)).unwrap();
    assert_eq!(network.architecture().to_string(), "halfkp_32x2-16-64");
    assert_eq!(
        said(&network),
        ["its text says 256x2-256-256, its bytes 32x2-16-64; the bytes count"]
    );
    let facts = network.facts();
    assert_eq!((facts.fv_scale, facts.scale_source), (16, ScaleSource::Default));
    let file = facts.file.unwrap();
    assert_eq!(file.features_hash, 0x5D69_D5B8 ^ 64);
    assert_eq!(file.layers_hash, plain.layers_hash());
    check(network, &plain);
}

#[test]
fn a_hash_of_another_set_does_not_count() {
    let outputs = [8, 96];
    let plain = Plain { set: Set::HalfKaHm2, width: 32, outputs, form: Form::Classical, seed: 2 };
    for hash in [0x5F13_4CB8 ^ 64, 0x7F13_4CB8 ^ 64, 0x7F23_4CB8 ^ 64, 0] {
        let network = Network::from_bytes(&plain.file("my net", hash)).unwrap();
        assert_eq!(network.architecture().to_string(), "halfkahm2_32x2-8-96");
        assert_eq!(said(&network), [""; 0]);
        if hash == 0 {
            check(network, &plain);
        }
    }
    let network = Network::from_bytes(&plain.file("my net", 12_345)).unwrap();
    let doubt = Doubt::FirstHash { found: 12_345, expected: 0x7F23_4CB8 ^ 64 };
    assert_eq!(network.facts().doubts, [doubt]);
}

#[test]
fn stacked_files_of_any_width_have_the_values_of_their_bytes() {
    for (set, width, outputs, name) in [
        (Set::Kp, 32, [8, 8], "sfnn_kp_32_7_8_k3k3"),
        (Set::Kp, 18, [8, 64], "sfnn_kp_18_7_64_k3k3"),
        (Set::Kp, 96, [16, 32], "sfnn_kp_96_15_32_k3k3"),
        (Set::Ka2, 128, [16, 32], "sfnn_ka2_128_15_32_k3k3"),
        (Set::HalfKaHm2, 16, [8, 64], "sfnn_halfkahm2_16_7_64_k3k3"),
    ] {
        let plain = Plain { set, width, outputs, form: SFNN, seed: 3 };
        let bytes = plain.file("Network trained with a trainer", 0x5F13_4AB8);
        let network = Network::from_bytes(&bytes).unwrap();
        assert_eq!(network.architecture().to_string(), name);
        let said = said(&network);
        let expected =
            "it does not say how one of its 9 stacks is chosen; k3k3 is assumed".to_owned();
        assert!(said.contains(&expected), "{said:?}");
        check(network, &plain);
        let text = format!("ModelType=SFNNWithoutPsqt;Network={}", name.to_uppercase());
        let network = Network::from_bytes(&plain.file(&text, 0x5F13_4AB8)).unwrap();
        assert_eq!(network.facts().doubts, []);
        let other = "ModelType=SFNNWithoutPsqt;Features=?,Network=SFNN-1536-V2{LayerStack=9}";
        let network = Network::from_bytes(&plain.file(other, 0x5F13_4AB8)).unwrap();
        assert_eq!(network.architecture().to_string(), name);
        assert!(matches!(network.facts().doubts[0], Doubt::Text { .. }));
    }
}

#[test]
fn shards_of_other_groups_do_not_count() {
    for (set, form, name) in [
        (Set::Kp, [64, 64, 8], "sfnn_kp_576_7_64_c64_s64x8_k3k3"),
        (Set::Ka2, [0, 64, 4], "sfnn_ka2_256_7_64_c0_s64x4_k3k3"),
    ] {
        let [common, shard, groups] = form;
        let form = Form::Sfnn { common, shard, groups };
        let width = common + shard * groups;
        let plain = Plain { set, width, outputs: [8, 64], form, seed: 4 };
        let text = format!("ModelType=SFNNWithoutPsqt;Network={}{{", name.to_uppercase());
        let network = Network::from_bytes(&plain.file(&text, 0x5F13_4AB8)).unwrap();
        assert_eq!(network.architecture().to_string(), name);
        assert_eq!(network.facts().doubts, []);
        check(network, &plain);
    }
}

/// A file of zeros with the largest first layer.
#[test]
fn the_widest_stacked_file_is_read() {
    let name = "SFNN_ka2_8192_7_64_c0_s1024x8_k3k3";
    let text = format!("ModelType=SFNNWithoutPsqt;Network={name}");
    let (width, inputs) = (8_192, 1_791);
    let mut file = Vec::new();
    for number in [0x7AF3_2F16, 0, text.len() as u32] {
        file.extend(number.to_le_bytes());
    }
    file.extend(text.as_bytes());
    file.extend(0x5F13_4AB8_u32.to_le_bytes());
    for len in [width, width * inputs] {
        file.extend(b"COMPRESSED_LEB128");
        file.extend((len as u32).to_le_bytes());
        file.resize(file.len() + len, 0);
    }
    for _ in 0..9 {
        file.extend(0x6333_718A_u32.to_le_bytes());
        let layers = 8 * (4 + width) + 64 * (4 + 32) + 4 + 64;
        file.resize(file.len() + layers, 0);
    }
    let network = Network::from_bytes(&file).unwrap();
    assert_eq!(network.architecture().to_string(), name.to_lowercase());
    let nnue = Nnue::new(network);
    assert_eq!(nnue.evaluate_position(&Position::hirate()).raw(), 0);
}

fn layer_stack_text(name: &str, rest: &str) -> String {
    format!(
        "Features={name}(Friend)[73305->16x2],{rest}Network=AffineTransform[1<-32](ClippedReLU[32](\
         AffineTransform[32<-14](SqrClippedReLU[14](AffineTransform[8<-32](\
         InputSlice[32(0:32)])))))"
    )
}

#[test]
fn layer_stack_files_have_the_values_of_their_bytes() {
    let of = |form| Plain { set: Set::HalfKaHm2, width: 16, outputs: [8, 32], form, seed: 5 };
    let text = layer_stack_text("HalfKaHmMerged", "");
    // Nine stacks without progress.bin.
    let plain =
        of(Form::LayerStack { stacks: 9, is_named: false, has_psqt: false, by_progress: false });
    let network = Network::from_bytes(&plain.file(&text, 0x7F13_4CB8 ^ 32)).unwrap();
    let name = "layerstack_halfkahm2_16_8_32_x9_kingrank9";
    assert_eq!(network.architecture().to_string(), name);
    let assumed = "kingrank9".to_owned();
    assert_eq!(network.facts().doubts, [Doubt::Stacks { stacks: 9, assumed }]);
    let facts = network.facts();
    assert_eq!((facts.fv_scale, facts.scale_source), (28, ScaleSource::Default));
    check(network, &plain);
    // Seven stacks, with values of the pieces, by progress.
    let plain =
        of(Form::LayerStack { stacks: 7, is_named: true, has_psqt: true, by_progress: true });
    let text = layer_stack_text("HalfKaHmMerged", "PSQT=7,") + ",fv_scale=31";
    let bytes = plain.file(&text, 0x7F13_4CB8 ^ 32);
    let error = Network::from_bytes(&bytes).unwrap_err();
    assert!(matches!(error, NetworkError::NoStackRule { stacks: 7 }), "{error}");
    let folder = tempdir().unwrap();
    let path = folder.path().join("nn.bin");
    fs::write(&path, &bytes).unwrap();
    fs::write(folder.path().join("progress.bin"), plain.progress_file()).unwrap();
    let network = Network::open(&path).unwrap();
    let name = "layerstack_halfkahm2_16_8_32_x7_progress8kpabs_psqt";
    assert_eq!(network.architecture().to_string(), name);
    let facts = network.facts();
    assert_eq!((facts.fv_scale, facts.scale_source), (31, ScaleSource::Text));
    let used: std::collections::BTreeSet<usize> =
        full_positions().iter().map(|position| plain.stack_of(position)).collect();
    assert!(used.len() >= 3, "{used:?}");
    check(network, &plain);
    // The rule is a choice.
    let options = ReadOptions { stack_rule: Some(StackRule::KingRank9), ..ReadOptions::default() };
    let network = Network::open_with(&path, &options).unwrap();
    assert_eq!(network.facts().doubts, []);
    let form = Form::LayerStack { stacks: 7, is_named: true, has_psqt: true, by_progress: false };
    check(network, &of(form));
    fs::write(folder.path().join("progress.bin"), [0; 1_000]).unwrap();
    let error = Network::open(&path).unwrap_err();
    assert!(matches!(error, NetworkError::ProgressLength { found: 1_000 }), "{error}");
}

#[test]
fn other_kinds_are_refused_with_their_names() {
    let form = Form::LayerStack { stacks: 9, is_named: true, has_psqt: false, by_progress: false };
    let plain = Plain { set: Set::Kp, width: 16, outputs: [8, 32], form, seed: 6 };
    for word in ["Threat=216720,", "Threat=216720,ThreatProfile=3,", "EffectBucket=2x2fixed,"] {
        let text = layer_stack_text("HalfKaHmMerged", word);
        let error = Network::from_bytes(&plain.file(&text, 0)).unwrap_err();
        let name = word.split('=').next().unwrap();
        assert!(error.to_string().contains(name), "{error}");
    }
    let stacked = Plain { form: SFNN, ..plain.clone() };
    let mut file = stacked.file("Network trained with a trainer", 0x5F13_4AB8);
    let block = file.windows(17).position(|bytes| bytes == b"COMPRESSED_LEB128").unwrap();
    file.insert(block, b'_');
    match Network::from_bytes(&file) {
        Err(NetworkError::Block { at, fault: BlockFault::Start { found } }) => {
            assert_eq!((at, found.as_str()), (block as u64, "_COMPRESSED_LEB12"));
        }
        other => panic!("{other:?}"),
    }
    file[..4].copy_from_slice(&0x7AF3_2F17_u32.to_le_bytes());
    let error = Network::from_bytes(&file).unwrap_err();
    assert!(matches!(error, NetworkError::Version { found: 0x7AF3_2F17 }), "{error}");
}

#[test]
fn damaged_foreign_files_are_errors_at_their_place() {
    let classical =
        Plain { set: Set::Kp, width: 32, outputs: [8, 8], form: Form::Classical, seed: 7 };
    let form = Form::LayerStack { stacks: 9, is_named: true, has_psqt: true, by_progress: false };
    let layers = Plain { width: 16, outputs: [8, 32], form, ..classical.clone() };
    let stacked = Plain { form: SFNN, ..layers.clone() };
    let files = [
        classical.file(FALSE_TEXT, 0),
        layers.file(&layer_stack_text("K+P", "PSQT=9,"), 0),
        stacked.file("Network trained with a trainer", 0),
    ];
    for file in files {
        assert!(Network::from_bytes(&file).is_ok());
        let cuts = (0..file.len().min(400)).chain((400..file.len()).step_by(2_003));
        for len in cuts {
            assert!(Network::from_bytes(&file[..len]).is_err(), "{len}");
        }
        let mut longer = file.clone();
        longer.push(0);
        assert!(Network::from_bytes(&longer).is_err());
        // Lengths of four gigabytes take no memory.
        for at in (0..file.len().min(400) - 4).chain([file.len() - 4]) {
            let mut huge = file.clone();
            huge[at..at + 4].fill(0xFF);
            let _ = Network::from_bytes(&huge);
        }
    }
    let mut file = classical.file("my net", 0);
    let place = file.len() - (4 + 8 * (4 + 64) + 8 * (4 + 32) + 4 + 32);
    file[place] ^= 1;
    match Network::from_bytes(&file).unwrap_err() {
        NetworkError::Hash { at, expected, .. } => {
            assert_eq!((at, expected), (place as u64, classical.layers_hash()));
        }
        error => panic!("{error}"),
    }
}

#[test]
fn the_scale_comes_from_the_strongest_place_that_names_one() {
    let plain = Plain { set: Set::Kp, width: 32, outputs: [8, 8], form: Form::Classical, seed: 8 };
    let folder = tempdir().unwrap();
    let path = folder.path().join("nn.bin");
    let facts = |path: &PathBuf| {
        let network = Network::open(path).unwrap();
        let nnue = Nnue::new(network.clone());
        let facts = network.facts();
        assert_eq!((nnue.fv_scale(), nnue.scale_source()), (facts.fv_scale, facts.scale_source));
        (facts.fv_scale, facts.scale_source, said(&network))
    };
    fs::write(&path, plain.file("my net", 0)).unwrap();
    assert_eq!(facts(&path), (16, ScaleSource::Default, Vec::new()));
    fs::write(&path, plain.file("my net,fv_scale=13", 0)).unwrap();
    assert_eq!(facts(&path), (13, ScaleSource::Text, Vec::new()));
    let options = folder.path().join("eval_options.txt");
    fs::write(&options, "Threads 4\r\nFV_SCALE 40\r\n").unwrap();
    assert_eq!(facts(&path), (40, ScaleSource::EvalOptions, Vec::new()));
    let nnue = Nnue::new(Network::open(&path).unwrap()).with_fv_scale(24);
    assert_eq!((nnue.fv_scale(), nnue.scale_source()), (24, ScaleSource::Option));
    fs::write(&options, "FV_SCALE 400").unwrap();
    let doubt = "eval_options.txt has the scale \"400\", expected a number from 1 to 128";
    assert_eq!(facts(&path), (13, ScaleSource::Text, vec![doubt.to_owned()]));
}

/// A file of another program with its values; see `docs/networks.md`.
#[test]
#[ignore = "needs KOMADAI_PUBLIC_NETWORK, a folder with nn.bin and expected.tsv"]
fn a_public_file_has_its_values() {
    let folder = PathBuf::from(std::env::var("KOMADAI_PUBLIC_NETWORK").unwrap());
    let nnue = Nnue::new(Network::open(folder.join("nn.bin")).unwrap());
    println!("{:?}", nnue.network().facts());
    let expected = fs::read_to_string(folder.join("expected.tsv")).unwrap();
    let mut compared = 0;
    for line in expected.lines().skip(1) {
        let (sfen, value) = line.split_once('\t').unwrap();
        let position = Position::from_sfen(sfen).unwrap();
        let found = nnue.value(&position, &mut nnue.refresh(&position));
        assert_eq!(found, value.parse::<i32>().unwrap(), "{sfen}");
        compared += 1;
    }
    println!("{compared} values are equal");
}
