//! Conversions of files.

use std::fs;
use std::path::{Path, PathBuf};

use komadai_networks::{ConvertError, ConvertOptions, NetworkForm, convert};
use komadai_nnue::{ConversionError, Network, ReadOptions, ScaleSource, StackRule};

fn write(folder: &Path, name: &str, network: &Network) -> PathBuf {
    let path = folder.join(name);
    let mut file = Vec::new();
    network.write(&mut file).unwrap();
    fs::write(&path, file).unwrap();
    path
}

fn random(name: &str) -> Network {
    Network::random(name.parse().expect(name), 3)
}

#[test]
fn a_lying_header_is_mended_and_a_true_one_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let network = random("halfkp_32x2-8-8");
    let [original, mended] = ["original.bin", "mended.bin"].map(|name| folder.path().join(name));
    write(folder.path(), "original.bin", &network);
    let bytes = fs::read(&original).unwrap();
    // Another text of another length, and false hashes.
    let text = b"Features=HalfKP(Friend)[125388->256x2],Network=none";
    let length = (text.len() as u32).to_le_bytes();
    let rest = 12 + network.description().len();
    let mut lying = [&bytes[..4], &[7; 4], &length, text, &bytes[rest..]].concat();
    lying[12 + text.len()..][..4].fill(9);
    let lying_path = folder.path().join("lying.bin");
    fs::write(&lying_path, lying).unwrap();
    let report = convert(&lying_path, &mended, &ConvertOptions::default()).unwrap();
    assert_eq!(fs::read(&mended).unwrap(), bytes);
    assert_eq!((report.compared, report.handicaps_differ), (462, false));
    assert_ne!(report.texts[0], report.texts[1]);
    // A true file is copied.
    let copy = folder.path().join("copy.bin");
    convert(&original, &copy, &ConvertOptions::default()).unwrap();
    assert_eq!(fs::read(&copy).unwrap(), bytes);
    // A text of one's own, and a scale.
    let text = Some(format!("{},Origin=a test", network.description()));
    let options = ConvertOptions { text, fv_scale: Some(24), ..ConvertOptions::default() };
    convert(&original, &copy, &options).unwrap();
    let read = Network::open(&copy).unwrap();
    assert!(read.description().ends_with(",Origin=a test,fv_scale=24"));
    assert_eq!((read.facts().fv_scale, read.facts().scale_source), (24, ScaleSource::Text));
    assert_eq!(read.facts().doubts, []);
    // Another scale takes the place of the stated one.
    let options = ConvertOptions { fv_scale: Some(32), ..ConvertOptions::default() };
    convert(&copy, &mended, &options).unwrap();
    let text = fs::read(&mended).unwrap();
    assert_eq!(text.windows(9).filter(|part| part == b"fv_scale=").count(), 1);
    assert_eq!(Network::open(&mended).unwrap().facts().fv_scale, 32);
}

#[test]
fn the_scale_beside_a_file_goes_into_its_text() {
    let folder = tempfile::tempdir().unwrap();
    let input = write(folder.path(), "nn.bin", &random("kp_32x2-8-8"));
    fs::write(folder.path().join("eval_options.txt"), "FV_SCALE 40\n").unwrap();
    let other = tempfile::tempdir().unwrap();
    let output = other.path().join("nn.bin");
    convert(&input, &output, &ConvertOptions::default()).unwrap();
    assert_eq!(Network::open(&output).unwrap().facts().fv_scale, 40);
}

#[test]
fn both_forms_lead_to_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let input =
        write(folder.path(), "ls.bin", &random("layerstack_halfkahm2_64_16_32_x9_kingrank9"));
    let paths = ["sfnn.bin", "back.bin", "again.bin"].map(|name| folder.path().join(name));
    let to = |form| ConvertOptions { form: Some(form), ..ConvertOptions::default() };
    let report = convert(&input, &paths[0], &to(NetworkForm::YaneuraOu)).unwrap();
    assert_eq!(report.fv_scales, [28, 28]);
    assert!(report.texts[1].ends_with(",fv_scale=28"), "{}", report.texts[1]);
    let sfnn = Network::open(&paths[0]).unwrap();
    assert_eq!((sfnn.facts().fv_scale, sfnn.facts().doubts.len()), (28, 0));
    convert(&paths[0], &paths[1], &to(NetworkForm::Rshogi)).unwrap();
    convert(&paths[1], &paths[2], &to(NetworkForm::YaneuraOu)).unwrap();
    assert_eq!(fs::read(&paths[0]).unwrap(), fs::read(&paths[2]).unwrap());
    // YaneuraOu sees the pieces that are missing in a handicap game.
    let input = write(folder.path(), "yo.bin", &random("sfnn_halfkahm2_64_15_32_k3k3"));
    let report = convert(&input, &paths[1], &to(NetworkForm::Rshogi)).unwrap();
    assert!(report.handicaps_differ);
    assert_eq!(report.fv_scales, [16, 16]);
}

#[test]
fn what_has_no_other_form_is_refused_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.bin");
    let to = |form| ConvertOptions { form: Some(form), ..ConvertOptions::default() };
    let classical = write(folder.path(), "classical.bin", &random("kp_32x2-8-8"));
    let error = convert(&classical, &output, &to(NetworkForm::Rshogi)).unwrap_err();
    assert!(matches!(error, ConvertError::Form(ConversionError::NotStacked { .. })), "{error}");
    let rule = random("layerstack_halfkp_64_16_32_x4_kingrank9");
    let path = write(folder.path(), "rule.bin", &rule);
    let error = convert(&path, &output, &to(NetworkForm::YaneuraOu)).unwrap_err();
    assert!(matches!(error, ConvertError::Network(_)), "{error}");
    let read = ReadOptions { stack_rule: Some(StackRule::KingRank9), ..ReadOptions::default() };
    let options = ConvertOptions { read: read.clone(), ..to(NetworkForm::YaneuraOu) };
    let error = convert(&path, &output, &options).unwrap_err();
    assert!(matches!(error, ConvertError::Form(ConversionError::Rule { .. })), "{error}");
    assert!(!output.exists());
    // Its header can be written again, with the rule.
    convert(&path, &output, &ConvertOptions { read, ..ConvertOptions::default() }).unwrap();
    assert_eq!(fs::read(&output).unwrap(), fs::read(&path).unwrap());
    fs::remove_file(&output).unwrap();
    // A bias just below the limit, which sums exceed: 16,300 as signed LEB128, then zeros.
    let large =
        write(folder.path(), "large.bin", &random("layerstack_halfkahm2_64_16_32_x9_kingrank9"));
    let bytes = fs::read(&large).unwrap();
    let magic = b"COMPRESSED_LEB128";
    let at = bytes.windows(magic.len()).position(|part| part == magic).unwrap() + magic.len();
    let length = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let biases = [&[0xAC, 0xFF, 0x00][..], &[0; 63]].concat();
    let new_length = (biases.len() as u32).to_le_bytes();
    let file = [&bytes[..at], &new_length, &biases, &bytes[at + 4 + length..]].concat();
    fs::write(&large, file).unwrap();
    let error = convert(&large, &output, &to(NetworkForm::YaneuraOu)).unwrap_err();
    assert!(matches!(error, ConvertError::Sum { found: 16_384.., .. }), "{error}");
    assert!(!output.exists());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "no draft is left");
}
