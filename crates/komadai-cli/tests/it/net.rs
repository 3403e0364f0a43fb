//! `komadai net`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use komadai::core::Position;
use komadai::data::records::{PackedSfenValue, RecordResult};
use komadai::eval::Evaluator as _;
use komadai::eval::scale::sample;
use komadai::nnue::{Network, Nnue};
use serde_json::Value;

use crate::{komadai, text};

fn run(arguments: &[&str]) -> Output {
    komadai("net").args(arguments).output().expect("it starts")
}

fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(&[arguments, &["--json"]].concat())).expect("it is JSON")
}

/// Writes a network of a seed.
fn network(folder: &Path, name: &str, seed: u64) -> PathBuf {
    let path = folder.join(format!("{name}-{seed}.bin"));
    let mut file = Vec::new();
    Network::random(name.parse().expect(name), seed).write(&mut file).unwrap();
    fs::write(&path, file).unwrap();
    path
}

/// Writes records of the bundled positions of games, which the material wins.
fn data(folder: &Path) -> PathBuf {
    let path = folder.join("data.psv");
    let records = sample().iter().flat_map(|position: &Position| {
        let score = komadai::eval::Material.evaluate_position(position).raw() as i16;
        let result = [RecordResult::Loss, RecordResult::Draw, RecordResult::Win]
            [(score.signum() + 1) as usize];
        PackedSfenValue::new(position, score, None, result).unwrap().to_bytes()
    });
    fs::write(&path, records.collect::<Vec<u8>>()).unwrap();
    path
}

#[test]
fn facts_and_doubts_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = network(folder.path(), "halfkp_32x2-8-8", 1);
    let path = path.to_str().unwrap();
    let found = printed(&["info", path, "<bundled>"]);
    for word in ["halfkp_32x2-8-8", "FV_SCALE      16", "SHA-256", "first layer", "compact_"] {
        assert!(found.contains(word), "no {word} in {found}");
    }
    assert!(!found.contains("doubt"), "{found}");
    let bytes = fs::read(path).unwrap();
    let at = bytes.windows(4).position(|part| part == b"32x2").unwrap();
    let lying = folder.path().join("lying.bin");
    fs::write(&lying, [&bytes[..at], b"64x2", &bytes[at + 4..]].concat()).unwrap();
    let found = json(&["info", lying.to_str().unwrap()]);
    let found = &found["networks"][0];
    assert!(found["doubts"][0].as_str().unwrap().contains("the bytes count"), "{found}");
    assert_eq!(found["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(found["layers"][0]["weights"]["count"], 32 * 125_388);
    // A file that is none is named, and the others are shown.
    let none = folder.path().join("none.bin");
    fs::write(&none, "no network").unwrap();
    let output = run(&["info", none.to_str().unwrap(), path]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("none.bin"), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("halfkp_32x2-8-8"));
    assert_eq!(run(&["info"]).status.code(), Some(2));
}

#[test]
fn networks_are_measured_on_labelled_positions() {
    let folder = tempfile::tempdir().unwrap();
    let (path, data) = (network(folder.path(), "kp_32x2-8-8", 1), data(folder.path()));
    let (path, data) = (path.to_str().unwrap(), data.to_str().unwrap());
    let found = printed(&["accuracy", "<bundled>", path, "--data", data]);
    assert!(found.contains("| all | <bundled> | 462 |"), "{found}");
    assert_eq!(found.lines().filter(|line| line.contains(path)).count(), 5, "{found}");
    let found = json(&["accuracy", "<bundled>", path, "--data", data]);
    let agreement =
        |at: usize| found["networks"][at]["phases"][0]["result_agreement"]["value"].as_f64();
    // The bundled network knows what pieces are worth.
    assert!(agreement(0).unwrap() > 0.7, "{found}");
    assert!(agreement(0) > agreement(1));
    let found = printed(&["scale", path, data]);
    for word in ["FV_SCALE 16", "spread", "odds of e : 1 at", "recommended: FV_SCALE"] {
        assert!(found.contains(word), "no {word} in {found}");
    }
    let nnue = Nnue::new(Network::open(path).unwrap());
    let found = json(&["scale", path, "--fv-scale", "32"]);
    assert!((found["centipawn"].as_f64().unwrap() - nnue.scale() / 2.0).abs() < 1e-9);
    assert_eq!(run(&["scale", path, "--fv-scale", "0"]).status.code(), Some(2));
    assert_eq!(run(&["accuracy", path]).status.code(), Some(2));
    let output = run(&["accuracy", path, "--data", path]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
}

#[test]
fn nothing_is_measured_of_no_position() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let check = Position::from_sfen("4k4/9/9/9/9/9/9/4r4/4K4 b - 1").unwrap();
    let record = PackedSfenValue::new(&check, 0, None, RecordResult::Loss).unwrap().to_bytes();
    fs::write(path("checks.psv"), record).unwrap();
    let (data, checks) = (data(folder.path()), path("checks.psv"));
    let data = data.to_str().unwrap();
    for arguments in [
        &["accuracy", "<bundled>", "--data", &checks][..],
        &["scale", "<bundled>", &checks],
        &["check", "<bundled>", &checks],
    ] {
        let output = run(arguments);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
        assert!(message.contains("found no position among 1 records: 1 in check"), "{message}");
        let output = run(&[&arguments[..2], &["--positions", "0"]].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
    // What is skipped is told by all three.
    let mut cut = fs::read(data).unwrap();
    cut.pop();
    fs::write(path("cut.psv"), cut).unwrap();
    for name in ["accuracy", "scale", "check"] {
        let output = run(&[name, "<bundled>", &path("cut.psv"), "--skip-damaged"]);
        assert!(output.status.success(), "{name}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("skipped: "), "{name}: {}", text(&output.stderr));
    }
}

#[test]
fn messages_name_the_file_and_the_cause_once() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.bin");
    let missing = missing.to_str().unwrap();
    for arguments in
        [&["info", missing][..], &["scale", missing], &["explain", missing, "startpos"]]
    {
        let message = text(&run(arguments).stderr);
        assert_eq!(message.matches("none.bin").count(), 1, "{message}");
        assert_eq!(message.matches("byte 0: cannot read on: ").count(), 1, "{message}");
        assert_eq!(message.matches("os error").count(), 1, "{message}");
    }
    let network = network(folder.path(), "kp_32x2-8-8", 1);
    let network = network.to_str().unwrap();
    let lost = folder.path().join("no folder/out.bin");
    let message = text(&run(&["convert", network, lost.to_str().unwrap()]).stderr);
    assert!(message.contains("out.bin: cannot write: ") && !message.contains("kp_"), "{message}");
    let message = text(&run(&["convert", network, folder.path().to_str().unwrap()]).stderr);
    assert!(message.contains(" is a folder, expected a file"), "{message}");
}

#[test]
fn pieces_are_explained() {
    let found = printed(&["explain", "<bundled>", "4k4/9/9/9/9/9/4P4/9/4K4 w R2g 1"]);
    assert!(found.contains("White in hand: G2 "), "{found}");
    assert!(found.contains("Black in hand: R "), "{found}");
    let found = json(&["explain", "<bundled>", "startpos"]);
    assert_eq!(found["pieces"].as_array().unwrap().len(), 38);
    assert_eq!((&found["side"], &found["pieces"][0]["square"]), (&"black".into(), &"1a".into()));
    assert_eq!(run(&["explain", "<bundled>", "9/9 b - 1"]).status.code(), Some(2));
    assert_eq!(run(&["explain", "no file", "startpos"]).status.code(), Some(1));
}

#[test]
fn networks_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let (path, data) = (network(folder.path(), "kp_32x2-8-8", 1), data(folder.path()));
    let (path, data) = (path.to_str().unwrap(), data.to_str().unwrap());
    let found = printed(&["check", path]);
    for word in ["462 positions", "| first layer | 32 |", "beyond 16 bits in 0", "castles", "200"] {
        assert!(found.contains(word), "no {word} in {found}");
    }
    let found = json(&["check", "<bundled>", data, "--positions", "100"]);
    assert!((60..140).contains(&found["positions"].as_u64().unwrap()), "{found}");
    assert_eq!(found["symmetry"]["turned_differ"], 0);
    assert_eq!(run(&["check", "no file"]).status.code(), Some(1));
}

#[test]
fn networks_are_converted() {
    let folder = tempfile::tempdir().unwrap();
    let input = network(folder.path(), "layerstack_halfkahm2_64_16_32_x9_kingrank9", 1);
    let output = folder.path().join("sfnn.bin");
    let [from, to] = [&input, &output].map(|path| path.to_str().unwrap());
    let found = printed(&["convert", from, to, "--to", "yaneuraou"]);
    for word in
        ["→ sfnn_halfkahm2_64_15_32_k3k3", "462 positions, all outputs equal", "FV_SCALE    28"]
    {
        assert!(found.contains(word), "no {word} in {found}");
    }
    let again = run(&["convert", from, to, "--to", "yaneuraou"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(text(&again.stderr).contains("--force"), "{}", text(&again.stderr));
    let found = json(&["convert", from, to, "--fv-scale", "20", "--force"]);
    assert_eq!(found["fv_scales"], serde_json::json!([28, 20]));
    assert_eq!(Network::open(to).unwrap().facts().fv_scale, 20);
    let refused = run(&["convert", to, from, "--to", "sfnn", "--force"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn networks_are_compared_by_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = network(folder.path(), "kp_32x2-8-8", 1);
    let (path, out) = (path.to_str().unwrap(), folder.path().join("out"));
    let arguments = ["compare", "<bundled>", path, "--nodes", "30", "--games", "2", "--out"];
    let arguments = [&arguments[..], &[out.to_str().unwrap()]].concat();
    let found = printed(&arguments);
    assert!(found.contains("| kp_32x2-8-8-1 |"), "{found}");
    assert!(found.contains("| <bundled> | +0 | zero | 2 |"), "{found}");
    let log = fs::read_to_string(out.join("1-2").join("games.jsonl")).unwrap();
    // The same command finds all games played.
    let again = json(&arguments);
    assert_eq!(again["players"].as_array().unwrap().len(), 2);
    assert_eq!(fs::read_to_string(out.join("1-2").join("games.jsonl")).unwrap(), log);
    // Other matches are not continued, but played anew if that is wanted.
    let other = [&arguments[..], &["--seed", "2"]].concat();
    let refused = run(&other);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("or --fresh"), "{}", text(&refused.stderr));
    printed(&[&other[..], &["--fresh"]].concat());
    assert_eq!(run(&["compare", path, path, "--nodes", "30"]).status.code(), Some(2));
    assert_eq!(run(&["compare", path, "<bundled>"]).status.code(), Some(2));
    assert_eq!(run(&["compare", path, "no file", "--nodes", "30"]).status.code(), Some(1));
}
